# strata_preload: the library that puts Strata under unchanged programs, one for each MPI. It has its own copy of
# libstrata and exports MPI's names alone. It links with its MPI, because Python loads MPI where no other library finds
# it.
strata_sources(preload preload)
set(fortran ${preload}) # the bindings for Fortran, which differ from MPI to MPI; the standard ABI has none
list(FILTER fortran INCLUDE REGEX "/fortran_${STRATA_MPI}(_f08)?\\.c$")
list(FILTER preload EXCLUDE REGEX "/fortran_[a-z0-9_]+\\.c$")
list(APPEND preload ${fortran})
add_library(strata_preload SHARED ${preload} ${objects})
set(symbols ${PROJECT_SOURCE_DIR}/preload/symbols.map)
set_target_properties(strata_preload PROPERTIES OUTPUT_NAME strata_preload_${STRATA_MPI_NAME} LINK_DEPENDS ${symbols})
target_include_directories(strata_preload PRIVATE ${PROJECT_SOURCE_DIR})
target_compile_definitions(strata_preload PRIVATE STRATA_PRELOAD="${STRATA_PRELOAD}")
target_compile_options(strata_preload PRIVATE -fno-plt) # a call that is passed on goes straight to MPI
target_link_libraries(strata_preload PRIVATE strata_product_flags strata_system ${CMAKE_DL_LIBS})
target_link_options(strata_preload PRIVATE -Wl,--version-script=${symbols})

# strata_record: the recorder (docs/recorder.md), which `strata run --record` preloads before strata_preload. Of libstrata
# it has what it calls. With sanitizers it would stand before their library and tests/leaks_mpi.c, so it is left out.
if(NOT STRATA_SANITIZE)
    strata_sources(record preload/record)
    list(APPEND record ${fortran} ${PROJECT_SOURCE_DIR}/preload/begin.c ${PROJECT_SOURCE_DIR}/preload/meet.c)
    add_library(strata_record SHARED ${record})
    set(symbols ${PROJECT_SOURCE_DIR}/preload/record/symbols.map)
    set_target_properties(strata_record PROPERTIES OUTPUT_NAME strata_record_${STRATA_MPI_NAME} LINK_DEPENDS ${symbols})
    target_include_directories(strata_record PRIVATE ${PROJECT_SOURCE_DIR})
    target_compile_definitions(strata_record PRIVATE STRATA_RECORDER STRATA_PRELOAD="${STRATA_RECORD}")
    target_compile_options(strata_record PRIVATE -fno-plt)
    target_link_libraries(strata_record PRIVATE strata_product_flags strata strata_system ${CMAKE_DL_LIBS})
    target_link_options(strata_record PRIVATE -Wl,--version-script=${symbols} -Wl,--exclude-libs,ALL)
    add_dependencies(strata_tool strata_record)
endif()

add_dependencies(strata_tool strata_preload) # strata run looks for the library beside the command
add_dependencies(strata_preload strata_check_shared) # the library looks for the checker beside itself
