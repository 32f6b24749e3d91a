// The state of one provider of a Fuchsia trace: its clock, and the tables that its records refer
// to. Kernel objects are shared by all (fxt_objects.h).
//
// Memory: the strings, as long as they are in a table (at most 32767 a provider).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/formats/general/fxt/fxt_record.h"

namespace weft::formats::fxt {

struct ThreadId {
  uint64_t process = 0, thread = 0;  // numbers of kernel objects
};

class Provider {
 public:
  std::string name;

  // Returns false if that is not a rate.
  bool set_rate(uint64_t ticks_per_second);
  // Converts to nanoseconds, rounded down; saturates at 64 bits.
  Time time_of(uint64_t ticks) const;

  void set_string(uint64_t index, std::string_view text);
  void set_thread(uint64_t index, ThreadId id) { threads_[index & 0xFF] = id; }
  void set_user_object(uint64_t process, uint64_t pointer, std::string_view object_name);
  size_t table_bytes() const { return table_bytes_; }

  // Resolves a reference; inline text is taken off the record. Valid as long as both.
  std::string_view text(uint64_t reference, Words& record) const;
  // Whether the text of a reference is in the record or in the table; 0 is no text.
  bool knows_text(uint64_t reference) const;
  ThreadId thread(uint64_t reference, Words& record) const;
  // The same for a record that only gives the process.
  uint64_t process(uint64_t reference, Words& record) const;
  // Returns an empty text if nothing is known of it.
  std::string_view user_object(uint64_t process, uint64_t pointer) const;

 private:
  uint64_t rate_ = 1'000'000'000;
  std::vector<std::string> strings_;
  std::array<ThreadId, 256> threads_{};
  std::map<std::pair<uint64_t, uint64_t>, std::string> user_objects_;
  size_t table_bytes_ = 0;
};

}  // namespace weft::formats::fxt
