// Which golden files have an instruction of each form, and the forms that are listed instead.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace headroom::golden {

std::map<std::string, std::set<std::string>> met_forms(const std::filesystem::path& folder);   // a form's text -> names of files, without .ptx
std::map<std::string, std::string> listed_forms(const std::filesystem::path& list);            // a form's text -> the reason, if there is one

}  // namespace headroom::golden
