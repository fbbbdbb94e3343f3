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

# Two nodes of two ranks and one: at least a message each way; nine blocks of 64 bytes, of which four go
# to the other node.
expect_number(GREATER_EQUAL 2 benchmarks 0 messages_between)
expect_number(GREATER_EQUAL 256 benchmarks 0 bytes_between)
expect_number(GREATER 0 benchmarks 0 copies_per_byte)
string(JSON label GET "${text}" benchmarks 0 label)
if(NOT label MATCHES "^leaders:leaders=")
    message(FATAL_ERROR "label ${label}")
endif()
if(NOT csv MATCHES "name,iterations,real_time.*\"alltoallv/uniform/64/leaders[^\n]*\"leaders:leaders=")
    message(FATAL_ERROR "CSV: ${csv}")
endif()
