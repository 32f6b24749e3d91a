#include "core/formats/general/perfetto/symbols.h"

#include <fmt/core.h>

#include <algorithm>
#include <ranges>

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

bool Symbols::take_method(std::string_view message, std::string& obfuscated, Method& method) {
  return for_each_field(message, [&](const Field& field) {
    if (field.number == 1) obfuscated = field.bytes;
    if (field.number == 2) method.name = field.bytes;
    if (field.number == 3) method.first_line = field.value;
    if (field.number == 4) method.last_line = field.value;
    if (field.number == 5) method.source_line = field.value;
    if (field.number == 6) method.last_source_line = field.value;
  });
}

bool Symbols::add_class(std::string_view message, Package& package) {
  constexpr uint32_t kMethods = 4;
  constexpr size_t kMostOfName = 4096;
  std::string_view obfuscated;
  Class added;
  const auto add_method = [&](std::string_view bytes) {
    std::string from;
    Method method;
    const bool is_good = take_method(bytes, from, method);
    if (!keep(from.size() + method.name.size())) return false;
    std::vector<Method>& methods = added.methods[from];
    if (methods.size() >= kMostOfName) return false;
    methods.push_back(std::move(method));
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

// Of "a.f1", class and method are looked up. Several methods of one name are told apart by their
// lines; those that were told apart by their parameters alone cannot be.
void Symbols::add_in_source(Function function, std::string_view path,
                            std::vector<Function>& out) const {
  const size_t dot = function.name.rfind('.');
  if (dot == std::string::npos) return out.push_back(std::move(function));
  const auto class_name = std::string_view(function.name).substr(0, dot);
  const auto method_name = std::string_view(function.name).substr(dot + 1);
  const Class* of = nullptr;
  for_each_class(class_name, path, [&](const Class& found) { return (of = &found) != nullptr; });
  if (of == nullptr) return out.push_back(std::move(function));
  // A method that came from another class is called by its whole name.
  const auto whole_name = [&](std::string_view name) {
    const bool is_whole = name.find('.') != std::string_view::npos;
    return valid_utf8(is_whole ? std::string(name) : fmt::format("{}.{}", of->name, name));
  };
  const auto methods = of->methods.find(method_name);
  if (methods == of->methods.end()) {
    out.push_back({whole_name(method_name), function.file, function.line});
    return;
  }
  constexpr size_t kMostNames = 16;
  const size_t before = out.size();
  std::vector<std::string_view> others;
  for (const Method& method : methods->second | std::views::reverse) {
    const bool is_there = method.first_line > 0 && function.line >= method.first_line &&
                          function.line <= std::max(method.first_line, method.last_line);
    if (!is_there) {
      const bool is_new = std::ranges::find(others, method.name) == others.end();
      if (is_new && others.size() < kMostNames) others.push_back(method.name);
      continue;
    }
    const bool goes_on = method.last_source_line > method.source_line;
    out.push_back({whole_name(method.name), function.file,
                   method.source_line + (goes_on ? function.line - method.first_line : 0)});
  }
  if (out.size() > before) return;
  std::string name;
  for (const std::string_view other : others | std::views::reverse)
    name += name.empty() ? whole_name(other) : fmt::format(" or {}", valid_utf8(other));
  out.push_back({name, function.file, function.line});
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
  std::vector<Function> out;
  const auto it = functions_.find({frame.build_id, frame.address});
  if (it == functions_.end() && frame.function.empty()) {
    out.push_back({name_of(frame), frame.file, frame.line});
  } else if (it == functions_.end()) {
    add_in_source({name_of(frame), frame.file, frame.line}, frame.path, out);
  } else {
    for (const Function& function : it->second | std::views::reverse)
      add_in_source(function, frame.path, out);
  }
  return out;
}

}  // namespace weft::formats::perfetto
