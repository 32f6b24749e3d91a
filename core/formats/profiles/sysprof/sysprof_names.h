// Names in a sysprof capture: process names, mappings, and names of functions. Read before the
// samples, since much of it follows them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/profiles/sysprof/sysprof_frames.h"
#include "core/formats/stacks/address_map.h"

namespace weft::formats::sysprof {

// The symbol and binary at an address; either may be empty.
struct Place {
  std::string_view function, object;
};

class Names {
 public:
  explicit Names(uint64_t memory_bytes) : most_bytes_(memory_bytes) {}

  void add(const Frame& frame, bool is_big_endian);
  void finish(bool is_big_endian);

  // The program's name; empty: not known.
  std::string_view command(int32_t process) const;
  Place place(int32_t process, uint64_t address) const;

  uint64_t too_many() const { return too_many_; }  // that the memory had no room for

 private:
  struct Symbol {
    uint64_t end;
    std::string name, object;
  };
  using Symbols = std::map<uint64_t, Symbol>;  // by their begin

  bool has_room(size_t bytes);
  void add_jit_map(Body& body);
  void add_file_chunk(Body& body);
  void add_symbols(std::string_view table, bool is_big_endian);
  void add_kernel_symbols(std::string_view text);
  static const Symbol* find(const Symbols& symbols, uint64_t address);

  const uint64_t most_bytes_;
  uint64_t bytes_ = 0;
  uint64_t too_many_ = 0;
  std::unordered_map<int32_t, std::string> commands_;
  std::unordered_map<int32_t, stacks::AddressMap> maps_;
  std::unordered_map<uint64_t, std::string> jit_;
  std::unordered_map<int32_t, Symbols> symbols_;  // by process
  Symbols kernel_;
  std::string table_, kernel_text_;  // the files that hold the symbols
};

}  // namespace weft::formats::sysprof
