# gtune_embed(TARGET FILE...): makes each text file a constant of the target.
# db/migrations/001_initial.sql becomes gtune::embedded::k_001_initial_sql in
# "embedded/001_initial.sql.hpp". The target gtune_embedded makes all these headers.
add_custom_target(gtune_embedded)
function(gtune_embed target)
  foreach(file ${ARGN})
    get_filename_component(base ${file} NAME)
    string(MAKE_C_IDENTIFIER "k_${base}" symbol)
    set(out ${PROJECT_BINARY_DIR}/generated/embedded/${base}.hpp)
    add_custom_command(
      OUTPUT ${out}
      COMMAND ${CMAKE_COMMAND} -DIN=${PROJECT_SOURCE_DIR}/${file} -DOUT=${out} -DSYMBOL=${symbol}
              -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
      COMMENT "Embedding ${file}")
    target_sources(${target} PRIVATE ${out})
    set_property(TARGET gtune_embedded APPEND PROPERTY SOURCES ${out})
  endforeach()
endfunction()
