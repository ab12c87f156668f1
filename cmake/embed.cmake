# embed(TARGET FUNCTION HEADER PATTERNS...): the files that the patterns name, seen from the root, as what FUNCTION of HEADER gives,
# so that a program needs no data files beside it:
#
#   embed(headroom_machine embedded_machines machine/embedded.h machines/*.json)
#     ->  {"machines/h200.json", "{ …"}, …
#
# The same file is the script that writes the .cpp, when it is built.
if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(pattern ${PATTERNS})
    file(GLOB files RELATIVE ${ROOT} ${ROOT}/${pattern})
    foreach(file ${files})
      file(READ ${ROOT}/${file} text)
      string(APPEND rows "    files.push_back({\"${file}\", R\"json(${text})json\"});\n")
    endforeach()
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/embed.cmake.
#include <vector>

#include \"${HEADER}\"

namespace headroom {

std::span<const EmbeddedFile> ${FUNCTION}() {
  static const std::vector<EmbeddedFile> all = [] {
    std::vector<EmbeddedFile> files;
${rows}    return files;
  }();
  return all;
}

}  // namespace headroom
")
  return()
endif()

set(EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(embed target function header)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  set(files)
  foreach(pattern ${ARGN})
    file(GLOB some CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${pattern})
    list(APPEND files ${some})
  endforeach()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} "-DPATTERNS=${ARGN}" -DHEADER=${header} -DFUNCTION=${function}
            -DOUTPUT=${output} -P ${EMBED_SCRIPT}
    DEPENDS ${files} ${EMBED_SCRIPT}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
