// Lines of JSON, an object each, as records.
//
// The fields of an object are its members, and those of the objects in it ("member/of"); arrays are
// fields as they are written. What is null is not there.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/json_document.h"
#include "core/formats/general/custom/record_taker.h"
#include "core/io/line_reader.h"

namespace weft::formats::custom {

class JsonRecords {
 public:
  JsonRecords(trace::EventSink& sink, RecordTaker& taker) : sink_(sink), taker_(taker) {}

  void add(const io::Line& line);
  void finish() {}

 private:
  void add_members(json::Element object, int depth);
  void add_field(std::string_view value);

  trace::EventSink& sink_;
  RecordTaker& taker_;
  json::Document document_;
  std::string path_;                                         // of the current member
  std::vector<std::pair<std::string, std::string>> fields_;  // kept for their memory
  size_t count_ = 0;                                         // fields of the record
  bool has_more_ = false;                                    // that are left out
  Record record_;
};

}  // namespace weft::formats::custom
