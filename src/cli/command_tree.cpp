#include "cli/command_tree.h"

namespace headroom {

namespace {

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  for (const std::string& name : option.get_snames()) words.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.names.push_back("--" + name);
  if (option.get_positional()) words.names = {option.get_name()};
  if (!option.get_positional() && option.get_items_expected_max() > 0)
    words.value = option.get_type_name();
  words.about = option.get_description();
  return words;
}

// Our usage, without the word and the line break around it; CLI11 has none of what has commands.
std::string usage_of(const CLI::App& app, const std::vector<std::string>& path) {
  const auto formatter = std::dynamic_pointer_cast<CLI::Formatter>(app.get_formatter());
  std::string usage = formatter ? formatter->make_usage(&app, "") : "";
  constexpr std::string_view word = "Usage: ";
  if (const size_t at = usage.find(word); at != usage.npos) {
    usage.erase(0, at + word.size());
    usage.erase(usage.find_last_not_of('\n') + 1);
    return usage;
  }
  usage = "headroom";
  for (const std::string& name : path) usage += " " + name;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) usage += " " + option->get_name();
  return usage + (app.get_subcommands(nullptr).empty() ? "" : " COMMAND");
}

CommandTree tree_of(const CLI::App& app, std::vector<std::string> path) {
  CommandTree tree{std::move(path), "", app.get_description(), {}, {}, {}};
  tree.usage = usage_of(app, tree.path);
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? tree.positionals : tree.options).push_back(words_of(*option));
  for (const CLI::App* child : app.get_subcommands(nullptr)) {
    std::vector<std::string> below = tree.path;
    below.push_back(child->get_name());
    tree.children.push_back(tree_of(*child, std::move(below)));
  }
  return tree;
}

}  // namespace

CommandTree command_tree(const CLI::App& app) { return tree_of(app, {}); }

}  // namespace headroom
