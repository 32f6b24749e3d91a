#include "core/formats/profiles/nettrace/nettrace_stacks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/formats/base/text.h"

namespace weft::formats::nettrace {

uint64_t Stacks::add(std::string_view bytes, bool& is_full) {
  constexpr uint64_t kOverhead = 96;  // of an entry of the tables
  if (bytes.size() < pointer_bytes_) return kNoStack;
  if (const auto it = numbers_.find(bytes); it != numbers_.end()) return it->second;
  if (bytes.size() + kOverhead > left_) {
    is_full = true;
    return kNoStack;
  }
  left_ -= bytes.size() + kOverhead;
  const uint64_t number = stacks_.size();
  stacks_.push_back(&numbers_.emplace(bytes, number).first->first);
  return number;
}

std::vector<uint64_t> Stacks::addresses(uint64_t stack) const {
  constexpr size_t kMostDepth = 4096;
  std::vector<uint64_t> addresses;
  if (stack >= stacks_.size()) return addresses;
  Cursor cursor(*stacks_[stack]);
  while (cursor.rest().size() >= pointer_bytes_ && addresses.size() < kMostDepth)
    addresses.push_back(pointer_bytes_ == sizeof(uint64_t) ? cursor.little<uint64_t>()
                                                           : cursor.little<uint32_t>());
  return addresses;
}

// Signatures read "void  (class System.String,value class Point)", after the result; words that say
// what kind of type follows are left out.
std::string method_name(const Values& values) {
  std::string name(values.text("MethodNamespace"));
  const std::string_view method = values.text("MethodName");
  if (!name.empty() && !method.empty()) name += '.';
  name += method;
  std::string_view signature = values.text("MethodSignature");
  signature.remove_prefix(std::min(signature.find('('), signature.size()));
  while (!signature.empty()) {
    constexpr std::string_view kValue = "value class ", kClass = "class ";
    const std::string_view left_out = signature.starts_with(kValue)   ? kValue
                                      : signature.starts_with(kClass) ? kClass
                                                                      : std::string_view();
    signature.remove_prefix(left_out.size());
    constexpr std::string_view kModifier = "required_modifier ";
    if (signature.starts_with(kModifier)) {  // and its type
      signature.remove_prefix(kModifier.size());
      signature.remove_prefix(std::min(signature.find(' ') + 1, signature.size()));
    }
    if (signature.empty()) break;
    name += signature.front();
    signature.remove_prefix(1);
  }
  return name;
}

void Methods::add_method(uint64_t process, const Values& values) {
  std::string name = method_name(values);
  const uint64_t begin = values.integer("MethodStartAddress"), size = values.integer("MethodSize");
  if (name.empty() || size == 0) return;
  methods_[process].add(begin, begin + size, std::move(name));
}

void Methods::add_mapping(const Values& values) {
  const uint64_t process = values.integer("ProcessId"), begin = values.integer("StartAddress");
  const std::string_view file = file_name_of(values.text("FileName"));
  if (file.empty()) return;
  files_.insert_or_assign(values.integer("Id"), std::pair(process, std::string(file)));
  mappings_[process].add(begin, values.integer("EndAddress"), std::string(file));
}

void Methods::add_symbol(const Values& values) {
  const auto file = files_.find(values.integer("MappingId"));
  if (file == files_.end()) return;
  const auto& [process, name] = file->second;
  methods_[process].add(values.integer("StartAddress"), values.integer("EndAddress"),
                        fmt::format("{}!{}", name, values.text("Name")));
}

const std::string* Methods::find(const Maps& maps, uint64_t process, uint64_t address) {
  const auto map = maps.find(process);
  if (map == maps.end()) return nullptr;
  const stacks::AddressMap::Object* const object = map->second.find(address);
  return object == nullptr ? nullptr : &object->name;
}

std::string Methods::name_of(uint64_t process, uint64_t address) const {
  if (const std::string* method = find(methods_, process, address)) return *method;
  if (const std::string* mapping = find(mappings_, process, address)) return *mapping;
  return fmt::format("{:#x}", address);
}

}  // namespace weft::formats::nettrace
