// Completions of shells: commands, options, and the names of machines where one is wanted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command_tree.h"
#include "machine/machine.h"

namespace headroom {

namespace {

std::vector<std::string> names_of(const std::vector<CommandTree>& commands) {
  std::vector<std::string> names;
  for (const CommandTree& each : commands) names.push_back(each.path.back());
  return names;
}

std::string machines() { return fmt::format("{}", fmt::join(machine_names(), " ")); }

// What a command's word may be beside its options.
std::string words_of(const CommandTree& command) {
  if (!command.children.empty())
    return fmt::format("{}", fmt::join(names_of(command.children), " "));
  if (command.path == std::vector<std::string>{"machine", "show"}) return machines();
  return command.path == std::vector<std::string>{"generate"} ? "man bash zsh fish" : "";
}

bool is_machine(const OptionWords& option) { return option.names.back() == "--machine"; }

void each_command(const CommandTree& command, auto&& body) {
  body(command);
  for (const CommandTree& child : command.children) each_command(child, body);
}

// In quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// Of zsh's _arguments: brackets and colons end its parts.
std::string for_arguments(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':') result += '\\';
    result += c;
  }
  return result;
}

std::string zsh_argument(const OptionWords& option, const std::string& name) {
  std::string spec = fmt::format("{}[{}]", name, for_arguments(option.about));
  if (!option.value.empty())
    spec += fmt::format(":{}:{}", for_arguments(option.value),
                        is_machine(option)                 ? "(" + machines() + ")"
                        : option.value.starts_with("FILE") ? "_files"
                                                           : " ");
  return in_quotes(spec);
}

// The body of a command, whose words zsh has in $line.
std::string zsh_command(const CommandTree& command) {
  std::string text = "_arguments -C";
  for (const OptionWords& option : command.options)
    for (const std::string& name : option.names) text += " \\\n  " + zsh_argument(option, name);
  if (command.children.empty()) {
    const std::string words = words_of(command);
    text +=
        " \\\n  " + in_quotes("*:word:" + (words.empty() ? "_files" : "(" + words + ")")) + "\n";
    return text;
  }
  std::string choices, branches;
  for (const CommandTree& child : command.children) {
    choices += fmt::format(" {}\\:{}", child.path.back(), in_quotes(for_arguments(child.about)));
    branches += fmt::format("{})\n{};;\n", child.path.back(), zsh_command(child));
  }
  return text + fmt::format(
                    " \\\n  \"1:command:(({}))\" '*::rest:->rest'\n"
                    "[[ $state == rest ]] && case $line[1] in\n{}esac\n",
                    choices.substr(1), branches);
}

std::string fish_option(const OptionWords& option, const std::string& condition) {
  std::string text = "complete -c headroom -n " + in_quotes(condition);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  if (is_machine(option))
    text += " -x -a " + in_quotes(machines());
  else if (!option.value.empty())
    text += option.value.starts_with("FILE") ? " -r -F" : " -x";
  return text + " -d " + in_quotes(option.about) + "\n";
}

// When a command's own words may follow.
std::string fish_condition(const CommandTree& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  std::string condition;
  for (const std::string& word : command.path)
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  if (!command.children.empty())
    condition += fmt::format("; and not __fish_seen_subcommand_from {}",
                             fmt::join(names_of(command.children), " "));
  return condition;
}

}  // namespace

std::string draw_bash_completion(const CommandTree& headroom) {
  std::vector<std::string> paths, values;
  std::string words;
  each_command(headroom, [&](const CommandTree& command) {
    const std::string path = fmt::format("{}", fmt::join(command.path, " "));
    if (!path.empty()) paths.push_back(in_quotes(path));
    std::vector<std::string> all;
    if (const std::string own = words_of(command); !own.empty()) all.push_back(own);
    for (const OptionWords& option : command.options) {
      all.insert(all.end(), option.names.begin(), option.names.end());
      if (!option.value.empty() && !is_machine(option))
        values.insert(values.end(), option.names.begin(), option.names.end());
    }
    words += fmt::format("    {}) words={} ;;\n", in_quotes(path),
                         in_quotes(fmt::format("{}", fmt::join(all, " "))));
  });
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return fmt::format(R"(# bash completion of headroom: files where it knows nothing better.
_headroom() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} path= words= each
  COMPREPLY=()
  for each in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    [[ $each == -- ]] && return
    case "${{path:+$path }}$each" in
    {})
      path="${{path:+$path }}$each" ;;
    esac
  done
  case $before in
    --machine) COMPREPLY=($(compgen -W '{}' -- "$word")); return ;;
    {}) return ;;
  esac
  case $path in
{}  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _headroom headroom
)",
                     fmt::join(paths, "|"), machines(), fmt::join(values, "|"), words);
}

std::string draw_zsh_completion(const CommandTree& headroom) {
  return "#compdef headroom\n_headroom() {\nlocal context state state_descr\nlocal -a line\n" +
         zsh_command(headroom) + "}\n_headroom \"$@\"\n";
}

std::string draw_fish_completion(const CommandTree& headroom) {
  std::string text = "# fish completion of headroom\n";
  each_command(headroom, [&](const CommandTree& command) {
    const std::string condition = fish_condition(command);
    for (const CommandTree& child : command.children)
      text += fmt::format("complete -c headroom -n {} -f -a {} -d {}\n", in_quotes(condition),
                          child.path.back(), in_quotes(child.about));
    if (command.children.empty() && !words_of(command).empty())
      text += fmt::format("complete -c headroom -n {} -a {}\n", in_quotes(condition),
                          in_quotes(words_of(command)));
    for (const OptionWords& option : command.options) text += fish_option(option, condition);
  });
  return text;
}

}  // namespace headroom
