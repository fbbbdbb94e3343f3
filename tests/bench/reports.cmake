# Runs strata_bench with its reports as JSON and CSV at once, and reads them back: the JSON with CMake's
# own parser. Given: run (launcher and its options), program, folder.
cmake_minimum_required(VERSION 3.25)
set(cases --collective alltoallv,barrier --pattern equal,uniform --bytes 64 --algorithm leaders,dissemination
          --batches 3 --seconds 0.0001)
execute_process(COMMAND ${run} -n 3 ${program} ${cases} --benchmark_format=csv
                        --benchmark_out=${folder}/bench.json
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE csv)
file(READ ${folder}/bench.json text)

include(${CMAKE_CURRENT_LIST_DIR}/../json.cmake)

# expect_number(CONDITION VALUE KEY...)
function(expect_number condition value)
    string(JSON found GET "${text}" ${ARGN})
    if(NOT found ${condition} value)
        message(FATAL_ERROR "${ARGN}: expected ${condition} ${value}, found ${found}")
    endif()
endfunction()

expect("3 on 2 nodes" context ranks)
string(JSON count LENGTH "${text}" benchmarks)
if(NOT count EQUAL 3)
    message(FATAL_ERROR "${count} cases, not 3")
endif()
expect(alltoallv/equal/64/leaders/iterations:3/manual_time benchmarks 0 name)
expect(alltoallv/uniform/64/leaders/iterations:3/manual_time benchmarks 1 name)
expect(barrier/equal/0/dissemination/iterations:3/manual_time benchmarks 2 name)
foreach(index 0 1 2)
    expect(us benchmarks ${index} time_unit)
    foreach(figure real_time mpi_us ratio ratio_low ratio_high same same_low same_high ours_least_us ours_most_us mpi_least_us
                   mpi_most_us calls messages_between)
        expect_number(GREATER 0 benchmarks ${index} ${figure})
    endforeach()
    expect_number(EQUAL 1 benchmarks ${index} by_plan)
    expect_number(LESS_EQUAL 1 benchmarks ${index} not_ours)
endforeach()

# Without the figures of forms that no case has.
string(JSON other ERROR_VARIABLE missing GET "${text}" benchmarks 0 hidden)
if(NOT missing)
    message(FATAL_ERROR "hidden share of a call that blocks: ${other}")
endif()

# Two nodes of two ranks and one: at least a message each way; nine blocks of 64 bytes, of which four go
# to the other node.
expect_number(GREATER_EQUAL 2 benchmarks 0 messages_between)
expect_number(GREATER_EQUAL 256 benchmarks 0 bytes_between)
expect_number(GREATER 0 benchmarks 0 copies_per_byte)
expect_number(GREATER 0 benchmarks 0 copy_us)
string(JSON label GET "${text}" benchmarks 0 label)
if(NOT label MATCHES "^leaders:leaders=")
    message(FATAL_ERROR "label ${label}")
endif()
if(NOT csv MATCHES "name,iterations,real_time.*\"alltoallv/uniform/64/leaders[^\n]*\"leaders:leaders=")
    message(FATAL_ERROR "CSV: ${csv}")
endif()

# All forms in one report: what a form does not have is 0 there, and what an MPI does not have (scatter).
execute_process(COMMAND ${run} -n 2 ${program} --form all --collective alltoallv,scatter --tests 3 --bytes 64 --batches 2
                        --seconds 0.0001 --benchmark_format=csv --benchmark_out=${folder}/bench_forms.json
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_VARIABLE csv)
file(READ ${folder}/bench_forms.json text)
expect(alltoallv/equal/64/auto/iterations:2/manual_time benchmarks 0 name)
expect(alltoallv/equal/64/auto/nonblocking/iterations:2/manual_time benchmarks 2 name)
expect(alltoallv/equal/64/auto/persistent/iterations:2/manual_time benchmarks 4 name)
expect(scatter/equal/64/auto/persistent/iterations:2/manual_time benchmarks 5 name)
foreach(figure computation_us alone_us mpi_alone_us init_us blocking_us blocking_ratio mpi_init_us mpi_persistent_us
               mpi_persistent_ratio)
    expect_number(EQUAL 0 benchmarks 0 ${figure})
endforeach()
expect_number(EQUAL 3 benchmarks 2 tests)
expect_number(EQUAL 0 benchmarks 4 tests)
foreach(figure computation_us alone_us mpi_alone_us real_time mpi_us)
    expect_number(GREATER 0 benchmarks 2 ${figure})
endforeach()
expect_number(LESS_EQUAL 1000 benchmarks 2 hidden)
foreach(figure init_us blocking_us blocking_ratio mpi_init_us mpi_persistent_us mpi_persistent_ratio real_time mpi_us)
    expect_number(GREATER 0 benchmarks 4 ${figure})
endforeach()
expect_number(GREATER_EQUAL -1 benchmarks 4 pays_after)
foreach(index 2 4)
    expect_number(EQUAL 1 benchmarks ${index} by_plan)
endforeach()
string(JSON init GET "${text}" benchmarks 5 mpi_init_us)
string(JSON start GET "${text}" benchmarks 5 mpi_persistent_us)
if(init EQUAL 0 AND NOT start EQUAL 0)
    message(FATAL_ERROR "MPI has no persistent scatter, of which a start takes ${start} us")
endif()
if(NOT csv MATCHES "name,iterations.*,\"hidden\".*\"alltoallv/equal/64/auto/persistent")
    message(FATAL_ERROR "CSV: ${csv}")
endif()
