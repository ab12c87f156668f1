// Which golden files and programs have an instruction of each form, and the forms that are listed instead.
#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace headroom::golden {

std::map<std::string, std::set<std::string>> met_forms(
    const std::filesystem::path& folder);  // a form's text -> names of files, without .ptx
// The same for the images of programs, runtime_<name> in the folder; names that are not there are Errors.
std::map<std::string, std::set<std::string>> forms_of_programs(const std::filesystem::path& folder,
                                                               const std::set<std::string>& names);
std::map<std::string, std::string> listed_forms(
    const std::filesystem::path& list);  // a form's text -> the reason, if there is one

}  // namespace headroom::golden
