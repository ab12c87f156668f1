#include "device/linker.h"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>

#include "device/machine_code.h"
#include "ptx/link.h"
#include "sim/system_calls.h"

namespace headroom::device {
namespace {

struct Linkers {
  std::mutex guard;
  std::unordered_map<const void*, std::unique_ptr<Linker>> all;
};
Linkers& linkers() {
  static auto& held = *new Linkers;  // destructors of the program may still ask
  return held;
}

Status fails(Linker& linker, Status status, const std::string& why) {
  linker.errors += why + "\n";
  return status;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

// As code for the machine, or, where it runs PTX alone, as it is.
Status add_ptx(Session& session, Linker& linker, const Input& input) {
  const std::string text = text_of(input.bytes);
  if (!tries_machine_code(session)) {
    try {
      linker.modules.push_back(ptx::parse(text, input.name));
    } catch (const Error& error) {
      return fails(linker, Status::invalid_ptx, error.what());
    }
    return Status::ok;
  }
  std::string complaint;
  auto code = assemble_part(text, session.machine.cc(), linker.options, complaint);
  if (!code) return fails(linker, Status::invalid_ptx, complaint);
  linker.parts.push_back({input.name + ".cubin", std::move(*code)});
  return Status::ok;
}

}  // namespace

Linker& make_linker(Session&, std::string options) {
  auto made = std::make_unique<Linker>();
  made->options = std::move(options);
  Linker& linker = *made;
  const std::lock_guard hold(linkers().guard);
  linkers().all.emplace(&linker, std::move(made));
  return linker;
}

Linker* find_linker(Session&, const void* handle) {
  const std::lock_guard hold(linkers().guard);
  const auto found = linkers().all.find(handle);
  return found == linkers().all.end() ? nullptr : found->second.get();
}

void destroy(Session&, Linker& linker) {
  const std::lock_guard hold(linkers().guard);
  linkers().all.erase(&linker);
}

Status add(Session& session, Linker& linker, Input input) {
  constexpr std::array endings = {".cubin", ".ptx", ".fatbin", ".o", ".a"};
  if (input.kind < Input::cubin || input.kind > Input::library) return Status::invalid_value;
  if (input.kind == Input::ptx) return add_ptx(session, linker, input);
  linker.parts.push_back({input.name + endings[size_t(input.kind)], std::move(input.bytes)});
  return Status::ok;
}

Status complete(Session& session, Linker& linker) {
  if (linker.parts.empty() && linker.modules.empty())
    return fails(linker, Status::invalid_value, "there is nothing to link");
  if (!tries_machine_code(session)) {
    if (!linker.parts.empty())
      throw Failure{Status::not_supported,
                    Error{linker.parts.front().name, "machine code is linked, and PTX alone is run",
                          "link PTX, or leave out --engine ptx on a machine of sm_75 to sm_90"}};
    try {
      const ptx::Module module = ptx::link(std::move(linker.modules), "linked");
      std::set<std::string_view> defined;
      for (const ptx::Function& function : module.functions)
        if (function.defined) defined.insert(function.name);
      for (const ptx::Function& function : module.functions)
        if (!defined.contains(function.name) && !sim::system_named(function.name))
          fails(linker, Status::invalid_image, "Undefined reference to '" + function.name + "'");
      if (!linker.errors.empty()) return Status::invalid_image;
      const std::string text = ptx::print(module);
      const auto bytes = std::as_bytes(std::span(text.c_str(), text.size() + 1));
      linker.code.assign(bytes.begin(), bytes.end());
    } catch (const Error& error) {
      return fails(linker, Status::invalid_image, error.what());
    }
    return Status::ok;
  }
  std::string complaint;
  auto code = link_parts(linker.parts, session.machine.cc(), complaint);
  if (!code) return fails(linker, Status::invalid_image, complaint);
  linker.code = std::move(*code);
  return Status::ok;
}

}  // namespace headroom::device
