# strata_flags: the options for the project's own code. An interface target that every target links privately.
add_library(strata_flags INTERFACE)
target_compile_options(
    strata_flags INTERFACE -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual
                           $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>)
if(STRATA_WERROR)
    target_compile_options(strata_flags INTERFACE -Werror)
endif()

set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g") # without -DNDEBUG: assertions stay
if(STRATA_SANITIZE)
    set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O1 -g1")
    target_compile_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE}
                                                  -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(strata_flags INTERFACE -fsanitize=${STRATA_SANITIZE})
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # places of variables took GCC a quarter of its time; reports name lines alone
        target_compile_options(strata_flags INTERFACE -fno-var-tracking)
    endif()
    if(STRATA_FUZZ)
        target_compile_options(strata_flags INTERFACE -fsanitize=fuzzer-no-link)
    endif()
    if(STRATA_SANITIZE STREQUAL "thread")
        target_compile_options(strata_flags INTERFACE -Wno-tsan) # the sanitizer does not see fences, which bells have
    endif()
endif()

# strata_product_flags: the options for installed files, which name no folder of the machine that built them.
add_library(strata_product_flags INTERFACE)
target_link_libraries(strata_product_flags INTERFACE strata_flags)
target_compile_options(strata_product_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=)
