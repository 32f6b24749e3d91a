// The header of a recording, repeated whenever the recorder is restarted:
//
//   header            "PSF" and a zero as a number, which gives the byte order; version, kernel,
//                     options, cores
//   timestamp info    direction of the timer, its frequency and period, its value at the start
//   entry table       names and states of what existed: number, characters and states of an entry,
//                     then the entries
//
// Words, addresses included, have 4 bytes, or 8 on 64-bit targets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::psf {

enum class Kernel : uint8_t { kFreeRtos, kZephyr, kThreadX, kBareMetal, kOther };
std::string_view name_of(Kernel kernel);

// Numbers in the recording's byte order.
struct Layout {
  bool is_big = false;
  uint32_t word_bytes = 4;

  uint64_t number(std::string_view bytes, size_t at, size_t size) const;
  uint64_t word(std::string_view bytes, size_t index) const {
    return number(bytes, index * word_bytes, word_bytes);
  }
};

enum class Timer : uint8_t {
  kUp = 1,
  kDown = 2,
  kTickUp = 3,  // ticks of the operating system in the highest byte, a counter within below
  kTickDown = 4,
  kPeriodUp = 5,
  kPeriodDown = 6,
};

struct Session {
  Layout layout;
  uint16_t version = 0;
  Kernel kernel = Kernel::kOther;
  uint32_t cores = 1;
  bool is_greater_more_urgent = false;  // for interrupt priorities
  std::string platform;                 // with its version
  Timer timer = Timer::kUp;
  uint64_t frequency = 0;
  uint32_t period = 0, wraparounds = 0, tick_rate = 0, latest = 0, ticks = 0;
  uint64_t entries = 0, symbol_bytes = 0, states = 0;

  size_t entry_bytes() const {
    return static_cast<size_t>((1 + states) * layout.word_bytes + sizeof(uint32_t) + symbol_bytes);
  }
};

constexpr size_t kMagicBytes = 4;
constexpr uint16_t kLeastVersion = 10;
// Maximum size of header, timestamp info and the entry table's three numbers.
constexpr size_t kMostSessionBytes = 32 + 32 + 24;

// Returns the byte order given by the magic number: true for big-endian; nullopt if there is none.
std::optional<bool> order_of(std::string_view bytes);
// Whether a header begins here, as far as bytes are available; at least twelve must be.
bool is_header(std::string_view bytes);
// Takes everything up to the entries. Returns false if `bytes` ends before; sets `problem` if it
// cannot be read.
bool take_session(std::string_view& bytes, Session& out, std::string& problem);

// An entry of the table; `address` 0: free.
struct Entry {
  uint64_t address = 0;
  uint64_t states[3] = {};
  uint32_t options = 0;
  std::string_view symbol;
};
Entry entry_of(std::string_view bytes, const Session& session);

}  // namespace weft::formats::psf
