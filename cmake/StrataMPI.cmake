# What differs between MPIs, and between their versions, for building and testing. There are two kinds of differences:
# those that a check finds out (at the end of this file), and those of the table, which has a row for each difference
# and a column for each launcher. A launcher belongs to one MPI, and to some of its versions:
#   orte    Open MPI up to version 4
#   prrte   Open MPI from version 5
#   hydra   MPICH
#   abi     the script of cmake/StrataABI.cmake, which takes a word +ROW for those of the launcher that it starts

# strata_launcher(VARIABLE FAMILY MPIRUN): the launcher that an mpirun is which starts ranks of this family of MPIs.
function(strata_launcher variable family mpirun)
    set(launcher)
    if(family STREQUAL "abi")
        set(launcher abi)
    elseif(family MATCHES "openmpi|mpich")
        execute_process(COMMAND ${mpirun} --version OUTPUT_VARIABLE version ERROR_QUIET)
        if(version MATCHES "Open MPI\\) ([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 5)
            set(launcher prrte)
        elseif(family STREQUAL "openmpi" OR version MATCHES "Open MPI|OpenRTE")
            set(launcher orte)
        else()
            set(launcher hydra)
        endif()
    endif()
    set(${variable} ${launcher} PARENT_SCOPE)
endfunction()

# strata_starts_alone(VARIABLE PROGRAM MPIRUN): whether each of two ranks says that it is the only one.
function(strata_starts_alone variable program mpirun)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
                            ${mpirun} -n 2 ${program} TIMEOUT 20 OUTPUT_VARIABLE sizes ERROR_QUIET)
    set(${variable} OFF PARENT_SCOPE)
    if(sizes STREQUAL "1\n1\n")
        set(${variable} ON PARENT_SCOPE)
    endif()
endfunction()

# The MPICH of Ubuntu 24.04 asks its launcher for PMIx, and its own launcher has PMI-1 alone, so each rank is a program of
# one rank. Open MPI's launcher has PMIx, and starts its ranks together.
if(STRATA_MPI STREQUAL "mpich" AND NOT DEFINED STRATA_MPI_TELLS_SIZE)
    set(strata_size ${PROJECT_BINARY_DIR}/CMakeFiles/mpi_size)
    try_compile(STRATA_MPI_TELLS_SIZE
        SOURCE_FROM_CONTENT mpi_size.c
            "#include <mpi.h>
             #include <stdio.h>
             int main(int argc, char **argv)
             {
                 int size;
                 MPI_Init(&argc, &argv);
                 MPI_Comm_size(MPI_COMM_WORLD, &size);
                 printf(\"%d\\n\", size);
                 MPI_Finalize();
                 return 0;
             }"
        LINK_LIBRARIES MPI::MPI_C
        COPY_FILE ${strata_size})
    strata_starts_alone(alone ${strata_size} ${MPIEXEC_EXECUTABLE})
    if(alone)
        find_program(STRATA_PMIX_LAUNCHER mpirun.openmpi)
        if(NOT STRATA_PMIX_LAUNCHER)
            unset(STRATA_MPI_TELLS_SIZE CACHE) # the next configuration asks again
            message(FATAL_ERROR "${MPIEXEC_EXECUTABLE} starts each rank alone. Install Open MPI, or name another launcher "
                                "that has PMIx: -D MPIEXEC_EXECUTABLE=")
        endif()
        message(STATUS "${MPIEXEC_EXECUTABLE} starts each rank alone, so ${STRATA_PMIX_LAUNCHER} starts the ranks")
        set(MPIEXEC_EXECUTABLE ${STRATA_PMIX_LAUNCHER} CACHE FILEPATH "Launcher of the ranks" FORCE)
    endif()
endif()
if(STRATA_HAVE_MPI AND NOT STRATA_HAVE_SMPI)
    strata_launcher(STRATA_LAUNCHER ${STRATA_MPI} ${MPIEXEC_EXECUTABLE})
    message(STATUS "Launcher of ${MPIEXEC_EXECUTABLE}: ${STRATA_LAUNCHER}")
endif()

# strata_row(NAME [orte WORD...] [prrte WORD...] [hydra WORD...]): sets strata_NAME to the words of this build's
# launcher, and strata_NAME_LAUNCHER to those of each launcher.
macro(strata_row name)
    cmake_parse_arguments(strata_row "" "" "orte;prrte;hydra" ${ARGN})
    foreach(launcher orte prrte hydra)
        set(strata_${name}_${launcher} ${strata_row_${launcher}})
    endforeach()
    set(strata_${name} ${strata_row_${STRATA_LAUNCHER}})
    if(STRATA_LAUNCHER STREQUAL "abi")
        set(strata_${name} ${strata_row_prrte} ${strata_row_hydra})
        if(strata_${name} MATCHES "^-") # options; all others are variables, which the other launcher does not know
            set(strata_${name} +${name})
            list(APPEND strata_abi_rows ${name})
        endif()
    endif()
endmacro()

# More ranks than cores start, wherever the scheduler puts them. Hydra starts ranks like that.
strata_row(crowds orte --oversubscribe --bind-to none prrte --oversubscribe --bind-to none)
# Ranks that wait let each other run, or keep their cores.
strata_row(yields orte --mca mpi_yield_when_idle 1 prrte --mca mpi_yield_when_idle 1)
strata_row(spins orte --mca mpi_yield_when_idle 0 prrte --mca mpi_yield_when_idle 0)
# Messages go by ob1 at once. Without a special network Open MPI takes ob1 too, but after a search that takes half of
# the start. Processes of two jobs meet over TCP, and Open MPI 5.0 finds no path between two processes of a host on some
# networks, so they take the host's loopback.
strata_row(quick orte --mca pml ob1 prrte --mca pml ob1 --mca btl_tcp_if_include lo)
# Each rank has a core, or none of its own.
strata_row(bound orte --bind-to core prrte --bind-to core hydra -bind-to core)
strata_row(unbound orte --bind-to none prrte --bind-to none hydra -bind-to none)
# The other ranks end at once when one has failed. ORTE gives them two seconds.
strata_row(ends_at_once orte --mca odls_base_sigkill_timeout 0)

# Variables of the environment. Programs may run as root.
strata_row(as_root orte OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
           prrte OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
# Ranks tell each other about themselves by messages, not by the files of PMIx, which take longer to make.
strata_row(no_files orte PMIX_MCA_gds=hash prrte PMIX_MCA_gds=hash)
# MPI's own messages do not read another rank's memory: in an opening comment of tests/mpi, the word MPI_COPIES_TWICE.
strata_row(copies_twice orte OMPI_MCA_btl_vader_single_copy_mechanism=none prrte OMPI_MCA_smsc=^cma,xpmem,knem
           hydra UCX_TLS=self,sysv,posix)
if(STRATA_MPI STREQUAL "mpich")
    set(strata_copies_twice ${strata_copies_twice_hydra}) # whatever its launcher
endif()
# Each mpirun of ORTE makes a folder for its sessions, named by host and user, and removes it if it is empty. An mpirun
# fails if another one removes the folder at the wrong moment. So the folder of the tests is never empty. PRRTE's
# folders are named by process.
strata_row(sessions orte OMPI_MCA_orte_tmpdir_base)

# The options that tests start ranks with. Scripts read them in CMakeCache.txt.
foreach(launcher "" _orte _prrte _hydra)
    set(strata_mpirun${launcher} ${strata_crowds${launcher}} ${strata_yields${launcher}} ${strata_quick${launcher}})
endforeach()
list(JOIN strata_mpirun " " options)
set(STRATA_MPIRUN_OPTIONS "${options}" CACHE INTERNAL "options with which more ranks than cores start")
list(JOIN strata_copies_twice " " settings)
set(STRATA_MPI_COPIES_TWICE "${settings}" CACHE INTERNAL "variables by which MPI itself reads no other rank's memory")

# What is installed starts ranks by this launcher.
set(STRATA_MPIRUN_LAUNCHER ${STRATA_LAUNCHER})
if(STRATA_LAUNCHER STREQUAL "abi")
    strata_abi_mpirun(${strata_abi_rows})
    strata_launcher(STRATA_MPIRUN_LAUNCHER ${strata_abi_first} ${STRATA_MPIRUN})
else()
    set(STRATA_MPIRUN ${MPIEXEC_EXECUTABLE})
endif()

# What this MPI has. Its version does not tell: Open MPI 5 is of MPI 3.1, and has sessions and persistent collectives.
if(STRATA_HAVE_MPI AND NOT STRATA_HAVE_SMPI)
    include(CheckSymbolExists)
    set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_C)
    check_symbol_exists(MPI_Bcast_c mpi.h STRATA_HAVE_LARGE)
    check_symbol_exists(MPI_Session_init mpi.h STRATA_HAVE_SESSIONS)
    check_symbol_exists(MPI_Alltoallv_init mpi.h STRATA_HAVE_PERSISTENT)
    check_symbol_exists(MPIX_Threadcomm_init mpi.h STRATA_HAVE_THREADCOMM)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()
