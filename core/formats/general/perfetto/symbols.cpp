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
    std::vector<Function> functions;
    is_good &= for_each_field(symbols.bytes, [&](const Field& field) {
      if (field.number == 1) address = field.value;
      if (field.number != 2) return;
      Function function;
      is_good &= for_each_field(field.bytes, [&](const Field& line) {
        if (line.number == 1) function.name = valid_utf8(line.bytes);
        if (line.number == 2) function.file = line.bytes;
        if (line.number == 3) function.line = line.value;
      });
      if (!function.name.empty() && keep(function.name.size() + function.file.size()))
        functions.push_back(std::move(function));
    });
    if (!functions.empty()) functions_[{std::string(build_id), address}] = std::move(functions);
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

// "/data/app/com.example-1/base.apk" is of com.example; what does not say may be of any.
template <class Each>
void Symbols::for_each_class(std::string_view name, std::string_view path, const Each& each) const {
  const bool is_of_some_package = path.find("/data/app/") != std::string_view::npos;
  for (const auto& [package_name, package] : packages_) {
    const auto is_below = [&, &package_name = package_name](char mark) {
      return path.find(fmt::format("/{}{}", package_name, mark)) != std::string_view::npos;
    };
    if (is_of_some_package && !is_below('-') && !is_below('/')) continue;
    const auto found = package.find(name);
    if (found != package.end() && each(found->second)) return;
  }
}

// Of "a.f1", class and method are looked up.
std::string Symbols::name_in_source(const StackFrame& frame) const {
  const size_t dot = frame.function.rfind('.');
  if (dot == std::string::npos) return {};
  const auto class_name = std::string_view(frame.function).substr(0, dot);
  const auto method_name = std::string_view(frame.function).substr(dot + 1);
  std::string in_source;
  for_each_class(class_name, frame.path, [&](const Class& found) {
    const auto method = found.methods.find(method_name);
    const std::string_view name =
        method == found.methods.end() ? method_name : std::string_view(method->second);
    // A method that came from another class is called by its whole name.
    const bool is_whole = name.find('.') != std::string_view::npos;
    in_source = is_whole ? std::string(name) : fmt::format("{}.{}", found.name, name);
    return true;
  });
  return in_source;
}

std::string Symbols::name_of_class(std::string_view name, std::string_view path) const {
  constexpr std::string_view kClass = "java.lang.Class<", kArray = "[]";
  std::string_view element = name;
  if (element.starts_with(kClass) && element.ends_with('>')) {
    element.remove_prefix(kClass.size());
    element.remove_suffix(1);
  }
  while (element.ends_with(kArray)) element.remove_suffix(kArray.size());
  std::string in_source(name);
  const auto at = static_cast<size_t>(element.data() - name.data());
  for_each_class(element, path, [&](const Class& found) {
    in_source.replace(at, element.size(), valid_utf8(found.name));
    return true;
  });
  return in_source;
}

std::vector<Symbols::Function> Symbols::functions_of(const StackFrame& frame) const {
  const auto it = functions_.find({frame.build_id, frame.address});
  if (it != functions_.end()) return {it->second.rbegin(), it->second.rend()};
  const std::string name = name_in_source(frame);
  return {{name.empty() ? name_of(frame) : valid_utf8(name), frame.file, frame.line}};
}

}  // namespace weft::formats::perfetto
