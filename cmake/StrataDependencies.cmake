# strata_system: what the library stands on. With STRATA_MPI=off that is the C library alone.
add_library(strata_system INTERFACE)
target_link_libraries(strata_system INTERFACE m)

if(NOT STRATA_MPI MATCHES "^(openmpi|mpich|off)$")
    message(FATAL_ERROR "STRATA_MPI=${STRATA_MPI}: one of openmpi, mpich, off")
endif()
set(STRATA_HAVE_MPI OFF)
if(STRATA_MPI STREQUAL "off")
    return()
endif()
set(STRATA_HAVE_MPI ON)

# Debian and Ubuntu install both side by side under suffixed names, Fedora in folders of their own.
# -D MPI_C_COMPILER=... and -D MPIEXEC_EXECUTABLE=... name any other installation.
find_program(MPI_C_COMPILER NAMES mpicc.${STRATA_MPI} mpicc HINTS /usr/lib64/${STRATA_MPI}/bin)
find_program(MPIEXEC_EXECUTABLE NAMES mpirun.${STRATA_MPI} mpirun
             HINTS /usr/lib64/${STRATA_MPI}/bin)
set(MPI_SKIP_COMPILER_WRAPPER OFF)
find_package(MPI REQUIRED COMPONENTS C)
find_package(OpenMP REQUIRED COMPONENTS C)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(numa REQUIRED IMPORTED_TARGET numa)

# The wrapper found must be of the MPI asked for: a plain `mpicc` can be either.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
set(kind_openmpi OMPI_MAJOR_VERSION)
set(kind_mpich MPICH_VERSION)
check_c_source_compiles(
    "#include <mpi.h>
     #ifndef ${kind_${STRATA_MPI}}
     #error another MPI
     #endif
     int main(void) { return 0; }" STRATA_MPI_IS_${STRATA_MPI})
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT STRATA_MPI_IS_${STRATA_MPI})
    message(FATAL_ERROR "${MPI_C_COMPILER} is not ${STRATA_MPI}; name it with -D MPI_C_COMPILER=")
endif()

target_link_libraries(strata_system INTERFACE MPI::MPI_C OpenMP::OpenMP_C PkgConfig::hwloc
                                              PkgConfig::numa)
