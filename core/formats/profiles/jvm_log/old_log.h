// The log of a Java VM before 9: -verbose:gc, -XX:+PrintGC, -XX:+PrintGCDetails and its likes, of
// all collectors. A collection is one record, over lines that go on; what a concurrent thread wrote
// meanwhile stands in the middle of it. What is behind the record, indented, tells more of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/formats/profiles/jvm_log/jvm_events.h"
#include "core/formats/profiles/jvm_log/old_record.h"

namespace weft::formats::jvm_log {

// `text` is what follows the times, if any.
bool begins_collection(std::string_view text);

class OldLog {
 public:
  explicit OldLog(Events& events) : events_(events) {}

  void add(std::string_view line, uint64_t offset);
  void finish();
  // Whether its times are dates; none before the first.
  std::optional<bool> is_of_day() const { return is_of_day_; }

 private:
  struct Record {
    std::string text;  // from its first bracket on
    Stamp stamp;
    uint64_t offset = 0;
    size_t scanned = 0;     // bytes of the text
    int brackets = 0;       // open, of these
    std::string details{};  // a JSON array without its brackets
    Time begin{};
    Duration length{};
    bool has_heap = false;
  };
  struct Begun {
    Time time;
    std::string text;
    uint64_t offset;
  };

  std::optional<Time> time_of(const Stamp& stamp);
  std::optional<Stamp> stamp_of_untimed();
  std::string without_concurrent(std::string_view line, uint64_t offset);
  void add_concurrent(const Stamp& stamp, std::string_view text, uint64_t offset);
  void add_stamped(const Stamp& stamp, std::string_view text, uint64_t offset);
  void add_stop(std::string_view text, Time time);
  void add_unstamped(std::string_view line, uint64_t offset);
  void add_preamble(std::string_view text, uint64_t offset);
  void add_detail(std::string_view line);
  void complete();
  Time add_groups(const Group& group, Time begin, Time end, uint32_t depth);
  void give();

  Events& events_;
  std::optional<bool> is_of_day_;
  std::optional<int64_t> date_ahead_;                // of the uptime, in nanoseconds
  std::optional<Time> untimed_;                      // of a log without times: where it goes on
  std::optional<Record> open_;                       // whose brackets are open
  std::optional<Record> held_;                       // whose details may follow
  std::map<std::string, Begun, std::less<>> begun_;  // concurrent work
  struct Before {
    std::string lines;  // a JSON array without its brackets
    uint64_t count = 0, offset = 0;
  };
  Before before_;  // of the next collection: the heap before it
  bool has_records_ = false;
};

// Counts the lines that begin a record of such a log.
int old_records_in(std::string_view head);

}  // namespace weft::formats::jvm_log
