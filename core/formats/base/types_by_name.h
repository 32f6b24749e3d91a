// The types of one category and group by their names: one that came before is found without being
// made valid text again. Of very many names those that came last are known.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/by_name.h"
#include "core/trace/event_sink.h"

namespace weft::formats {

class TypesByName {
 public:
  TypesByName(trace::EventSink& sink, trace::Category category, std::string group = {})
      : sink_(sink), category_(category), group_(std::move(group)) {}

  EventTypeId of(std::string_view name) {
    if (types_.size() > kMost) types_ = {};
    EventTypeId& type = value_of(types_, name, EventTypeId::none());
    if (type.is_none()) type = sink_.type(category_, valid_utf8(name), group_);
    return type;
  }

 private:
  static constexpr size_t kMost = 1 << 16;

  trace::EventSink& sink_;
  trace::Category category_;
  std::string group_;
  ByName<EventTypeId> types_;
};

}  // namespace weft::formats
