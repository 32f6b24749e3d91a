// The .sts file of a run, which gives the meaning of the numbers in its logs, one per line.
//
//   VERSION 11.0
//   PROCESSORS 2
//   CHARE 45 "Ping1" 1
//   ENTRY CHARE 151 "Ping1()" 45 0
//   EVENT 7 load balancing
//   STAT 3 residual
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::projections {

class Table {
 public:
  // Reads the file; what is not used here goes to the sink as metadata.
  void read(io::Source& source, trace::EventSink& sink);

  // "Ping1::Ping1()", or "entry 151". Any of these may be bytes that are not UTF-8.
  std::string entry_name(int64_t entry) const;
  // Returns false if it is known to be of a chare that is no array's: it has no index.
  bool may_have_index(int64_t entry) const;
  std::string event_name(int64_t event) const { return name_in(events_, event, "user event "); }
  std::string stat_name(int64_t stat) const { return name_in(stats_, stat, "user stat "); }

  std::string function_name(int64_t function) const {
    return name_in(functions_, function, "function ");
  }

  // 11 where it is not said.
  double version() const { return version_; }
  // 0: not said.
  uint32_t processors() const { return processors_; }
  // Performance counters; each log record has a value for each.
  const std::vector<std::string>& counters() const { return counters_; }
  // Returns the node of a PE; nullopt if each PE is a process of its own.
  std::optional<uint32_t> node_of(uint32_t pe) const;
  // Whether the PE only sends and receives for the others of its node.
  bool is_communication_thread(uint32_t pe) const;

 private:
  using Names = std::unordered_map<int64_t, std::string>;
  struct Entry {
    std::string name;
    int64_t chare = -1;
  };
  bool add(std::string_view line, trace::EventSink& sink);
  bool add_entry(std::string_view rest);
  bool add_chare(std::string_view rest);
  static bool add_name(std::string_view rest, Names& names);
  static std::string name_in(const Names& names, int64_t id, std::string_view otherwise);

  double version_ = 11;
  uint32_t processors_ = 0, node_size_ = 0, nodes_ = 0;
  Names chares_, events_, stats_, functions_;
  std::unordered_map<int64_t, int64_t> dimensions_;  // of chares
  std::unordered_map<int64_t, Entry> entries_;
  std::vector<std::string> counters_;
};

}  // namespace weft::formats::projections
