# Checks that no two headers of src/ define types of the same name: the linker would silently take the
# functions of one for the other's. Run: cmake -P cmake/check_type_names.cmake
get_filename_component(src "${CMAKE_CURRENT_LIST_DIR}/../src" ABSOLUTE)
file(GLOB_RECURSE headers ${src}/*.hpp)
foreach(header ${headers})
  file(STRINGS ${header} definitions REGEX "^(struct|class|enum class) [A-Za-z0-9_]+( final)?( :.*)? {")
  foreach(definition ${definitions})
    string(REGEX REPLACE "^(struct|class|enum class) ([A-Za-z0-9_]+).*" "\\2" name "${definition}")
    if(DEFINED defined_${name})
      message(SEND_ERROR "${header}: ${name} is defined in ${defined_${name}} as well")
    endif()
    set(defined_${name} ${header})
  endforeach()
endforeach()
