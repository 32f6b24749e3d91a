// Fuzzes the filter language: its text, up to the first line's end, parsed, compiled and asked of
// every event of a small trace; what follows is read as parameters. An answer must not depend on
// how it was found.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/aggregate/filtered_scan.h"
#include "core/base/text.h"
#include "core/query/filter/filter_compiler.h"
#include "core/query/filter/filter_completion.h"
#include "core/query/filter/param_predicate.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/small_trace.h"

namespace weft::fuzz {
namespace {

using aggregate::ScanOrder;

// Every regular expression is bounded by itself; this bounds how many there are.
constexpr size_t kMostBytes = 300;

store::TracePtr make_trace() {
  const auto path = std::filesystem::temp_directory_path() /
                    ("filter_fuzz-" + std::to_string(::getpid()) + ".weft");
  if (!test::write_small_trace(path, 2, 40)) std::abort();
  auto trace = store::Trace::open(path);
  std::filesystem::remove(path);
  if (!trace) std::abort();
  return *trace;
}

void require(bool holds) {
  if (!holds) std::abort();
}

void check_error(const query::FilterError& error, std::string_view text) {
  require(error.where.begin <= text.size() && error.where.begin <= error.where.end);
  require(is_valid_utf8(error.one_line(text)));
}

uint64_t scan(const store::Row& row, const aggregate::RowFilter& filter, ScanOrder order) {
  uint64_t passing = 0;
  for_each_passing(row, filter, {Time::min(), Time::max()}, order,
                   [&](const aggregate::PassingRecords& found) {
                     passing += found.records.size();
                     return true;
                   });
  return passing;
}

void ask(const store::Trace& trace, const aggregate::Filter& filter) {
  for (const store::Row& row : trace.rows()) {
    const aggregate::RowFilter of_row = filter.for_row(trace, row);
    uint64_t passing = 0;
    for (uint64_t i = 0; i < row.count; ++i) {
      const store::Record record = trace.record(row, i);
      const bool passes = of_row.passes(record);
      passing += passes ? 1 : 0;
      require(!passes || !of_row.passes_none());
      require(passes || !of_row.passes_all());
      require(!passes || of_row.may_pass(record.begin.ticks, record.duration.ticks, record.type));
    }
    require(scan(row, of_row, ScanOrder::kForwards) == passing);
    require(scan(row, of_row, ScanOrder::kBackwards) == passing);
  }
}

}  // namespace

void filter(const uint8_t* data, size_t size) {
  static const auto trace = make_trace();
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const size_t line_end = input.find('\n');
  if (line_end != std::string_view::npos) {
    query::for_each_param_name(input.substr(line_end + 1),
                               [](std::string_view name) { require(is_valid_utf8(name)); });
  }
  const std::string_view text = input.substr(0, std::min(line_end, kMostBytes));
  const auto filter = query::compile_filter(text, *trace);
  if (filter) {
    ask(*trace, **filter);
  } else {
    check_error(filter.error(), text);
  }
  for (size_t cursor = 0; cursor <= text.size(); cursor += 7) {
    const auto found = query::complete_filter(text, cursor, trace->dictionary(), {"params.n"}, 10);
    require(found.span.begin <= found.span.end && found.span.end <= text.size());
  }
}

}  // namespace weft::fuzz
