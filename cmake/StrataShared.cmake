# strata_shared: the library that is installed, with the name of its MPI. It exports the symbols of api/symbols.map. A
# program that links it also compiles and links with MPI, because strata.h includes mpi.h, but without MPI's old classes
# for C++, whose library not every MPI has. Programs need not know hwloc and OpenMP.
add_library(strata_shared SHARED ${objects})
set(symbols ${PROJECT_SOURCE_DIR}/api/symbols.map)
set_target_properties(strata_shared PROPERTIES OUTPUT_NAME strata_${STRATA_MPI_NAME} EXPORT_NAME ${STRATA_MPI_NAME}
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${symbols})
# Its own calls of these names stay in it: the recorder stands before those of the program. Functions of comparison are
# known by their addresses.
set(compared ${PROJECT_SOURCE_DIR}/api/compared.list)
target_link_options(strata_shared PRIVATE -Wl,--version-script=${symbols} -Wl,--dynamic-list=${compared})
set_property(TARGET strata_shared APPEND PROPERTY LINK_DEPENDS ${compared})
target_include_directories(strata_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_include_directories(strata_shared SYSTEM INTERFACE ${MPI_C_INCLUDE_DIRS})
target_compile_options(strata_shared INTERFACE ${MPI_C_COMPILE_OPTIONS})
target_compile_definitions(strata_shared INTERFACE ${MPI_C_COMPILE_DEFINITIONS}
                           $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX> $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX>)
target_link_libraries(strata_shared PRIVATE strata_product_flags strata_system INTERFACE ${MPI_C_LIBRARIES})

# strata_check_shared: the checker. The library of the same version loads it where STRATA_CHECK asks for proofs. It has
# its own copy of the functions of libstrata that it needs, none of which knows MPI, and exports one function.
add_library(strata_check_shared SHARED $<TARGET_OBJECTS:strata_check>)
set(symbols ${PROJECT_SOURCE_DIR}/core/check/symbols.map)
set_target_properties(strata_check_shared PROPERTIES OUTPUT_NAME strata_check_${STRATA_MPI_NAME} VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION} LINK_DEPENDS ${symbols} LINKER_LANGUAGE C)
target_link_options(strata_check_shared PRIVATE -Wl,--version-script=${symbols})
target_link_libraries(strata_check_shared PRIVATE strata_product_flags $<TARGET_FILE:strata>)
add_dependencies(strata_check_shared strata)
add_dependencies(strata_shared strata_check_shared) # the library looks for the checker beside itself
