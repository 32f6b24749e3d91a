// The names of what a Paraver trace numbers: its .pcf file says what states, events and their
// values are called, its .row file names the lanes. Both may be missing, or short.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace weft::formats::paraver {

struct EventLabels {
  std::string name;
  std::map<int64_t, std::string> values;
  double scale = 1;  // of a value: "PRECISION 3" says that they are thousandths

  // The value's name, or its number.
  std::string value_name(int64_t value) const;
};

struct Labels {
  std::map<int64_t, std::string> states;
  std::map<int64_t, uint32_t> state_colors;              // 0xRRGGBB
  std::map<int64_t, EventLabels> events;                 // by type
  std::map<std::string, std::vector<std::string>> rows;  // by level ("THREAD"), in order

  // "event 42" where it has none.
  std::string type_name(int64_t type) const;
  // Returns an empty text if the trace has no such file, or it does not say.
  std::string row(const std::string& level, size_t index) const;
};

// Reads the labels of the trace at `path` (X.prv, X.prv.gz). Unreadable files are skipped.
Labels labels_of(const std::filesystem::path& path);

}  // namespace weft::formats::paraver
