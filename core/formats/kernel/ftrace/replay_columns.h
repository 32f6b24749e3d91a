// The columns that `uftrace replay` prints before a call, by the header that names them (-f):
//
//   #  ELAPSED   DURATION    TID      TASK NAME   FUNCTION
//     40.141 us            [ 6126]        t-abc |   fgets() {
//     40.269 us   0.249 us [ 6126]        t-abc |     read();
//
// Each may be blank: a value is of the nearest column that has values of its kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/time.h"

namespace weft::formats::ftrace {

// Views into the line.
struct ReplayValues {
  std::optional<Time> time;
  std::optional<Duration> took, elapsed;  // elapsed: since the recording began
  int32_t tid = -1;                       // -1: not said
  std::string_view task, module;
};

class ReplayColumns {
 public:
  // Returns false if it is no such header.
  bool take_header(std::string_view line);
  bool is_known() const { return !columns_.empty(); }
  // Parses what a line has before its bar. Returns false at a value of no column.
  bool parse(std::string_view text, ReplayValues& values) const;

 private:
  enum class What : uint8_t {
    kTime,
    kTook,
    kElapsed,
    kSinceLast,
    kThread,
    kAddress,
    kTask,
    kModule
  };
  struct Column {
    What what;
    size_t end;  // of its name in the header
  };
  static std::optional<What> what_of(std::string_view name);
  std::optional<What> nearest(size_t end, std::initializer_list<What> kinds) const;
  bool take_length(size_t end, Duration length, ReplayValues& values) const;
  bool take_text(std::string_view text, size_t begin, size_t end, ReplayValues& values) const;

  std::vector<Column> columns_;
};

// "+ 49.370 us": the mark says only that it is long.
bool parse_duration(std::string_view column, Duration& took);

}  // namespace weft::formats::ftrace
