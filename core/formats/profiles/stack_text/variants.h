// The ways in which programs print stacks as text.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/formats/profiles/stack_text/stack_output.h"
#include "core/io/line_reader.h"

namespace weft::formats::stack_text {

class Parser {
 public:
  virtual ~Parser() = default;
  // Each line, blank ones, too.
  virtual void add(const io::Line& line) = 0;
  virtual void finish(uint64_t offset) = 0;
};

struct Variant {
  std::string_view name;
  // Returns how surely it can read what begins with `head`: 0 to 100.
  int (*sniff)(std::string_view head);
  std::unique_ptr<Parser> (*create)(StackOutput& output);
};

// Blocks of frames, the innermost first, with a count behind them: DTrace, SystemTap; maps of
// bpftrace.
std::span<const Variant> counted_variants();
// Dumps of all threads of a program, one after the other, as poor men's profilers take them: gdb,
// eu-stack, jstack, Python's faulthandler.
std::span<const Variant> dump_variants();
// Trees whose lines are indented: pmcstat -G, sample of macOS, Instruments.
std::span<const Variant> tree_variants();
// Trees as comma-separated values: VTune, Visual Studio.
std::span<const Variant> table_variants();
// Variants of the output of perf report --stdio.
std::span<const Variant> report_variants();
// Variants of the output of uftrace graph and uftrace report.
std::span<const Variant> uftrace_variants();
// Variants of the output of pprof -traces, -top, -tree, -peek and -raw.
std::span<const Variant> pprof_variants();

// The one that is surest, and how sure; null: none is.
struct Surest {
  const Variant* variant = nullptr;
  int score = 0;
};
Surest surest_variant(std::string_view head);

}  // namespace weft::formats::stack_text
