# cmake -DFUNCTION=embedded_machines -DFOLDER=machines -DOUTPUT=embedded.cpp -P embed.cmake: every FOLDER/*.json as a
# string in one .cpp, so that the program needs no data files beside it.
file(GLOB files ${FOLDER}/*.json)
set(rows "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "    files.push_back({\"${name}\", R\"json(${text})json\"});\n")
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed.cmake.
#include <vector>

#include \"machine/embedded.h\"

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
