// Threads and lists of labels, which rows of version 6 name by a number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/profiles/nettrace/nettrace_cursor.h"
#include "core/formats/profiles/nettrace/nettrace_player.h"

namespace weft::formats::nettrace {

struct Thread {
  uint64_t process = 0, number = 0;
  std::string name;
};

// Takes a thread, after its index; its process defaults to the trace's.
Thread take_thread(Cursor& row, uint64_t process);

class Labels {
 public:
  // Returns false if it is damaged; lists before that are there.
  bool add_block(std::string_view block);
  void add_to(uint32_t list, Event& event) const;
  void clear() { lists_.clear(); }

 private:
  struct List {
    std::string activity, related;
    std::vector<std::pair<std::string, std::string>> labels;
  };
  // Returns true at the last one of the list.
  static bool take_label(Cursor& cursor, List& list);

  std::unordered_map<uint32_t, List> lists_;
};

}  // namespace weft::formats::nettrace
