# What cmake --install installs, and where.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME gtune)
install(TARGETS gtune RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY kernels tuner_configs db DESTINATION ${CMAKE_INSTALL_DATADIR}/gtune)

# The program itself writes its manual pages and completions.
if(NOT GTUNE_SANITIZE)
  set(pages ${PROJECT_BINARY_DIR}/manual)
  set(completions ${PROJECT_BINARY_DIR}/completions)
  add_custom_command(TARGET gtune POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
    COMMAND gtune manual ${pages}
    COMMAND gzip -9nr ${pages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${completions}
    COMMAND gtune completion bash > ${completions}/gtune
    COMMAND gtune completion zsh > ${completions}/_gtune
    COMMAND gtune completion fish > ${completions}/gtune.fish
    VERBATIM)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${completions}/gtune DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${completions}/gtune.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  # Debian's zsh reads site-functions only below /usr/local; packages' completions go to vendor-completions.
  install(FILES ${completions}/_gtune DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
          COMPONENT without_package)
  install(FILES ${completions}/_gtune DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions
          COMPONENT debian EXCLUDE_FROM_ALL)
endif()
