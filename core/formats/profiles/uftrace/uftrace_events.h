// The events in uftrace's recordings: what the tracer read at a call (memory, page faults, cycles),
// and those that programs define (events.txt).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::uftrace {

class Events {
 public:
  explicit Events(const std::filesystem::path& folder);

  // "read:proc/statm"; "event 7" where it is not known.
  std::string name_of(uint64_t event) const;
  // Returns the number of bytes after a record, from the first two of them.
  static std::optional<size_t> bytes_of(std::string_view bytes);
  // An object of what is behind the record; empty where that says nothing.
  static std::string params_of(uint64_t event, std::string_view bytes);

 private:
  std::map<uint64_t, std::string> names_;
};

}  // namespace weft::formats::uftrace
