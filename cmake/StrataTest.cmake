# The functions that turn test files into programs and ctest tests.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

# Each test is a program with the whole library and its debugging information, which gold links in half of the time.
# Installed files are linked by the usual linker.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold STRATA_HAVE_GOLD)
if(STRATA_HAVE_GOLD)
    add_link_options(-fuse-ld=gold)
endif()

# Leaks are errors everywhere. tests/leaks_mpi.c lists the leaks of the MPI libraries that are ignored.
set(strata_sanitizer_environment "ASAN_OPTIONS=detect_leaks=1" "UBSAN_OPTIONS=print_stacktrace=1")
if(STRATA_SANITIZE)
    # Open MPI changes the code of mprotect and others while it runs, and those of GCC 16's sanitizer are too short.
    list(APPEND strata_sanitizer_environment "OMPI_MCA_memory=^patcher")
endif()
if(STRATA_HAVE_MPI AND STRATA_SANITIZE STREQUAL "thread") # which knows nothing of the MPI library's own order
    list(APPEND strata_sanitizer_environment TSAN_OPTIONS=ignore_noninstrumented_modules=1 UCX_MEM_EVENTS=n)
endif()
set(strata_test_environment ${strata_sanitizer_environment})

# strata_test_programs(AREA SOURCE...): each file test_*.c is a program; the other files belong to all of them.
function(strata_test_programs area)
    set(programs ${ARGN})
    set(shared ${ARGN})
    list(FILTER programs INCLUDE REGEX "/test_[^/]*\\.c$")
    list(FILTER shared EXCLUDE REGEX "/test_[^/]*\\.c$")
    add_library(${area}_tests INTERFACE)
    target_include_directories(${area}_tests INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${area}_tests INTERFACE strata_flags strata_simulation strata PkgConfig::cmocka)
    target_compile_options(${area}_tests INTERFACE -O1 -g1) # takes half of the time; what is tested is as it is installed
    set(objects)
    if(shared)
        add_library(${area}_shared OBJECT ${shared})
        target_link_libraries(${area}_shared PRIVATE ${area}_tests)
        set(objects $<TARGET_OBJECTS:${area}_shared>)
    endif()
    foreach(source ${programs})
        cmake_path(GET source STEM name)
        add_executable(${area}_${name} ${source} ${objects})
        target_link_libraries(${area}_${name} PRIVATE ${area}_tests)
    endforeach()
    set(strata_programs ${programs} PARENT_SCOPE)
endfunction()

# strata_test_header(FILE KEY VARIABLE): the values of the lines "KEY: value" in the file's opening
# comment, one list element for each line.
function(strata_test_header file key variable)
    file(STRINGS ${file} lines REGEX "^[/ ]?\\*+ ${key}: " LIMIT_INPUT 2000)
    set(values)
    foreach(line IN LISTS lines)
        string(REGEX REPLACE "^[/ ]?\\*+ ${key}: *(.*[^ */])[ */]*$" "\\1" value "${line}")
        list(APPEND values "${value}")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    set(${variable} "${values}" PARENT_SCOPE)
endfunction()

# strata_long(TEST): leaves the test to `quickstart.sh test --long`, the long form.
function(strata_long test)
    set_property(TEST "${test}" APPEND PROPERTY LABELS long)
endfunction()

# strata_unit_tests(AREA SOURCE...): each program is one test, "AREA/name". A test that is the same with every MPI has
# the label "unit", and is built and run without MPI only. Lines of the program's opening comment change this:
#   long: VARIABLE=VALUE...            makes one more test, "AREA/name long"
#   sanitized long: VARIABLE=VALUE...  makes it with sanitizers only
#   sanitized: long                    leaves the test to the long form with sanitizers
function(strata_unit_tests area)
    set(sources ${ARGN})
    if(STRATA_HAVE_MPI)
        list(FILTER sources EXCLUDE REGEX "/test_[^/]*\\.c$")
        set(programs ${ARGN})
        list(FILTER programs INCLUDE REGEX "/test_[^/]*_(mpi|omp)\\.c$")
        if(NOT programs)
            return()
        endif()
        list(APPEND sources ${programs})
    endif()
    strata_test_programs(${area} ${sources})
    foreach(source ${strata_programs})
        cmake_path(GET source STEM name)
        string(REGEX REPLACE "^test_" "" short ${name})
        strata_test_header(${source} timeout timeout)
        if(NOT timeout)
            set(timeout 120)
        endif()
        strata_test_header(${source} long long)
        if(STRATA_SANITIZE)
            strata_test_header(${source} "sanitized long" sanitized_long)
            list(APPEND long ${sanitized_long})
        endif()
        if(name MATCHES "_(mpi|omp)$")
            set(label mpi)
            set(environment "${strata_test_environment}")
        else()
            set(label unit)
            set(environment "${strata_sanitizer_environment}")
        endif()
        set(tests "${area}/${short}")
        add_test(NAME "${tests}" COMMAND ${area}_${name})
        if(long)
            set(tests "${area}/${short}" "${area}/${short} long")
            add_test(NAME "${area}/${short} long" COMMAND ${area}_${name})
        endif()
        # Tests that may take long start first.
        set_tests_properties(${tests} PROPERTIES TIMEOUT ${timeout} COST ${timeout} LABELS ${label}
                                                 ENVIRONMENT "${environment}")
        strata_test_header(${source} sanitized sanitized)
        if(STRATA_SANITIZE AND sanitized STREQUAL "long")
            strata_long("${area}/${short}")
        endif()
        if(long)
            strata_long("${area}/${short} long")
            separate_arguments(long UNIX_COMMAND "${long}")
            set_property(TEST "${area}/${short} long" APPEND PROPERTY ENVIRONMENT ${long})
        endif()
    endforeach()
endfunction()

# The settings of hwloc and those without PMIx's files save two fifths of the time that a rank takes to start. They turn
# off hwloc's plugins, which look for graphics and load X11, OpenCL and libxml2, and hwloc's look at PCI and other
# devices (phases 0x18), of which a virtual machine emulates each word.
list(APPEND strata_test_environment XDG_CONFIG_HOME=/nonexistent STRATA_SETTINGS=none OMP_WAIT_POLICY=passive
     HWLOC_PLUGINS_PATH=/nonexistent HWLOC_COMPONENTS=-linux:0x18 ${strata_as_root} ${strata_no_files})

if(strata_sessions)
    cmake_host_system_information(RESULT host QUERY HOSTNAME)
    execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/sessions/ompi.${host}.${user}/kept)
    list(APPEND strata_test_environment ${strata_sessions}=${CMAKE_CURRENT_BINARY_DIR}/sessions)
endif()

# Ranks of MPICH let others run too, if MPICH is built on UCX. They do not with sanitizers, which must be the first
# library.
set(strata_ranks_yield ON)
if(STRATA_MPI STREQUAL "abi")
    add_library(yield_mpich MODULE ${PROJECT_SOURCE_DIR}/tests/yield_mpich.c) # which ${PROJECT_BINARY_DIR}/mpirun preloads
    target_link_libraries(yield_mpich PRIVATE strata_flags ${CMAKE_DL_LIBS})
    set_target_properties(yield_mpich PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
elseif(STRATA_MPI STREQUAL "mpich")
    file(STRINGS ${MPI_mpich_LIBRARY} strata_ranks_yield REGEX "^ucp_worker_progress$" LIMIT_COUNT 1)
    if(STRATA_SANITIZE)
        set(strata_ranks_yield)
    elseif(strata_ranks_yield)
        add_library(yield_mpich MODULE ${PROJECT_SOURCE_DIR}/tests/yield_mpich.c)
        target_link_libraries(yield_mpich PRIVATE strata_flags ${CMAKE_DL_LIBS})
        set_target_properties(yield_mpich PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
        list(APPEND strata_test_environment LD_PRELOAD=${CMAKE_CURRENT_BINARY_DIR}/libyield_mpich.so)
    endif()
endif()

# strata_mpi_long(TEST RANKS SMALLEST): leaves a run on so many ranks to the long form, if the same test also runs on
# SMALLEST ranks. More ranks show other layouts and rounds, but the plans are the same with every MPI, so only Open MPI
# runs all of them. MPICH shows that MPICH has all MPI functions that Strata calls; three ranks on two nodes suffice.
# Sanitizers see accesses of memory; four ranks show them, and so do dozens of virtual ranks. MPICH and sanitizers take
# the largest number of ranks of each "run:" line that they may.
set(strata_most_ranks 99)
if(STRATA_MPI MATCHES "^(mpich|abi)$")
    set(strata_most_ranks 3)
endif()
if(STRATA_SANITIZE STREQUAL "thread") # which sees one process
    set(strata_most_ranks 2)
elseif(STRATA_SANITIZE)
    set(strata_most_ranks 4)
endif()
function(strata_mpi_long test ranks smallest)
    if(ranks GREATER strata_most_ranks AND ranks GREATER smallest)
        strata_long("${test}")
    endif()
endfunction()

# strata_mpi_repeated(COUNTS VARIABLE): the number of ranks of one "run:" line that both MPICH and Open MPI with
# sanitizers take by the rule above: the greatest up to four, if it is at most three; otherwise none. Open MPI without
# sanitizers would only repeat this run, so it leaves the run to the long form if the program has other runs.
function(strata_mpi_repeated counts variable)
    string(REPLACE "," ";" counts ${counts})
    set(repeated)
    foreach(count ${counts})
        if(count LESS_EQUAL 4)
            set(repeated ${count})
        endif()
    endforeach()
    if(repeated EQUAL 4)
        set(repeated)
    endif()
    set(${variable} "${repeated}" PARENT_SCOPE)
endfunction()

# strata_mpi_has_others(VARIABLE RUN...): whether one of the lines has a number of ranks that is not repeated so.
function(strata_mpi_has_others variable)
    set(${variable} OFF PARENT_SCOPE)
    foreach(run IN LISTS ARGN)
        string(REGEX REPLACE " .*" "" counts "${run}")
        strata_mpi_repeated(${counts} repeated)
        if(NOT counts STREQUAL "${repeated}")
            set(${variable} ON PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

# strata_mpi_processors(RANKS VARIABLE): the number of processors that ctest counts for a test. ctest caps it at its own
# -j, so a test with that many ranks runs alone. Otherwise crowded ranks that spin would make other tests time out.
# Where ranks let others run, a test counts one processor, because it mostly waits for its ranks to start.
function(strata_mpi_processors ranks variable)
    if(strata_ranks_yield)
        set(ranks 1)
    elseif(ranks GREATER 1) # quickstart.sh lets one more test run than there are processors
        math(EXPR ranks "${ranks} + 1")
    endif()
    set(${variable} ${ranks} PARENT_SCOPE)
endfunction()

# strata_mpi_run(NAME TARGET TIMEOUT SMALLEST RANKS VARIABLE=VALUE... -- ARGUMENT...): adds one test for each number of
# ranks.
function(strata_mpi_run name target timeout smallest ranks)
    list(JOIN ARGN " " rest)
    set(environment ${ARGN})
    set(arguments ${ARGN})
    list(FIND ARGN -- end)
    if(end LESS 0)
        set(arguments)
    else()
        list(SUBLIST environment 0 ${end} environment)
        math(EXPR end "${end} + 1")
        list(SUBLIST arguments ${end} -1 arguments)
    endif()
    string(REPLACE "," ";" counts ${ranks})
    set(most)
    if(strata_most_ranks LESS 99)
        foreach(count ${counts})
            if(count LESS_EQUAL strata_most_ranks)
                set(most ${count})
            endif()
        endforeach()
    endif()
    set(repeated)
    if(strata_leaves_repeated)
        strata_mpi_repeated(${ranks} repeated)
    endif()
    foreach(count ${counts})
        string(STRIP "mpi/${name} ${count} ${rest}" test)
        strata_mpi_processors(${count} processors)
        if(STRATA_SANITIZE STREQUAL "thread") # sees no order of two threads that another process makes
            list(APPEND environment STRATA_TOPO=node:${count})
        endif()
        add_test(NAME "${test}" COMMAND ${MPIEXEC_EXECUTABLE} ${strata_mpirun} -n ${count}
                                        $<TARGET_FILE:${target}> ${arguments})
        set_tests_properties("${test}" PROPERTIES TIMEOUT ${timeout} PROCESSORS ${processors} LABELS mpi
                             ENVIRONMENT "${strata_test_environment};${environment}")
        if(strata_long_line OR (most AND count LESS most) OR count STREQUAL "${repeated}")
            strata_long("${test}")
        else()
            strata_mpi_long("${test}" ${count} ${smallest})
        endif()
    endforeach()
endfunction()

# strata_mpi_words(VARIABLE RUN): the words of a "run:" line. MPI_COPIES_TWICE stands for settings of the MPI.
function(strata_mpi_words variable run)
    string(REPLACE "MPI_COPIES_TWICE" "${STRATA_MPI_COPIES_TWICE}" run "${run}")
    separate_arguments(run UNIX_COMMAND "${run}")
    set(${variable} ${run} PARENT_SCOPE)
endfunction()

# strata_mpi_tests(SOURCE...): adds tests for each "run:" line of a program's opening comment. The line "sanitized:
# long" there leaves them to the long form with sanitizers. A line "long:" is a run of the long form, without
# sanitizers.
function(strata_mpi_tests)
    set(most_ranks ${strata_most_ranks})
    strata_test_programs(mpi ${ARGN})
    target_link_libraries(mpi_tests INTERFACE OpenMP::OpenMP_C)
    foreach(source ${strata_programs})
        cmake_path(GET source STEM name)
        string(REGEX REPLACE "^test_" "" short ${name})
        strata_test_header(${source} timeout timeout)
        if(NOT timeout)
            set(timeout 120)
        endif()
        strata_test_header(${source} run runs)
        if(NOT runs)
            message(FATAL_ERROR "${source}: its opening comment has no line \"run: RANKS\"")
        endif()
        string(REGEX REPLACE "^([0-9]+)[^;]*" "\\1" smallest "${runs}")
        string(REGEX REPLACE ";([0-9]+)[^;]*" ";\\1" smallest "${smallest}")
        list(SORT smallest COMPARE NATURAL)
        list(GET smallest 0 smallest)
        strata_test_header(${source} sanitized sanitized)
        set(strata_most_ranks ${most_ranks})
        if(STRATA_SANITIZE AND sanitized STREQUAL "long")
            set(strata_most_ranks 0)
            set(smallest 0)
        endif()
        set(strata_leaves_repeated OFF)
        if(STRATA_MPI STREQUAL "openmpi" AND NOT STRATA_SANITIZE AND NOT sanitized STREQUAL "long")
            strata_mpi_has_others(strata_leaves_repeated ${runs})
        endif()
        foreach(run IN LISTS runs)
            strata_mpi_words(run "${run}")
            strata_mpi_run(${short} mpi_${name} ${timeout} ${smallest} ${run})
        endforeach()
        strata_test_header(${source} long long)
        if(long AND NOT STRATA_SANITIZE)
            set(strata_long_line ON)
            foreach(run IN LISTS long)
                strata_mpi_words(run "${run}")
                strata_mpi_run(${short} mpi_${name} ${timeout} ${smallest} ${run})
            endforeach()
            set(strata_long_line OFF)
        endif()
    endforeach()
endfunction()

# strata_launched_test(NAME TARGET CODE PATTERNS RANKS ENVIRONMENT ARGUMENT...): adds the test "FOLDER/NAME", with the
# label FOLDER, for the folder that calls this function. It starts a program as users do, and tests/expect.sh judges the
# output.
function(strata_launched_test name target code patterns ranks environment)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    set(launcher ${MPIEXEC_EXECUTABLE} ${strata_mpirun})
    if(code)
        list(APPEND launcher ${strata_ends_at_once})
    endif()
    add_test(NAME "${folder}/${name}" COMMAND ${PROJECT_SOURCE_DIR}/tests/expect.sh ${code} "${patterns}"
                                              ${launcher} -n ${ranks} $<TARGET_FILE:${target}> ${ARGN})
    strata_mpi_processors(${ranks} processors)
    set_tests_properties("${folder}/${name}" PROPERTIES TIMEOUT 120 PROCESSORS ${processors}
                         LABELS ${folder} ENVIRONMENT "${strata_test_environment};${environment}")
    strata_mpi_long("${folder}/${name}" ${ranks} 1)
    # Sanitizers see nothing of mistakes that are found early. Of the benchmark, one run through everything is enough.
    if(STRATA_SANITIZE AND (name MATCHES "finds|refuses" OR (folder STREQUAL "bench" AND NOT name MATCHES "^every")))
        strata_long("${folder}/${name}")
    endif()
endfunction()
