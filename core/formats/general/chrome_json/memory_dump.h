// The sizes that a memory dump of Chrome ("ph": "v") says as hexadecimal texts: those of the
// process ("process_totals") and of its outermost allocators, whose parts are among their sizes.
//
//   {"dumps": {"process_totals": {"resident_set_bytes": "1000"},
//              "allocators": {"malloc": {"attrs": {"size": {"units": "bytes", "value": "2a"}}},
//                             "malloc/allocated_objects": {…}}}}
//
// Source: catapult, tracing/tracing/extras/importer/trace_event_importer.html.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/ascii.h"
#include "core/formats/base/json_text.h"
#include "core/formats/base/text.h"

namespace weft::formats::chrome_json {

// The first member of this name; empty where there is none.
inline json::RawValue member_of(const json::RawValue& object, std::string_view name) {
  json::RawValue found;
  if (!object.is_object()) return found;
  json::for_each_member(object.text, [&](const json::RawString& each, const json::RawValue& value) {
    if (found.text.empty() && each.text == name) found = value;
  });
  return found;
}

// Calls each(json::RawString name, uint64_t bytes).
template <class Each>
void for_each_size(const json::RawValue& args, const Each& each) {
  const auto give = [&](const json::RawString& name, const json::RawValue& value) {
    std::string_view digits = value.is_string() ? value.inner() : std::string_view();
    const auto size = take_hexadecimal(digits);
    if (size && digits.empty()) each(name, *size);
  };
  const json::RawValue dumps = member_of(args, "dumps");
  const json::RawValue totals = member_of(dumps, "process_totals");
  if (totals.is_object()) json::for_each_member(totals.text, give);
  const json::RawValue allocators = member_of(dumps, "allocators");
  if (!allocators.is_object()) return;
  json::for_each_member(
      allocators.text, [&](const json::RawString& name, const json::RawValue& allocator) {
        if (name.text.contains('/')) return;
        give(name, member_of(member_of(member_of(allocator, "attrs"), "size"), "value"));
      });
}

}  // namespace weft::formats::chrome_json
