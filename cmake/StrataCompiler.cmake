# strata_flags: how our own code is compiled. Interface target, linked privately everywhere.
add_library(strata_flags INTERFACE)
target_compile_options(
    strata_flags INTERFACE -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual
                           $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(STRATA_WERROR)
    target_compile_options(strata_flags INTERFACE -Werror)
endif()

set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g") # assertions stay
if(STRATA_SANITIZE)
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
    target_compile_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE}
                                                  -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE})
    if(STRATA_SANITIZE STREQUAL "thread")
        target_compile_options(strata_flags INTERFACE -Wno-tsan) # it does not see fences; bells have them
    endif()
endif()

# strata_product_flags: likewise, for what is installed. It names no folder of the machine that it was built on.
add_library(strata_product_flags INTERFACE)
target_link_libraries(strata_product_flags INTERFACE strata_flags)
target_compile_options(strata_product_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
