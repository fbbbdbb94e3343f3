# Runs is_sort with --json and reads the file back with CMake's own JSON parser.
# Given: run (launcher and its options), program, file.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND ${run} -n 2 ${program} --class S --exchange both --repeat 3 --json ${file}
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(READ ${file} text)

include(${CMAKE_CURRENT_LIST_DIR}/../json.cmake)

expect(S class)
expect(65536 keys)
expect(2 ranks)
expect(3 runs)
foreach(index 0 1)
    expect(150 results ${index} tests_passed)
    expect(ON results ${index} verified)
    foreach(part compute allreduce exchange total)
        string(JSON length LENGTH "${text}" results ${index} ${part}_seconds)
        if(NOT length EQUAL 3)
            message(FATAL_ERROR "${part}_seconds has ${length} values")
        endif()
    endforeach()
endforeach()
expect(strata results 0 exchange)
expect(mpi results 1 exchange)
string(JSON ratio GET "${text}" exchange_ratio_mpi_to_strata)
if(NOT ratio GREATER 0)
    message(FATAL_ERROR "ratio ${ratio}")
endif()
