#include "twin/by_architecture.h"

#include <fstream>
#include <set>

#include "base/error.h"
#include "kernel/assembler.h"

namespace headroom::golden {

int architecture_of(const std::string& text) {
  static const std::set<std::string> known = {"75", "80", "86", "89", "90"};
  if (text.empty()) return 90;
  if (!known.count(text)) throw Error{"--architecture " + text, "is none", "75, 80, 86, 89 or 90"};
  return std::stoi(text);
}

void keep_result(const std::string& path, int architecture, const nlohmann::json& result) {
  std::ifstream before(path);
  nlohmann::json all = nlohmann::json::parse(before, nullptr, false);
  if (all.is_discarded() || !all.contains("architectures")) all = nlohmann::json::object();
  std::vector<Caveat> caveats;
  const Assembler* tool = assembler(caveats);
  all["ptxas"] = tool ? tool->version : "";
  all["architectures"]["sm_" + std::to_string(architecture)] = result;
  std::ofstream(path) << all.dump(1) << "\n";
}

}  // namespace headroom::golden
