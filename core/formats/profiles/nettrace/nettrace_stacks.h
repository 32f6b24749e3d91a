// Stacks, each kept once, and what lies at their addresses: methods and symbols are described by
// events, most of them at the end of the trace.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/text_hash.h"
#include "core/formats/profiles/nettrace/nettrace_values.h"
#include "core/formats/stacks/address_map.h"
#include "core/formats/stacks/held_stacks.h"

namespace weft::formats::nettrace {

using stacks::kNoStack;

class Stacks {
 public:
  explicit Stacks(uint64_t most_bytes) : left_(most_bytes) {}

  void set_pointer_bytes(uint32_t bytes) { pointer_bytes_ = bytes; }
  // kNoStack where it is empty. `is_full` is set where there is no memory for it.
  uint64_t add(std::string_view bytes, bool& is_full);
  // Addresses, the innermost first.
  std::vector<uint64_t> addresses(uint64_t stack) const;

 private:
  uint64_t left_;
  uint32_t pointer_bytes_ = sizeof(uint64_t);
  std::unordered_map<std::string, uint64_t, TextHash, std::equal_to<>> numbers_;
  std::vector<const std::string*> stacks_;
};

class Methods {
 public:
  // Adds the method that an event describes, if it has a name.
  void add_method(uint64_t process, const Values& values);
  void add_mapping(const Values& values);
  void add_symbol(const Values& values);
  // "Namespace.Type.Method(int32)", "libc.so!malloc", "libc.so", or the address.
  std::string name_of(uint64_t process, uint64_t address) const;

 private:
  using Maps = std::unordered_map<uint64_t, stacks::AddressMap>;  // by process
  // Returns null if nothing is known of the address.
  static const std::string* find(const Maps& maps, uint64_t process, uint64_t address);

  Maps methods_, mappings_;
  std::map<uint64_t, std::pair<uint64_t, std::string>> files_;  // process and name, by mapping
};

// "Namespace.Type.Method(int32)".
std::string method_name(const Values& values);

}  // namespace weft::formats::nettrace
