#include "core/formats/general/custom/xml_records.h"

#include <algorithm>

#include "core/formats/base/text.h"

namespace weft::formats::custom {
namespace {

constexpr size_t kMostRecordBytes = size_t{1} << 20;
constexpr size_t kMostAroundBytes = size_t{64} << 10;  // of one element's attributes

}  // namespace

bool XmlRecords::is_of_interest() const {
  return std::ranges::any_of(rules_.rules,
                             [&](const CompiledRule& rule) { return rule.is_about(path_); });
}

void XmlRecords::begin_element(std::string_view name, std::span<const XmlAttribute> attributes) {
  if (record_depth_ > 0) {
    inner_bytes_.push_back(inner_.size());
    if (!inner_.empty()) inner_ += '/';
    inner_ += name;
    texts_.emplace_back();
    for (const auto& [key, value] : attributes) add_field((inner_ + '/').append(key), value);
    return;
  }
  around_.push_back({.path_bytes = path_.size(), .attributes = {}});
  if (!path_.empty()) path_ += '/';
  path_ += name;
  if (is_of_interest()) return begin_record(attributes);
  size_t bytes = 0;
  for (const auto& [key, value] : attributes) {
    bytes += key.size() + value.size();
    if (bytes <= kMostAroundBytes)
      around_.back().attributes.push_back({std::string(key), std::string(value)});
  }
}

void XmlRecords::begin_record(std::span<const XmlAttribute> attributes) {
  record_depth_ = depth();
  record_offset_ = offset();
  record_bytes_ = 0;
  texts_.assign(1, {});
  for (const auto& [key, value] : attributes) add_field(key, value);
}

void XmlRecords::end_element() {
  if (record_depth_ > 0 && depth() > record_depth_) {
    add_field(inner_, trimmed(texts_.back()));
    inner_.resize(inner_bytes_.back());
    inner_bytes_.pop_back();
    texts_.pop_back();
    return;
  }
  if (record_depth_ > 0) end_record();
  path_.resize(around_.back().path_bytes);
  around_.pop_back();
}

void XmlRecords::end_record() {
  add_field("text", trimmed(texts_.back()));
  std::string up = "../";
  for (auto outer = around_.rbegin() + 1; outer != around_.rend(); ++outer, up += "../") {
    for (const Attribute& each : outer->attributes) add_field(up + each.name, each.value);
  }
  if (record_bytes_ > kMostRecordBytes) {
    sink().loss("element too long", record_offset_);
  } else {
    record_.path = path_;
    record_.offset = record_offset_;
    record_.size_bytes = end_offset() - record_offset_;
    record_.fields.clear();
    for (const Attribute& each : fields_) record_.fields.push_back({each.name, each.value});
    taker_.take(record_);
  }
  fields_.clear();
  record_depth_ = 0;
}

void XmlRecords::add_field(std::string_view name, std::string_view value) {
  if (value.empty()) return;
  record_bytes_ += name.size() + value.size();
  if (record_bytes_ <= kMostRecordBytes) fields_.push_back({std::string(name), std::string(value)});
}

void XmlRecords::add_text(std::string_view text) {
  if (record_depth_ == 0) return;
  record_bytes_ += text.size();
  if (record_bytes_ <= kMostRecordBytes) texts_.back() += text;
}

}  // namespace weft::formats::custom
