# The adapter that the ranks of a node share, by the interface that SimGrid has in C++ alone. Nothing of C++ is exported.
enable_language(CXX)
add_library(strata_adapter OBJECT ${PROJECT_SOURCE_DIR}/sim/smpi/adapter.cc)
set_target_properties(strata_adapter PROPERTIES CXX_STANDARD 17 POSITION_INDEPENDENT_CODE ON)

# `strata simulate` preloads it.
add_library(strata_waits SHARED ${PROJECT_SOURCE_DIR}/sim/smpi/waits/waits.c)
set_target_properties(strata_waits PROPERTIES C_VISIBILITY_PRESET default)
target_link_options(strata_waits PRIVATE -Wl,--as-needed) # smpicc links with SimGrid, which is not needed
install(TARGETS strata_waits DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/strata)

# A program that smpirun starts on simulated clusters.
function(strata_smpi_program name)
    add_executable(${name} ${ARGN} $<TARGET_OBJECTS:strata_adapter>)
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${name} PRIVATE strata_flags strata_check strata simgrid stdc++)
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE C C_VISIBILITY_PRESET default) # smpirun looks for main
endfunction()

# One that `strata simulate` starts.
function(strata_simulated name)
    strata_smpi_program(${name} ${ARGN})
    install(PROGRAMS $<TARGET_FILE:${name}> DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/strata)
endfunction()

strata_sources(simulate sim/smpi sim/patterns)
strata_simulated(simulate ${simulate})

# One thread of a rank does the work of all, so OpenMP pragmas of applications have no effect.
function(strata_simulated_application name)
    strata_simulated(${name} ${ARGN})
    target_include_directories(${name} PRIVATE sim/smpi/omp)
    target_compile_options(${name} PRIVATE -Wno-unknown-pragmas -Wno-unused-parameter)
endfunction()

strata_sources(is_sort apps/common apps/is_sort)
strata_simulated_application(is_sort ${is_sort})

include(StrataFFTW)
if(TARGET strata_fftw)
    strata_sources(fft apps/common apps/fft)
    list(FILTER fft EXCLUDE REGEX "/fftw_[a-z]+\\.c$") # FFTW has no transform for this MPI
    strata_simulated_application(fft ${fft})
    target_link_libraries(fft PRIVATE strata_fftw)
endif()

# Splits communicators in simulated time: smpirun build/smpi/bench_split.
strata_simulated(bench_split ${PROJECT_SOURCE_DIR}/bench/split.c)
# What it costs that a certain rank comes last: smpirun build/smpi/bench_late_rank.
strata_smpi_program(bench_late_rank ${PROJECT_SOURCE_DIR}/bench/late_rank.c)
# What messages to several neighbours at once cost: smpirun build/smpi/bench_neighbours.
strata_smpi_program(bench_neighbours ${PROJECT_SOURCE_DIR}/bench/neighbours.c)

# tests/simulate.sh runs it.
strata_smpi_program(late_root ${PROJECT_SOURCE_DIR}/tests/simulated/late_root.c)
