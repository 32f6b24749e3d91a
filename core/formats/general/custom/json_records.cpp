#include "core/formats/general/custom/json_records.h"

namespace weft::formats::custom {
namespace {

constexpr size_t kMostFields = 256;
constexpr std::string_view kMoreFields = "fields of an object beyond the first 256";
constexpr int kMostMemberDepth = 8;

}  // namespace

void JsonRecords::add(const io::Line& line) {
  if (!document_.parse_next(line.text) || !document_.root().is_object())
    return sink_.loss("line that is not an object of JSON", line.offset);
  count_ = 0;
  has_more_ = false;
  path_.clear();
  add_members(document_.root(), 0);
  if (has_more_) sink_.note(kMoreFields, line.offset);
  record_.text = line.text;
  record_.offset = line.offset;
  record_.size_bytes = line.text.size();
  record_.fields.clear();
  for (size_t i = 0; i < count_; ++i)
    record_.fields.push_back({fields_[i].first, fields_[i].second});
  taker_.take(record_);
}

// Values nested too deeply are fields as written.
void JsonRecords::add_members(json::Element object, int depth) {
  const size_t path_bytes = path_.size();
  json::for_each_member(object, [&](std::string_view name, json::Element value) {
    (path_ += path_bytes == 0 ? "" : "/") += name;
    if (value.is_object() && depth < kMostMemberDepth) {
      add_members(value, depth + 1);
    } else if (!value.is_null()) {
      add_field(json::plain(value));
    }
    path_.resize(path_bytes);
  });
}

void JsonRecords::add_field(std::string_view value) {
  has_more_ = count_ == kMostFields;
  if (has_more_) return;
  if (count_ == fields_.size()) fields_.emplace_back();
  fields_[count_].first = path_;
  fields_[count_++].second = value;
}

}  // namespace weft::formats::custom
