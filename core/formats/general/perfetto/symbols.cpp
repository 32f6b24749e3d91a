#include "core/formats/general/perfetto/symbols.h"

#include <fmt/core.h>

#include "core/base/text.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
bool Symbols::is_of(const Field& data) {
  return data.number == kModuleSymbols || data.number == kDeobfuscation;
}

bool Symbols::add(const Field& data) {
  return data.number == kModuleSymbols ? add_module(data.bytes) : add_package(data.bytes);
}

bool Symbols::keep(size_t bytes) {
  constexpr uint64_t kBytesPerEntry = 128;
  bytes_ += bytes + kBytesPerEntry;
  return bytes_ <= most_bytes_;
}

bool Symbols::add_module(std::string_view message) {
  std::string_view build_id;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 2) build_id = field.bytes;
  });
  is_good &= for_each_field(message, [&](const Field& symbols) {
    if (symbols.number != 3) return;
    uint64_t address = 0;
    std::vector<std::string> names;
    is_good &= for_each_field(symbols.bytes, [&](const Field& field) {
      if (field.number == 1) address = field.value;
      if (field.number != 2) return;
      is_good &= for_each_field(field.bytes, [&](const Field& line) {
        if (line.number == 1 && keep(line.bytes.size())) names.emplace_back(line.bytes);
      });
    });
    if (!names.empty()) functions_[{std::string(build_id), address}] = std::move(names);
  });
  return is_good && bytes_ <= most_bytes_;
}

bool Symbols::add_package(std::string_view message) {
  std::string_view name;
  bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) name = field.bytes;
  });
  Package& package = packages_[std::string(name)];
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 3) is_good &= add_class(field.bytes, package);
  });
  return is_good && bytes_ <= most_bytes_;
}

bool Symbols::add_class(std::string_view message, Package& package) {
  constexpr uint32_t kMethods = 4;
  std::string_view obfuscated;
  Class added;
  const auto add_method = [&](std::string_view method) {
    std::string_view from, to;
    const bool is_good = for_each_field(method, [&](const Field& field) {
      if (field.number == 1) from = field.bytes;
      if (field.number == 2) to = field.bytes;
    });
    if (!keep(from.size() + to.size())) return false;
    // Several of one name were told apart by their parameters alone.
    const auto [it, is_new] = added.methods.try_emplace(std::string(from), to);
    const bool is_other = !is_new && it->second != to;
    if (is_other) it->second += fmt::format(" or {}", to);
    return is_good;
  };
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) obfuscated = field.bytes;
    if (field.number == 2) added.name = field.bytes;
    if (field.number == kMethods) is_good &= add_method(field.bytes);
  });
  if (keep(obfuscated.size() + added.name.size()))
    package.insert_or_assign(std::string(obfuscated), std::move(added));
  return is_good;
}

// "a.f1" of "/data/app/com.example-1/base.apk" is looked up in com.example.
std::string Symbols::name_in_source(const StackFrame& frame) const {
  const size_t dot = frame.function.rfind('.');
  if (dot == std::string::npos) return {};
  const auto class_name = std::string_view(frame.function).substr(0, dot);
  const auto method_name = std::string_view(frame.function).substr(dot + 1);
  const bool is_of_some_package = frame.path.find("/data/app/") != std::string::npos;
  for (const auto& [package_name, package] : packages_) {
    const bool is_its_file =
        frame.path.find(fmt::format("/{}-", package_name)) != std::string::npos;
    const auto found = package.find(class_name);
    if ((is_of_some_package && !is_its_file) || found == package.end()) continue;
    const auto method = found->second.methods.find(method_name);
    const std::string_view name =
        method == found->second.methods.end() ? method_name : std::string_view(method->second);
    // A method that came from another class is called by its whole name.
    const bool is_whole = name.find('.') != std::string_view::npos;
    return is_whole ? std::string(name) : fmt::format("{}.{}", found->second.name, name);
  }
  return {};
}

std::vector<std::string> Symbols::names_of(const StackFrame& frame) const {
  const auto it = functions_.find({frame.build_id, frame.address});
  if (it != functions_.end()) {
    std::vector<std::string> names;
    for (auto name = it->second.rbegin(); name != it->second.rend(); ++name)
      names.push_back(valid_utf8(*name));
    return names;
  }
  const std::string name = name_in_source(frame);
  return {name.empty() ? name_of(frame) : valid_utf8(name)};
}

}  // namespace weft::formats::perfetto
