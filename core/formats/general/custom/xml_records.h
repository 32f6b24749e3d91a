// The elements of an XML document that rules are about, as records.
//
// The fields of an element are its attributes, the texts of the elements in it ("child",
// "child/of"), their attributes ("child/attribute"), its own text ("text"), and the attributes of
// the elements around it ("../attribute", "../../attribute").
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/xml_stream.h"
#include "core/formats/general/custom/record_taker.h"

namespace weft::formats::custom {

class XmlRecords final : public XmlStream {
 public:
  XmlRecords(const Rules& rules, trace::EventSink& sink, RecordTaker& taker)
      : XmlStream(sink), rules_(rules), taker_(taker) {}

 private:
  struct Attribute {
    std::string name, value;
  };
  struct Around {  // an element around those of interest
    size_t path_bytes;
    std::vector<Attribute> attributes;
  };

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override;
  void end_element() override;
  void add_text(std::string_view text) override;
  bool has_events() const override { return taker_.taken() > 0; }

  bool is_of_interest() const;
  void begin_record(std::span<const XmlAttribute> attributes);
  void end_record();
  void add_field(std::string_view name, std::string_view value);

  const Rules& rules_;
  RecordTaker& taker_;
  std::string path_;            // of the innermost element outside a record
  std::vector<Around> around_;  // from the root inwards
  size_t record_depth_ = 0;     // 0: outside
  uint64_t record_offset_ = 0;
  size_t record_bytes_ = 0;  // of its texts
  std::deque<Attribute> fields_;
  std::string inner_;                // path inside the record
  std::vector<size_t> inner_bytes_;  // its lengths before each of its elements
  std::vector<std::string> texts_;   // of the record and its open elements
  Record record_;
};

}  // namespace weft::formats::custom
