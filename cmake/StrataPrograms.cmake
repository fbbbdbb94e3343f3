# The programs. A folder without sources makes no target.

# strata_program(NAME SOURCE... [OUTPUT file] [FOLDER folder])
function(strata_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT;FOLDER" "")
    if(NOT arg_UNPARSED_ARGUMENTS)
        return()
    endif()
    add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(${name} PRIVATE STRATA_VERSION="${PROJECT_VERSION}")
    target_link_libraries(${name} PRIVATE strata_product_flags strata_check strata)
    if(arg_OUTPUT)
        set_target_properties(${name} PROPERTIES OUTPUT_NAME ${arg_OUTPUT})
    endif()
    if(arg_FOLDER)
        set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                 ${PROJECT_BINARY_DIR}/${arg_FOLDER})
    endif()
endfunction()

# The command has the name of its MPI, such as strata.openmpi, with a link `strata` to it. Without MPI it is
# strata-nompi. Its studies read JSON if jansson is installed, and start MPI programs with the mpirun of this build.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(jansson IMPORTED_TARGET jansson)
endif()
strata_sources(tool tools/**)
if(TARGET PkgConfig::jansson)
    list(FILTER tool EXCLUDE REGEX "/json_absent\\.c$")
else()
    list(FILTER tool EXCLUDE REGEX "/json\\.c$")
endif()
if(STRATA_HAVE_MPI)
    strata_program(strata_tool ${tool} OUTPUT strata.${STRATA_MPI_NAME})
    add_custom_command(TARGET strata_tool POST_BUILD BYPRODUCTS strata
                       COMMAND ${CMAKE_COMMAND} -E create_symlink strata.${STRATA_MPI_NAME} strata)
else()
    strata_program(strata_tool ${tool} OUTPUT strata-nompi)
endif()
if(TARGET strata_tool)
    target_link_libraries(strata_tool PRIVATE strata_simulation)
    string(JOIN " " crowded ${strata_crowds_${STRATA_MPIRUN_LAUNCHER}} ${strata_yields_${STRATA_MPIRUN_LAUNCHER}})
    string(JOIN " " roomy ${strata_crowds_${STRATA_MPIRUN_LAUNCHER}} ${strata_spins_${STRATA_MPIRUN_LAUNCHER}})
    file(RELATIVE_PATH library_folder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/strata)
    target_compile_definitions(
        strata_tool PRIVATE STRATA_LIBRARY_FOLDER="${library_folder}" STRATA_MPI_KIND="${STRATA_MPI}" STRATA_MPIEXEC="${STRATA_MPIRUN}"
                            STRATA_CROWDED="${crowded}" STRATA_ROOMY="${roomy}"
                            STRATA_PRELOAD="${STRATA_PRELOAD}")
    if(TARGET PkgConfig::jansson)
        target_link_libraries(strata_tool PRIVATE PkgConfig::jansson)
    endif()
endif()

strata_sources(is_sort apps/common apps/is_sort)
strata_program(is_sort ${is_sort})
if(TARGET is_sort)
    target_link_libraries(is_sort PRIVATE OpenMP::OpenMP_C)
endif()

# apps/fft has two parts: the transform, in a library that other programs may link, and the program.
if(TARGET strata_fftw)
    strata_sources(fft apps/common apps/fft)
    if(FFTW_MPI_LIBRARY)
        list(FILTER fft EXCLUDE REGEX "/fftw_[a-z]+_absent\\.c$")
    else()
        list(FILTER fft EXCLUDE REGEX "/fftw_[a-z]+\\.c$")
    endif()
    set(transform "/apps/fft/(transform|execute|grid|box|remap|pack|calls|pieces|local|fftw_transpose(_absent)?)\\.c$")
    set(fft_library ${fft})
    list(FILTER fft_library INCLUDE REGEX "${transform}")
    list(FILTER fft EXCLUDE REGEX "${transform}")
    add_library(strata_fft STATIC ${fft_library})
    target_include_directories(strata_fft PUBLIC ${PROJECT_SOURCE_DIR})
    target_link_libraries(strata_fft PRIVATE strata_product_flags PUBLIC strata strata_fftw OpenMP::OpenMP_C)
    strata_program(fft ${fft})
    target_link_libraries(fft PRIVATE strata_fft)
endif()

# Compares collectives with MPI's own, on Google Benchmark: the one program with a C++ file.
strata_sources(strata_bench bench/strata_bench)
if(TARGET strata_benchmark)
    strata_program(strata_bench ${strata_bench}
                   ${PROJECT_SOURCE_DIR}/bench/strata_bench/google_benchmark.cc FOLDER bench)
    target_link_libraries(strata_bench PRIVATE strata_benchmark)
    target_compile_definitions(strata_bench PRIVATE $<$<BOOL:${STRATA_HAVE_PERSISTENT}>:STRATA_HAVE_PERSISTENT>)
endif()

strata_sources(benches bench)
if(NOT STRATA_HAVE_THREADCOMM) # MPICH from 4.2 on
    list(FILTER benches EXCLUDE REGEX "/threadcomm\\.c$")
endif()
foreach(source ${benches})
    cmake_path(GET source STEM name)
    strata_program(bench_${name} ${source} OUTPUT ${name} FOLDER bench)
endforeach()
if(TARGET bench_copies)
    target_link_libraries(bench_copies PRIVATE OpenMP::OpenMP_C) # one of its ways to copy uses a team
endif()
