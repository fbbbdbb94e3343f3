# The files that `cmake --install` installs (docs/install.md). A file for one MPI has the MPI's name, so that several
# MPIs can share a prefix. All files find each other by relative paths, so that the prefix can be moved.
install(DIRECTORY sim/platforms DESTINATION ${CMAKE_INSTALL_DATADIR}/strata)
install(TARGETS strata_tool)
if(NOT STRATA_HAVE_MPI)
    return()
endif()

install(TARGETS strata_shared EXPORT strata INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# No program links with these: they are preloaded or opened by path.
set(recorder strata_record)
if(NOT TARGET strata_record) # sanitizers
    set(recorder)
endif()
install(TARGETS strata_preload ${recorder} strata_check_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/strata NAMELINK_SKIP)
install(FILES include/strata.h TYPE INCLUDE)

# The link `strata` leads to the command of the MPI that was installed first.
install(CODE "
    set(link \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/strata\")
    set(leads_to strata.${STRATA_MPI_NAME})
    if(IS_SYMLINK \"\${link}\")
        file(READ_SYMLINK \"\${link}\" leads_to)
    endif()
    if(leads_to STREQUAL strata.${STRATA_MPI_NAME})
        file(INSTALL DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}\" TYPE FILE FILES \"${PROJECT_BINARY_DIR}/strata\")
    endif()")

# For CMake: find_package(strata COMPONENTS openmpi).
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
install(EXPORT strata NAMESPACE strata:: FILE strata-${STRATA_MPI_NAME}.cmake DESTINATION ${package})
write_basic_package_version_file(strataConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/strataConfig.cmake ${PROJECT_BINARY_DIR}/strataConfigVersion.cmake DESTINATION ${package})

# For all other build systems: pkg-config strata-openmpi.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE prefix)
set(STRATA_MPICC ${MPI_C_COMPILER})
if(MPI_C_COMPILER STREQUAL "${PROJECT_BINARY_DIR}/mpicc_abi") # made by StrataABI.cmake
    install(PROGRAMS ${MPI_C_COMPILER} ${PROJECT_BINARY_DIR}/mpicxx_abi DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/strata)
    set(STRATA_MPICC "\${prefix}/${CMAKE_INSTALL_LIBEXECDIR}/strata/mpicc_abi")
endif()
configure_file(cmake/strata.pc.in strata-${STRATA_MPI_NAME}.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/strata-${STRATA_MPI_NAME}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
