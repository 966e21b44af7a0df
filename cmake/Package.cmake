# cpack, run in a build folder, makes a package for Debian and Ubuntu. The package needs only libc: the
# binary contains the other libraries, and opens CUDA's at run time if they are installed.
# scripts/try_in_new_root.sh bookworm deb tests it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gtune)
set(CPACK_PACKAGE_CONTACT "The authors of gtune <gtune@localhost>")  # nobody has been named yet
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Command-line autotuner for CUDA kernels")
set(CPACK_PACKAGE_DESCRIPTION
"You give the problem size; gtune compiles the kernel in every configuration
worth trying, checks each result against a reference, times it, stores
everything in SQLite, and reports the fastest tile sizes with the evidence.

Tuning on a GPU needs NVIDIA's driver and NVRTC of CUDA 12.8 or newer.
Without a GPU, gtune answers from bundled measurements of an H200.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# One package, of the files that are installed everywhere and those that only Debian needs.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL gtune debian)
set(documents ${CMAKE_INSTALL_DATADIR}/doc/gtune)
add_custom_command(OUTPUT NEWS.gz DEPENDS CHANGELOG.md
  COMMAND gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > NEWS.gz VERBATIM)
add_custom_target(gtune_news DEPENDS NEWS.gz)
add_dependencies(gtune gtune_news)
install(FILES ${PROJECT_BINARY_DIR}/NEWS.gz packaging/copyright DESTINATION ${documents}
        COMPONENT debian EXCLUDE_FROM_ALL)

include(CPack)
