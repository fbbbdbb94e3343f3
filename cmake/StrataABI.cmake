# STRATA_MPI=abi: one library for all MPIs by the standard ABI (docs/decisions/abi.md). Whichever libmpi_abi.so.1 the
# system's linker finds at run time serves it.

# An MPI installs a wrapper for the ABI as mpicc_abi. Debian's packages of Open MPI 6 and MPICH 5 have headers and
# libraries, but no wrapper that works, so this makes two, for C and C++.
find_program(MPI_C_COMPILER mpicc_abi)
if(NOT MPI_C_COMPILER OR MPI_C_COMPILER STREQUAL "${PROJECT_BINARY_DIR}/mpicc_abi")
    set(folder /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
    find_path(STRATA_ABI_INCLUDE mpi.h PATHS ${folder} PATH_SUFFIXES openmpi/include/standard_abi mpi_abi_mpich/include NO_DEFAULT_PATH)
    find_library(STRATA_ABI_LIBRARY mpi_abi PATHS ${folder}/openmpi/lib ${folder}/mpi_abi_mpich/lib ${folder} NO_DEFAULT_PATH) # of the same MPI
    if(NOT STRATA_ABI_INCLUDE OR NOT STRATA_ABI_LIBRARY)
        message(FATAL_ERROR "No MPI with the standard ABI (Open MPI from 6, MPICH from 5); name its wrapper with -D MPI_C_COMPILER=")
    endif()
    cmake_path(GET STRATA_ABI_LIBRARY PARENT_PATH folder)
    foreach(wrapper mpicc mpicxx)
        set(compiler ${CMAKE_C_COMPILER})
        if(wrapper STREQUAL "mpicxx")
            set(compiler c++)
        endif()
        configure_file(${PROJECT_SOURCE_DIR}/cmake/mpicc_abi.in ${PROJECT_BINARY_DIR}/${wrapper}_abi @ONLY FILE_PERMISSIONS
                       OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
    set(MPI_C_COMPILER ${PROJECT_BINARY_DIR}/mpicc_abi CACHE FILEPATH "Wrapper for the standard ABI" FORCE)
endif()

# The MPIs here that serve the ABI. Debian's Open MPI and MPICH have a file each, and ldconfig links libmpi_abi.so.1 to
# one of them, which comes first here. Elsewhere the MPI of the wrapper serves. Each gets a folder with a link
# libmpi_abi.so.1 to its library, so that LD_LIBRARY_PATH can name it.
set(folder /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
set(strata_abi_names)
foreach(mpi openmpi mpich)
    file(GLOB library ${folder}/libmpi_abi_${mpi}.so.1.*)
    find_program(STRATA_ABI_MPIRUN_${mpi} mpirun.${mpi})
    if(library AND STRATA_ABI_MPIRUN_${mpi})
        file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/served/${mpi})
        file(CREATE_LINK ${library} ${PROJECT_BINARY_DIR}/served/${mpi}/libmpi_abi.so.1 SYMBOLIC)
        file(REAL_PATH ${folder}/libmpi_abi.so.1 linked)
        if(linked STREQUAL library)
            list(PREPEND strata_abi_names ${mpi})
        else()
            list(APPEND strata_abi_names ${mpi})
        endif()
    endif()
endforeach()
if(NOT strata_abi_names)
    cmake_path(GET MPI_C_COMPILER PARENT_PATH wrappers)
    find_program(STRATA_ABI_MPIRUN mpirun mpiexec HINTS ${wrappers} REQUIRED)
    set(strata_abi_names openmpi)
    execute_process(COMMAND ${STRATA_ABI_MPIRUN} --version OUTPUT_VARIABLE version ERROR_QUIET)
    if(NOT version MATCHES "Open MPI|prte")
        set(strata_abi_names mpich)
    endif()
    set(STRATA_ABI_MPIRUN_${strata_abi_names} ${STRATA_ABI_MPIRUN})
endif()
list(GET strata_abi_names 0 strata_abi_first)
# Tests start ranks by a script that takes either MPI. What is installed names the launcher of the first.
set(MPIEXEC_EXECUTABLE ${PROJECT_BINARY_DIR}/mpirun CACHE FILEPATH "Launcher of the tests" FORCE)
set(STRATA_MPIRUN ${STRATA_ABI_MPIRUN_${strata_abi_first}})

# strata_abi_mpirun(ROW...): writes that script, with the words of these rows of StrataMPI.cmake.
function(strata_abi_mpirun)
    set(strata_abi_cases)
    foreach(mpi ${strata_abi_names})
        strata_launcher(launcher ${mpi} ${STRATA_ABI_MPIRUN_${mpi}})
        string(APPEND strata_abi_cases "${mpi})\n    launcher=${STRATA_ABI_MPIRUN_${mpi}} folder=${PROJECT_BINARY_DIR}/served/${mpi}\n")
        foreach(row ${ARGN})
            list(JOIN strata_${row}_${launcher} " " words)
            string(APPEND strata_abi_cases "    ${row}='${words}'\n")
        endforeach()
        string(APPEND strata_abi_cases "    ;;\n")
    endforeach()
    configure_file(${PROJECT_SOURCE_DIR}/cmake/mpirun_abi.in ${PROJECT_BINARY_DIR}/mpirun @ONLY FILE_PERMISSIONS
                   OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()
