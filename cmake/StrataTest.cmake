# Functions that turn test files into programs and ctest tests.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
find_package(PkgConfig REQUIRED)
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)

# Leaks are errors everywhere. Those of the MPI libraries are named in lsan.supp by functions far up
# the stack, which only the slow way of walking it finds: so only programs of MPI pay for it.
set(strata_sanitizer_environment "ASAN_OPTIONS=detect_leaks=1" "UBSAN_OPTIONS=print_stacktrace=1")
set(strata_test_environment
    "ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0" "UBSAN_OPTIONS=print_stacktrace=1"
    "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/lsan.supp:print_suppressions=0")

# strata_test_programs(AREA SOURCE...): the files test_*.c are programs, the others belong to all of
# them.
function(strata_test_programs area)
    set(programs ${ARGN})
    set(shared ${ARGN})
    list(FILTER programs INCLUDE REGEX "/test_[^/]*\\.c$")
    list(FILTER shared EXCLUDE REGEX "/test_[^/]*\\.c$")
    add_library(${area}_tests INTERFACE)
    target_include_directories(${area}_tests INTERFACE ${PROJECT_SOURCE_DIR})
    target_link_libraries(${area}_tests INTERFACE strata_flags strata_simulation strata PkgConfig::cmocka)
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

# strata_unit_tests(AREA SOURCE...): each program is one test, "AREA/name". What is the same with every
# MPI has the label "unit".
function(strata_unit_tests area)
    strata_test_programs(${area} ${ARGN})
    foreach(source ${strata_programs})
        cmake_path(GET source STEM name)
        string(REGEX REPLACE "^test_" "" short ${name})
        strata_test_header(${source} timeout timeout)
        if(NOT timeout)
            set(timeout 120)
        endif()
        add_test(NAME ${area}/${short} COMMAND ${area}_${name})
        if(name MATCHES "_mpi$")
            set(label mpi)
            set(environment "${strata_test_environment}")
        else()
            set(label unit)
            set(environment "${strata_sanitizer_environment}")
        endif()
        set_tests_properties(${area}/${short} PROPERTIES TIMEOUT ${timeout} LABELS ${label}
                                              ENVIRONMENT "${environment}")
    endforeach()
endfunction()

# How mpirun is called: as root, with more ranks than cores, in ranks that let each other run.
set(strata_mpirun_openmpi --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
set(strata_mpirun_mpich)
list(APPEND strata_test_environment OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1
     OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)

# strata_mpi_run(NAME TARGET TIMEOUT RANKS VARIABLE=VALUE... -- ARGUMENT...): one test for each rank
# count. ctest caps PROCESSORS at its own -j, so a test with as many ranks as that runs alone:
# crowded ranks that spin would make its neighbours time out.
function(strata_mpi_run name target timeout ranks)
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
    foreach(count ${counts})
        string(STRIP "mpi/${name} ${count} ${rest}" test)
        add_test(NAME "${test}" COMMAND ${MPIEXEC_EXECUTABLE} ${strata_mpirun_${STRATA_MPI}}
                                        -n ${count} $<TARGET_FILE:${target}> ${arguments})
        set_tests_properties("${test}" PROPERTIES TIMEOUT ${timeout} PROCESSORS ${count} LABELS mpi
                             ENVIRONMENT "${strata_test_environment};${environment}")
    endforeach()
endfunction()

# strata_mpi_tests(SOURCE...): one test for each "run:" line of a program's opening comment.
function(strata_mpi_tests)
    strata_test_programs(mpi ${ARGN})
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
        foreach(run IN LISTS runs)
            separate_arguments(run UNIX_COMMAND "${run}")
            strata_mpi_run(${short} mpi_${name} ${timeout} ${run})
        endforeach()
    endforeach()
endfunction()

# strata_launched_test(NAME TARGET CODE PATTERNS RANKS ENVIRONMENT ARGUMENT...): a program as users start
# it, judged by tests/expect.sh; the test "FOLDER/NAME", labelled FOLDER, for the folder that calls this.
# Open MPI gives ranks two seconds to end once one has failed; where that is expected, none.
function(strata_launched_test name target code patterns ranks environment)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    set(launcher ${MPIEXEC_EXECUTABLE} ${strata_mpirun_${STRATA_MPI}})
    if(code AND STRATA_MPI STREQUAL "openmpi")
        list(APPEND launcher --mca odls_base_sigkill_timeout 0)
    endif()
    add_test(NAME "${folder}/${name}"
             COMMAND ${PROJECT_SOURCE_DIR}/tests/expect.sh ${code} "${patterns}" ${launcher}
                     -n ${ranks} $<TARGET_FILE:${target}> ${ARGN})
    set_tests_properties("${folder}/${name}" PROPERTIES TIMEOUT 120 PROCESSORS ${ranks}
                         LABELS ${folder} ENVIRONMENT "${strata_test_environment};${environment}")
endfunction()
