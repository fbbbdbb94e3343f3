# strata_system: the libraries that Strata stands on. With STRATA_MPI=off it is the C library alone.
add_library(strata_system INTERFACE)
target_link_libraries(strata_system INTERFACE m)

if(NOT STRATA_MPI MATCHES "^(openmpi|mpich|abi|custom|smpi|off)$")
    message(FATAL_ERROR "STRATA_MPI=${STRATA_MPI}: one of openmpi, mpich, abi, custom, smpi, off")
endif()
if(NOT STRATA_MPI STREQUAL "custom")
    set(STRATA_MPI_NAME ${STRATA_MPI})
elseif(NOT MPI_C_COMPILER OR NOT STRATA_MPI_NAME MATCHES "^[a-z][a-z0-9_]*$")
    message(FATAL_ERROR "STRATA_MPI=custom needs -D MPI_C_COMPILER= (that MPI's wrapper, such as /opt/mpi/bin/mpicc) and "
                        "-D STRATA_MPI_NAME= (a name in small letters, digits and _, for what is installed)")
endif()
set(STRATA_PRELOAD libstrata_preload_${STRATA_MPI_NAME}.so)
set(STRATA_RECORD libstrata_record_${STRATA_MPI_NAME}.so)
set(STRATA_HAVE_MPI OFF)
set(STRATA_HAVE_SMPI OFF)
if(STRATA_MPI STREQUAL "off")
    return()
endif()
set(STRATA_HAVE_MPI ON)

# SimGrid's compiler wrapper is the compiler, and everything is built for simulated clusters. Their ranks share one
# process, have no threads, and do not look at the real host.
if(STRATA_MPI STREQUAL "smpi")
    set(STRATA_HAVE_SMPI ON)
    if(NOT CMAKE_C_COMPILER MATCHES "smpicc")
        message(FATAL_ERROR "STRATA_MPI=smpi needs -D CMAKE_C_COMPILER=smpicc (the preset smpi says so)")
    endif()
    find_program(SMPIRUN_EXECUTABLE smpirun REQUIRED)
    target_compile_definitions(strata_flags INTERFACE STRATA_SIMULATED)
    return()
endif()

if(STRATA_MPI STREQUAL "abi")
    include(StrataABI)
endif()
# Debian and Ubuntu install Open MPI and MPICH side by side under suffixed names, Fedora in folders of their own.
# -D MPI_C_COMPILER=... names any other installation. Its mpirun lies beside it, or is -D MPIEXEC_EXECUTABLE=...
find_program(MPI_C_COMPILER NAMES mpicc.${STRATA_MPI} mpicc HINTS /usr/lib64/${STRATA_MPI}/bin)
cmake_path(GET MPI_C_COMPILER PARENT_PATH wrappers)
find_program(MPIEXEC_EXECUTABLE NAMES mpirun.${STRATA_MPI} mpirun mpiexec HINTS ${wrappers})
set(MPI_SKIP_COMPILER_WRAPPER OFF)
find_package(MPI REQUIRED COMPONENTS C)
# The wrapper of Ubuntu's MPICH passes on -flto of its own build, by which the linker would compile each program anew.
list(FILTER MPI_C_COMPILE_OPTIONS EXCLUDE REGEX "^-f(lto|fat-lto)")
set_target_properties(MPI::MPI_C PROPERTIES INTERFACE_COMPILE_OPTIONS "${MPI_C_COMPILE_OPTIONS}")
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc>=2.1)

# The wrapper found must belong to the MPI asked for, because a plain `mpicc` can belong to either. From here on
# STRATA_MPI names the family of a custom MPI, by its header. It stays custom if the MPI descends from neither.
include(CheckCSourceCompiles)
set(kind_openmpi "defined OMPI_MAJOR_VERSION")
set(kind_mpich "defined MPICH_VERSION")
set(kind_abi "MPI_ABI_VERSION > 0") # an MPI's own header says -1
function(strata_is_mpi family)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    check_c_source_compiles(
        "#include <mpi.h>
         #if !(${kind_${family}})
         #error another MPI
         #endif
         int main(void) { return 0; }" STRATA_MPI_IS_${family})
endfunction()
if(STRATA_MPI STREQUAL "custom")
    foreach(family openmpi mpich)
        strata_is_mpi(${family})
        if(STRATA_MPI_IS_${family})
            set(STRATA_MPI ${family})
        endif()
    endforeach()
else()
    strata_is_mpi(${STRATA_MPI})
    if(NOT STRATA_MPI_IS_${STRATA_MPI})
        message(FATAL_ERROR "${MPI_C_COMPILER} is not ${STRATA_MPI}; name it with -D MPI_C_COMPILER=")
    endif()
endif()

# Only sources that use OpenMP are compiled with it: files *_omp.c (strata_sources), applications, and tests on real
# ranks. The other sources compile alike in all configurations, so a compiler cache saves their compilation.
target_link_libraries(strata_system INTERFACE MPI::MPI_C $<LINK_ONLY:OpenMP::OpenMP_C> PkgConfig::hwloc)

# Every program built with sanitizers ignores leaks of the MPI library.
if(STRATA_SANITIZE MATCHES "address|leak")
    add_library(strata_leaks OBJECT tests/leaks_mpi.c)
    target_link_libraries(strata_leaks PRIVATE strata_flags MPI::MPI_C)
    target_link_libraries(strata_system INTERFACE $<TARGET_OBJECTS:strata_leaks>)
endif()

# Every program built with the thread sanitizer tells it of the joins of OpenMP.
if(STRATA_SANITIZE STREQUAL "thread")
    add_library(strata_joins OBJECT tests/joins_omp.c)
    target_link_libraries(strata_joins PRIVATE strata_flags)
    target_link_libraries(strata_system INTERFACE $<TARGET_OBJECTS:strata_joins>)
endif()

include(StrataFFTW)

# strata_benchmark: Google Benchmark. Without it bench/strata_bench is left out.
find_package(benchmark QUIET)
include(CheckLanguage)
if(benchmark_FOUND)
    check_language(CXX)
endif()
if(benchmark_FOUND AND CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 14)
    set(CMAKE_CXX_STANDARD_REQUIRED ON)
    add_library(strata_benchmark INTERFACE)
    target_link_libraries(strata_benchmark INTERFACE benchmark::benchmark)
else()
    message(WARNING "Google Benchmark with a C++ compiler was not found: bench/strata_bench is left out")
endif()
