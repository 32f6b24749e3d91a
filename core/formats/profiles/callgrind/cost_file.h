// A callgrind file, line by line: https://valgrind.org/docs/manual/cl-format.html. Names are given
// numbers ("fn=(1) main", then "fn=(1)"), lines and addresses differences ("+3", "-1", "*").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/flat_index.h"
#include "core/formats/profiles/callgrind/call_graph.h"
#include "core/io/line_reader.h"
#include "core/trace/event_sink.h"

namespace weft::formats::callgrind {

// A line without content: empty, a comment, or Xdebug's between the profiles that it appends to one
// file.
inline bool is_remark(std::string_view line) {
  return line.empty() || line.starts_with('#') || line.starts_with("==== NEW PROFILING FILE ====");
}

// A file has several where the program was looked at several times, or by thread.
struct Part {
  std::vector<std::pair<std::string, std::string>> header;
  std::vector<std::string> events;
  std::string number, thread;
  Costs totals;  // as the file says; empty: it does not
  CallGraph graph;
  uint64_t offset = 0;
};

class CostFile {
 public:
  // Gives each part when it is over. Of lines as many are kept as the memory holds.
  CostFile(trace::EventSink& sink, uint64_t memory_bytes, std::function<void(Part&)> give)
      : sink_(sink), left_bytes_(memory_bytes), give_(std::move(give)) {}

  void add(const io::Line& line);
  void finish();

 private:
  enum class Next : uint8_t { kSelf, kCall, kJump, kBranch };
  // The names of a kind, by the numbers that they were given.
  using Names = std::unordered_map<uint64_t, std::string>;
  struct Position {
    uint64_t address = 0;
    int64_t line = 0;
  };

  bool add_header(std::string_view key, std::string_view value);
  bool add_spec(std::string_view key, std::string_view value);
  void add_costs_line(std::string_view text);
  bool take_position(std::string_view& text, Position& position);
  void take_costs(std::string_view text, Costs& costs);
  int64_t cost_of(std::string_view word, size_t event);
  void add_self(const Costs& costs);
  void add_call(const Costs& costs);
  void begin_part();
  void give_part();
  void enter_file(const std::string& name);
  const std::string& name_of(Names& names, std::string_view value);
  uint32_t function_of(std::string_view value, std::string_view object, std::string_view file);
  // Its files say nothing of themselves.
  bool is_by_pprof() const { return has_addresses_ && has_lines_ && part_.header.empty(); }
  bool claim(uint64_t bytes, std::string_view kind);
  std::optional<uint32_t> line_here();
  uint32_t function_here();

  trace::EventSink& sink_;
  uint64_t left_bytes_, taken_bytes_ = 0;
  std::function<void(Part&)> give_;
  Part part_;
  bool has_costs_ = false, has_totals_ = false;  // of the part; the totals behind its costs
  bool writes_totals_ = false;                   // who wrote it, behind those of each part
  bool has_addresses_ = false, has_lines_ = true;
  Names files_, objects_;
  // A function is what it was where its number was given.
  struct Named {
    std::string object, file, name;
    uint64_t part = 0;      // the last that it was met in …
    uint32_t function = 0;  // … and which of its functions it is
  };
  std::vector<Named> functions_;
  FlatIndex<uint64_t, NumberHash> function_index_;  // of functions_, by their numbers
  std::string object_, file_, function_file_, called_object_, called_file_;
  bool has_called_object_ = false, has_called_file_ = false;
  std::optional<uint32_t> function_, callee_;
  std::optional<uint32_t> file_number_;  // of `file_` in the part, once it was asked for
  Next next_ = Next::kSelf;
  int64_t count_ = 0, followed_ = 0;  // of the call or jump before
  Position position_;
  Costs costs_;       // kept for its memory
  Costs last_costs_;  // of the line before
  bool has_relative_costs_ = false;
  std::string name_;  // of what has no number
  uint64_t offset_ = 0, parts_ = 1;
};

}  // namespace weft::formats::callgrind
