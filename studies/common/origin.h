// Where figures come from: the driver, the date and the command line that made them, for files of results.
//
//   driver()                    "580.159.04"; "for CUDA 13.0" where the system does not say more
//   today()                     "2026-11-22", UTC
//   command_line(argc, argv)    "transfer --json transfer.json": the program and files without folders
#pragma once
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>

#include "studies/common/check.h"

namespace study {

// The first line of a file, such as the system keeps on devices; nothing where there is none.
inline std::string line_of(const std::string& path) {
  char line[256] = "";
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    if (!std::fgets(line, sizeof line, file)) line[0] = 0;
    std::fclose(file);
  }
  line[std::strcspn(line, "\n")] = 0;
  return line;
}

inline std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// `hardware`: the process uses a driver; one that lies idle on the system says nothing of figures.
inline std::string driver(bool hardware) {
  const std::string said = hardware ? line_of("/sys/module/nvidia/version") : "";
  if (!said.empty()) return said;
  int version = 0;
  CHECK(cudaDriverGetVersion(&version));
  return "for CUDA " + cuda_version(version);
}

inline std::string today() {
  char date[32];
  const std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  return date;
}

inline std::string command_line(int argc, char** argv) {
  std::string line;
  for (int i = 0; i < argc; ++i) {
    const char* slash = std::strrchr(argv[i], '/');
    line += std::string(i ? " " : "") + (slash ? slash + 1 : argv[i]);
  }
  return line;
}

}  // namespace study
