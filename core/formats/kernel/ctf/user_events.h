// Interprets LTTng's user-space events: function calls, begins and ends recognised by name, Trace
// Event JSON in log messages. Threads are those of the kernel's events.
//
// Source: lttng-ust's manual pages (lttng-ust-cyg-profile, -libc-wrapper, statedump).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/formats/general/chrome_json/logged_json.h"
#include "core/formats/kernel/ctf/event.h"
#include "core/formats/kernel/ftrace/kernel.h"
#include "core/formats/stacks/address_map.h"

namespace weft::formats::ctf {

class UserEvents {
 public:
  using Params = std::function<std::string_view(const Event&)>;
  UserEvents(ftrace::Kernel& kernel, chrome_json::LoggedJson& json, Params params)
      : kernel_(kernel), json_(json), params_(std::move(params)) {}

  // The meaning of an event by its name and by the other events that its stream may hold.
  struct Meaning {
    enum class Kind : uint8_t { kNone, kCall, kReturn, kBegin, kEnd, kMapping, kDump, kLogMessage };
    Kind kind = Kind::kNone;
    std::string stem;                        // of a begin or an end: what both have in common
    EventTypeId type = EventTypeId::none();  // of the state between them; none before the first
  };
  static Meaning meaning_of(std::string_view name, const bt_stream_class& stream);

  // Returns false if it stays an event of its own. `thread` is where it happened.
  bool add(Meaning& meaning, Event& event, LaneId thread);

 private:
  EventTypeId type_of(Meaning& meaning);
  bool add_dump(const Event& event);
  void add_mapping(const Event& event);
  // "libc.so.6+0x1f20" where a mapping is known, else "0x7f001f20".
  std::string name_of_address(int32_t process, uint64_t address) const;

  ftrace::Kernel& kernel_;
  chrome_json::LoggedJson& json_;
  Params params_;
  std::unordered_map<int32_t, stacks::AddressMap> mappings_;  // by process
};

}  // namespace weft::formats::ctf
