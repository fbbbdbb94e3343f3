# What the scripts that read a program's JSON share: CMake's own parser, on the variable `text`.

# expect(VALUE KEY...): the value found there.
function(expect value)
    string(JSON found GET "${text}" ${ARGN})
    if(NOT found STREQUAL value)
        message(FATAL_ERROR "${ARGN}: expected ${value}, found ${found}")
    endif()
endfunction()
