# The files that a system keeps beside the programs (docs/packaging.md): completion for bash and zsh, an environment
# module, and manual pages, which are made from the public header and from the output of the command. A build for
# another processor cannot run the command, so it has no pages.
install(FILES packaging/completion/strata.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME strata
        COMPONENT pages)
install(FILES packaging/completion/_strata DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT pages)
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX BASE_DIRECTORY ${CMAKE_INSTALL_FULL_DATADIR}/modulefiles/strata
           OUTPUT_VARIABLE prefix)
configure_file(packaging/modulefile.in modulefile @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/modulefile DESTINATION ${CMAKE_INSTALL_DATADIR}/modulefiles/strata RENAME ${PROJECT_VERSION}
        COMPONENT pages)

if(NOT CMAKE_CROSSCOMPILING)
    file(GLOB scripts CONFIGURE_DEPENDS packaging/man/*)
    add_custom_command(OUTPUT man.made DEPENDS strata_tool ${scripts} include/strata.h VERBATIM
                       COMMAND ${PROJECT_SOURCE_DIR}/packaging/man/pages.sh $<TARGET_FILE:strata_tool>
                               ${PROJECT_SOURCE_DIR}/include/strata.h ${PROJECT_VERSION} ${PROJECT_BINARY_DIR}/man
                       COMMAND ${CMAKE_COMMAND} -E touch man.made)
    add_custom_target(pages ALL DEPENDS man.made)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ TYPE MAN COMPONENT pages)
endif()
