// A preview of a definition on the first part of a trace: which rule matched each record, which
// part of its text became what, the events, and the losses. Made by the reader itself (Observer).
// Bounded: samples are small.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/time.h"
#include "core/formats/general/custom/rules.h"
#include "core/trace/model.h"

namespace weft::formats::custom {

inline constexpr size_t kSampleBytes = size_t{128} << 10;
inline constexpr size_t kMostPreviewed = 2000;  // records, and events

struct PreviewMark {
  size_t begin = 0, end = 0;  // bytes of the record's text
  std::optional<Role> role;   // none: a parameter
  std::string name{};         // of the field
};

struct PreviewRecord {
  std::string text;
  uint64_t offset = 0;               // in the sample
  uint64_t line = 0;                 // from 1
  std::optional<size_t> rule{};      // none took it
  std::vector<PreviewMark> marks{};  // in order, disjoint
};

struct PreviewEvent {
  trace::Category category = trace::Category::kPunctual;
  Time time;
  std::optional<Time> end{};  // of states, and of links that arrived
  std::string lane{}, target{}, type{};
  double value = 0;
  std::string params{};  // JSON
};

struct Preview {
  std::vector<PreviewRecord> records;
  uint64_t record_count = 0, unknown_count = 0;  // in total
  TimeBase time_base = TimeBase::kNanoseconds;
  std::vector<PreviewEvent> events;  // by time
  uint64_t event_count = 0;
  trace::ImportReport report;
  std::string error;  // why nothing can be read; empty: no error
};

Preview preview(const Rules& rules, std::string_view sample, const std::stop_token& stop = {});

// Reads the first whole lines of a trace; where it is stopped, what has come.
Result<std::string> read_sample(const std::filesystem::path& path,
                                const std::stop_token& stop = {});

}  // namespace weft::formats::custom
