// The memory map of a program's modules.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace weft::formats::heaptrack {

class Modules {
 public:
  struct Place {
    std::string module;  // a path; empty: none is there
    uint64_t offset = 0;
  };

  // A part of the module, which begins at `base`. The newest is what is there.
  void add(const std::string& module, uint64_t base, uint64_t begin, uint64_t size) {
    if (size > 0) parts_[begin] = {module, base, begin + size};
  }
  void clear() { parts_.clear(); }
  Place find(uint64_t address) const {
    const auto next = parts_.upper_bound(address);
    if (next == parts_.begin()) return {};
    const Part& part = std::prev(next)->second;
    if (address >= part.end) return {};
    return {part.module, address - part.base};
  }

 private:
  struct Part {
    std::string module;
    uint64_t base = 0, end = 0;
  };
  std::map<uint64_t, Part> parts_;  // by their begins
};

}  // namespace weft::formats::heaptrack
