# strata_shared: the library that is installed, for each MPI by its name. It shows what api/symbols.map lists. Who links
# it compiles and links with MPI, which strata.h includes, but without MPI's old classes for C++, whose library not every
# MPI has. libnuma and OpenMP are its own affair.
add_library(strata_shared SHARED ${objects})
set(symbols ${PROJECT_SOURCE_DIR}/api/symbols.map)
set_target_properties(strata_shared PROPERTIES OUTPUT_NAME strata_${STRATA_MPI_NAME} EXPORT_NAME ${STRATA_MPI_NAME}
                      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${symbols})
target_link_options(strata_shared PRIVATE -Wl,--version-script=${symbols})
target_include_directories(strata_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_include_directories(strata_shared SYSTEM INTERFACE ${MPI_C_INCLUDE_DIRS})
target_compile_options(strata_shared INTERFACE ${MPI_C_COMPILE_OPTIONS})
target_compile_definitions(strata_shared INTERFACE ${MPI_C_COMPILE_DEFINITIONS}
                           $<$<COMPILE_LANGUAGE:CXX>:OMPI_SKIP_MPICXX> $<$<COMPILE_LANGUAGE:CXX>:MPICH_SKIP_MPICXX>)
target_link_libraries(strata_shared PRIVATE strata_product_flags strata_system INTERFACE ${MPI_C_LIBRARIES})
