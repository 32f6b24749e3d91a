// Writes small recordings of Percepio's Trace Recorder for tests: an event a call.
//
// Source: the recorder's sources (TraceRecorderSource 4.6 to 4.11).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/formats/bytes.h"

namespace weft::test {

struct PsfTarget {
  bool is_big = false;
  bool is_wide = false;  // words of 64 bits
  uint16_t version = 14;
  uint16_t platform = 0x1AA1;
  uint32_t options = 0;
  uint32_t cores = 1;
  uint32_t timer = 1;
  uint32_t period = 0;
  uint64_t frequency = 1'000'000;
  uint32_t wraparounds = 0;
  uint32_t latest = 0;
  uint32_t ticks = 0;
};

struct PsfEntry {
  uint64_t address;
  std::string_view symbol;
  std::vector<uint64_t> states = {};  // three, zeros where they are not given
  uint32_t options = 0;
};

class PsfWriter {
 public:
  explicit PsfWriter(const PsfTarget& target) : target_(target) {}

  void session(const std::vector<PsfEntry>& entries) {
    constexpr size_t kSymbolBytes = 28;
    constexpr uint32_t kWideOption = 8, kTickRate = 1000;
    text("PSF", 4, true);
    number(target_.version, 2);
    number(target_.platform, 2);
    number(target_.options | (target_.is_wide ? kWideOption : 0), 4);
    number(target_.cores, 4);
    number(0, 4);
    const bool is_old = target_.version < 13;
    if (is_old) text("FreeRTOS", 8);
    number(3, 2), number(2, 1), number(1, 1);
    if (!is_old) text("FreeRTOS", 8);
    number(target_.timer, 4);
    if (!is_old) number(target_.period, 4);
    word(target_.frequency);
    if (is_old) number(target_.period, 4);
    number(target_.wraparounds, 4);
    number(kTickRate, 4);
    number(target_.latest, 4);
    number(target_.ticks, 4);
    word(entries.size()), word(kSymbolBytes), word(3);
    for (const PsfEntry& entry : entries) {
      word(entry.address);
      for (size_t i = 0; i < 3; ++i) word(i < entry.states.size() ? entry.states[i] : 0);
      number(entry.options, 4);
      text(entry.symbol, kSymbolBytes);
    }
  }

  // Text follows the words, and fills words itself.
  void event(uint32_t id, uint32_t time, const std::vector<uint64_t>& words = {},
             std::string_view text_behind = {}, uint32_t core = 0) {
    const size_t word_bytes = target_.is_wide ? 8 : 4;
    const size_t text_words =
        text_behind.empty() ? 0 : (text_behind.size() + word_bytes) / word_bytes;
    number(id | (words.size() + text_words) << 12, 2);
    number(target_.cores > 1 ? (counts_[core]++ & 0xFFF) | core << 12 : counts_[0]++, 2);
    number(time, 4);
    for (const uint64_t each : words) word(each);
    if (text_words > 0) text(text_behind, text_words * word_bytes);
  }
  // Events that the target counted and could not send.
  void lose(uint16_t count, uint32_t core = 0) {
    counts_[core] = static_cast<uint16_t>(counts_[core] + count);
  }
  void number(uint64_t value, size_t size) {
    std::string out;
    for (size_t i = 0; i < size; ++i)
      out += static_cast<char>(value >> 8 * (target_.is_big ? size - 1 - i : i));
    bytes_.text(out);
  }
  void raw(std::string_view bytes) { bytes_.text(bytes); }
  const std::string& bytes() const { return bytes_.str(); }

 private:
  void word(uint64_t value) { number(value, target_.is_wide ? 8 : 4); }
  // Filled up with zeros; a number that reads as text has the target's order.
  void text(std::string_view text, size_t size, bool is_number = false) {
    std::string out(text);
    out.resize(size, '\0');
    if (is_number && !target_.is_big) out = {out.rbegin(), out.rend()};
    bytes_.text(out);
  }

  PsfTarget target_;
  uint16_t counts_[16] = {};
  Bytes bytes_;
};

}  // namespace weft::test
