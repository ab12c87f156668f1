# cmake -DROOT=folder "-DPATTERNS=studies/*/published.json" -DHEADER=lab/embedded.h -DTYPE=EmbeddedText
#       -DFUNCTION=embedded_published -DOUTPUT=x.cpp -P embed_texts.cmake
# The files of ROOT that the patterns name, each under its path from ROOT, as strings in one .cpp.
set(rows "")
foreach(pattern ${PATTERNS})
  file(GLOB files RELATIVE ${ROOT} ${ROOT}/${pattern})
  foreach(file ${files})
    file(READ ${ROOT}/${file} text)
    string(APPEND rows "    {\"${file}\", R\"json(${text})json\"},\n")
  endforeach()
endforeach()
file(WRITE ${OUTPUT} "// Written by cmake/embed_texts.cmake.
#include <vector>

#include \"${HEADER}\"

namespace headroom {

std::span<const ${TYPE}> ${FUNCTION}() {
  static const std::vector<${TYPE}> files = {
${rows}  };
  return files;
}

}  // namespace headroom
")
