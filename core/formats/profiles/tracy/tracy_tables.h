// The tables that a Tracy trace's events refer to: texts, source locations, threads by their short
// numbers. All but the call stacks precede the events. Many lie in large arrays.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/base/large_vector.h"
#include "core/base/text_arena.h"
#include "core/formats/profiles/tracy/tracy_blocks.h"

namespace weft::formats::tracy {

// 0xMMmmpp: what a trace may hold depends on the version of Tracy that saved it.
constexpr uint32_t version_of(uint32_t major, uint32_t minor, uint32_t patch) {
  return major << 16 | minor << 8 | patch;
}

// A text by the address that it had in the program, or by its index.
struct TextRef {
  uint64_t value = 0;
  bool is_index = false, is_there = false;

  static TextRef take(Blocks& in);
};

class Texts {
 public:
  // The texts, and what programs call them by.
  void read(Blocks& in, trace::EventSink& sink);

  // Empty: there is none.
  std::string_view at(uint64_t index) const;
  // Indices of three bytes count from 1; 0 is not text.
  std::string_view of(uint32_t number) const { return number == 0 ? "" : at(number - 1); }
  std::string_view of(const TextRef& ref) const;
  std::string_view by_address(uint64_t address) const { return find(by_address_, address); }
  std::string_view thread_name(uint64_t tid) const { return find(thread_names_, tid); }
  // The program and the thread of a thread of another program.
  std::pair<std::string_view, std::string_view> outside(uint64_t tid) const;

 private:
  using Index = FlatIndex<uint64_t, NumberHash>;

  std::string_view find(const Index& in, uint64_t key) const {
    const size_t* const text = in.find(key);
    return text == nullptr ? std::string_view() : at(*text);
  }
  static void read_index(Blocks& in, const Index& saved, Index& into);

  TextArena arena_;
  LargeVector<std::string_view> all_;  // in the arena
  Index by_address_, thread_names_;
  LargePool memory_;
  std::pmr::unordered_map<uint64_t, std::pair<size_t, size_t>> outside_{&memory_};
};

// A place in the source that begins zones.
struct Place {
  TextRef name, function, file;
  uint32_t line = 0, color = 0;

  static Place take(Blocks& in);
};

class Places {
 public:
  void read(Blocks& in);
  // Null: there is none. Numbers below 0 are of places that were made while the program ran.
  const Place* at(int16_t number) const;

 private:
  LargePool memory_;
  std::pmr::unordered_map<uint64_t, Place> fixed_{&memory_};  // by address
  std::vector<uint64_t> numbered_;                            // their addresses
  std::vector<Place> made_;
};

// Threads by the numbers of 16 bits that stand for them.
class ThreadNumbers {
 public:
  void read(Blocks& in);
  uint64_t at(uint16_t number) const { return number < ids_.size() ? ids_[number] : 0; }

 private:
  std::vector<uint64_t> ids_;
};

// Rare properties of zones: call stack, text, name, colour.
struct ZoneExtra {
  uint32_t callstack = 0, text = 0, name = 0, color = 0;
};

class ZoneExtras {
 public:
  void read(Blocks& in, bool have_colors);
  const ZoneExtra& at(uint32_t index) const { return index < all_.size() ? all_[index] : none_; }

 private:
  LargeVector<ZoneExtra> all_;
  ZoneExtra none_;
};

// Tracy has blue first; 0xRRGGBB.
constexpr uint32_t rgb_of(uint32_t color) {
  return (color & 0xFF) << 16 | (color & 0xFF00) | (color >> 16 & 0xFF);
}

}  // namespace weft::formats::tracy
