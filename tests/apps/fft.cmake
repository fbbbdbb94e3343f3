# fft: NAS FT and round trips. apps/fft is left out where FFTW is not there.
if(NOT TARGET fft)
    return()
endif()

# All exchanges in turn, packed and by datatypes: every one is verified.
string(CONCAT verified "VERIFICATION SUCCESSFUL .strata, pack.@"
              "VERIFICATION SUCCESSFUL .mpi, datatype.@!FAILED@!of 6, ms")
function(fft_test ranks topology)
    string(REPLACE ";" " " words "${ARGN}")
    strata_launched_test("fft ${ranks} ${topology} ${words}" fft 0 "${verified}" ${ranks}
             "STRATA_TOPO=${topology}" --exchange both --transpose both ${ARGN})
endfunction()

# With sanitizers a rank costs the better part of a second. Whatever runs the same code on fewer ranks, or
# on data of another size only, is left to the other builds: `plainly` says which.
if(STRATA_SANITIZE)
    set(plainly OFF)
    message(STATUS "fft: 13 tests that show sanitizers nothing new are left to the other builds")
else()
    set(plainly ON)
endif()

fft_test(2 node:2)
fft_test(3 node:2 --grid 1x3 --threads 2)
fft_test(4 node:2:cyclic --grid 2x2)
fft_test(4 node:2 --grid 2x2 --calls nonblocking)
fft_test(3 node:1 --memory mapped)
fft_test(3 node:2 --calls persistent --exchange all)
if(plainly)
    fft_test(1 "")
    fft_test(6 node:3,2,1 --grid 2x3)
    fft_test(2 node:2 --class W)
    strata_launched_test("fft 9 node:4,3,2 --grid 3x3" fft 0 "SUCCESSFUL .strata, pack@SUCCESSFUL .strata, dat" 9
             STRATA_TOPO=node:4,3,2 --grid 3x3 --transpose both)
    fft_test(8 node:3:cyclic --size 4x4x2 --grid 2x4)
    fft_test(6 node:4,2 --size 17x3x40 --grid 3x2 --calls nonblocking)
    strata_long("apps/fft 6 node:3,2,1 --grid 2x3")
    strata_long("apps/fft 8 node:3:cyclic --size 4x4x2 --grid 2x4")
    foreach(calls nonblocking persistent)
        foreach(ranks RANGE 1 9)
            fft_test(${ranks} node:2 --class S --calls ${calls})
            strata_long("apps/fft ${ranks} node:2 --class S --calls ${calls}")
        endforeach()
    endforeach()
    set(forms blocking nonblocking persistent)
    foreach(ranks RANGE 1 9) # in turn, half a minute each; tests/fft_classes.sh has all with all
        math(EXPR turn "${ranks} % 3")
        list(GET forms ${turn} calls)
        fft_test(${ranks} node:2 --class A --calls ${calls})
        strata_long("apps/fft ${ranks} node:2 --class A --calls ${calls}")
        set_tests_properties("apps/fft ${ranks} node:2 --class A --calls ${calls}" PROPERTIES TIMEOUT 300)
    endforeach()
    strata_launched_test("fft of one element" fft 0 "VERIFICATION SUCCESSFUL@no comparison with FFTW's" 1 ""
             --size 1x1x1)
    strata_launched_test("fft of a plane" fft 0 "its definition, at four wave numbers, by [0-9.]+e-1[5-9]$" 1 ""
             --size 1x512x512)
endif()

# Any size, with what FFTW's MPI part can do where it is there.
fft_test(2 node:2 --size 13x7x5 --plan measure)
fft_test(4 node:2 --size 24x20x28 --exchange all)
fft_test(6 node:4,2 --size 17x3x40 --grid 3x2)
fft_test(5 node:3:cyclic --size 6x5x2 --grid 1x5)

# Each thread has planes of its own, as a member of Strata's collectives.
function(fft_members_test ranks topology)
    string(REPLACE ";" " " words "${ARGN}")
    strata_launched_test("fft members ${ranks} ${topology} ${words}" fft 0
             "VERIFICATION SUCCESSFUL .strata@ calls by plans, 0 by MPI@!FAILED" ${ranks}
             "STRATA_TOPO=${topology}" --mode members --threads ${ARGN})
endfunction()
fft_members_test(1 "" 3)
fft_members_test(2 node:2 2 --transpose both)
fft_members_test(3 node:2 2 --calls nonblocking)
fft_members_test(2 node:1 3 --calls persistent --transpose datatype)
fft_members_test(2 node:2 3 --size 13x17x11 --plan measure)
if(plainly)
    fft_members_test(2 node:2 2 --class W)
endif()

# The threads of a rank share its exchanges, by Strata's calls and by MPI's.
team_test(fft 2 node:2 --threads 2 --transpose both)
team_test(fft 4 node:2 --threads 2 --transpose both --grid 2x2 --calls nonblocking)
team_test(fft 2 node:1 --threads 3 --transpose both --calls persistent)

# One element in some direction: FFTW's MPI transform leaves those out.
fft_test(1 "" --size 7x1x5)
fft_test(2 node:2 --size 6x7x1 --grid 1x2)

if(FFTW_MPI_LIBRARY)
    strata_launched_test("fft by FFTW alone" fft 0 "VERIFICATION SUCCESSFUL .fftw, its own.@FFTW MPI's, every"
             2 "" --size 6x8x10 --exchange fftw)
    strata_launched_test("fft refuses FFTW and pencils" fft 2
             "^fft: --exchange 'fftw': FFTW transposes slabs only" 2 "" --grid 1x2 --exchange fftw)
else()
    strata_launched_test("fft refuses FFTW" fft 2 "^fft: --exchange 'fftw': this was built without libfftw3-mpi"
             1 "" --exchange fftw)
    strata_launched_test("fft without FFTW's MPI part" fft 0
             "fftw is absent: this was built without@no comparison with FFTW's@SUCCESSFUL" 1 ""
             --exchange all --size 8x8x8)
endif()

function(fft_refuse name ranks pattern) # before MPI has anything to do: with one MPI
    if(NOT STRATA_MPI STREQUAL "openmpi")
        return()
    endif()
    strata_launched_test("fft refuses ${name}" fft 2 "^fft: ${pattern}" ${ranks} "" ${ARGN})
endfunction()
fft_refuse("an unknown class" 1 "--class 'Q': must be S, W, A, B, C or D" --class Q)
fft_refuse("a grid of other ranks" 2 "--grid '2x2': needs 4 ranks, not 2" --grid 2x2)
fft_refuse("too many ranks" 2 "4 x 1 x 1 elements do not divide among 2 ranks" --size 4x1x1)
fft_refuse("class D on one rank" 1 "needs [0-9.]+ GiB for the 1 ranks|use more ranks" --class D)
if(plainly)
    fft_refuse("members with MPI's exchange" 1 "--mode members takes --exchange strata" --mode members --exchange both)
    fft_refuse("members with mapped memory" 1 "--mode members takes --memory private" --mode members --memory mapped)
    fft_refuse("members in pencils" 1 "--mode members takes slabs, --grid Px1" --mode members --grid 1x2)
    fft_refuse("more members than planes" 1 "8 x 8 x 2 elements do not divide among 3 members in slabs"
               --mode members --threads 3 --size 8x8x2)
    fft_refuse("an unknown mode" 1 "--mode 'threads': must be ranks, members or team" --mode threads)
    fft_refuse("what is no grid" 1 "--grid '2x': must be PxQ" --grid 2x)
    fft_refuse("too many rows" 1 "--grid '65x1': 64 x 64 x 64 elements have room for 64 rows"
               --grid 65x1)
    fft_refuse("calls of an unknown kind" 1 "--calls 'lazy': must be blocking, nonblocking or persistent"
               --calls lazy)
    fft_refuse("FFTW's transposition begun" 1
               "--exchange 'fftw': FFTW's transposition has calls that block only; --calls must be blocking"
               --exchange fftw --calls nonblocking)
    fft_refuse("class and size" 1 "--class and --size: only one" --class S --size 4x4x4)
    strata_launched_test("fft --help" fft 0 "--class S.W.A.B.C.D@--grid PxQ" 1 "" --help)
endif()

# Progress, a line for each iteration: for a person at a terminal, which `script` pretends to be.
find_program(SCRIPT_EXECUTABLE script)
if(SCRIPT_EXECUTABLE AND plainly)
    list(JOIN strata_mpirun " " options)
    add_test(NAME "apps/fft progress"
             COMMAND ${PROJECT_SOURCE_DIR}/tests/expect.sh 0 "^ +6 of 6, ms .exchange. +strata pack [0-9]"
                     ${SCRIPT_EXECUTABLE} -qec
                     "${MPIEXEC_EXECUTABLE} ${options} -n 1 $<TARGET_FILE:fft>" /dev/null)
    set_tests_properties("apps/fft progress" PROPERTIES TIMEOUT 120 LABELS apps
                         ENVIRONMENT "${strata_test_environment}")
elseif(NOT SCRIPT_EXECUTABLE)
    message(STATUS "No script (bsdutils): fft's progress on a terminal is not tested")
endif()

add_test(NAME apps/fft_json
         COMMAND ${CMAKE_COMMAND} -D "run=${MPIEXEC_EXECUTABLE};${strata_mpirun}"
                 -D program=$<TARGET_FILE:fft> -D file=${CMAKE_CURRENT_BINARY_DIR}/fft.json
                 -D "fftw=$<BOOL:${FFTW_MPI_LIBRARY}>"
                 -P ${CMAKE_CURRENT_SOURCE_DIR}/fft_json.cmake)
set_tests_properties(apps/fft_json PROPERTIES TIMEOUT 120 PROCESSORS ${processors} LABELS apps
                     ENVIRONMENT "${strata_test_environment}")

# The transform in another program.
add_executable(fft_transform_alone transform_alone.c)
target_link_libraries(fft_transform_alone PRIVATE strata_flags strata_fft)
strata_launched_test("fft's transform alone" fft_transform_alone 0 "!wrong" 5 STRATA_TOPO=node:2)
if(NOT STRATA_SANITIZE) # which adds names of its own
    add_test(NAME "apps/fft's names" COMMAND ${PROJECT_SOURCE_DIR}/tests/expect.sh 0 " T fft_create$@! [A-Z] ([^f]|f[^f]|ff[^t]|fft[^_])"
                                             nm --extern-only --defined-only $<TARGET_FILE:strata_fft>)
    set_tests_properties("apps/fft's names" PROPERTIES TIMEOUT 60 LABELS apps)
endif()

# The verification itself is tested: an exchange that goes wrong must be found out.
add_executable(fft_faulty $<TARGET_OBJECTS:fft> faulty_transpose.c)
target_include_directories(fft_faulty PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(fft_faulty PRIVATE strata_flags strata_fft)
target_link_options(fft_faulty PRIVATE -Wl,--wrap=strata_alltoallv -Wl,--wrap=strata_alltoallw
                    -Wl,--wrap=strata_ialltoallv -Wl,--wrap=strata_ialltoallw)
string(CONCAT found "VERIFICATION FAILED .strata, pack.@VERIFICATION FAILED .strata, datatype.@"
              "VERIFICATION SUCCESSFUL .mpi, pack.@VERIFICATION SUCCESSFUL .mpi, datatype.")
foreach(fault nothing altered)
    strata_launched_test("fft finds ${fault}" fft_faulty 1 "${found}" 2 "FAULT=${fault}" --exchange both
             --transpose both)
endforeach()
strata_launched_test("fft finds nothing begun" fft_faulty 1 "${found}" 2 FAULT=nothing --exchange both
         --transpose both --calls nonblocking --size 9x8x7)
strata_launched_test("fft finds nothing among members" fft_faulty 1 "VERIFICATION FAILED .strata, pack." 2 FAULT=nothing
         --mode members --threads 2)
strata_launched_test("fft finds altered in a round trip" fft_faulty 1 "${found}" 4 FAULT=altered --exchange both
         --transpose both --size 9x8x7 --grid 2x2)
if(plainly)
    strata_launched_test("fft_faulty without a fault" fft_faulty 0 "${verified}" 2 "" --exchange both
             --transpose both --size 9x8x7)
endif()

# Strata's own exchanges where cost would leave them to MPI: through leaders, and by datatypes.
string(CONCAT forced "leaders.*.forced by@VERIFICATION SUCCESSFUL .strata, pack.@!FAILED")
strata_launched_test("fft through leaders" fft 0 "${forced}" 4
         "STRATA_TOPO=node:3,1;STRATA_ALLTOALLV=leaders;STRATA_THRESHOLD=1M" --size 12x9x10 --grid 2x2)
string(CONCAT forced "pairwise.*.forced by@9 calls by plans, 0 by MPI@!FAILED@"
              "VERIFICATION SUCCESSFUL .strata, datatype.")
strata_launched_test("fft by datatypes through plans" fft 0 "${forced}" 6
         "STRATA_TOPO=node:2;STRATA_ALLTOALLW=pairwise" --grid 2x3 --transpose datatype)
