// Names of a plane's events and statistics, by number.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/formats/base/args_text.h"
#include "core/formats/general/perfetto/fields.h"

namespace weft::formats::xplane {

// The role of a statistic that joins events.
enum class Role : uint8_t {
  kNone,
  kCorrelation,
  kProducer,
  kProducerType,
  kConsumer,
  kConsumerType,
  kFlow
};

struct StatName {
  std::string_view name;
  Role role = Role::kNone;
};
struct EventName {
  std::string_view name;    // the shorter of two
  std::string params = {};  // that all its events have: the text of a JSON object, or empty
};
struct Stat {
  uint64_t id = 0;
  perfetto::Field value;  // its number says of which kind
};

// Returns false if the message is damaged.
bool parse_stat(std::string_view message, Stat& stat);

// Views into the plane.
class PlaneNames {
 public:
  // Takes the names from an XPlane; returns the number of damaged entries.
  uint64_t take(std::string_view plane);

  const StatName* stat(uint64_t id) const;
  const EventName* event(uint64_t id) const;
  // A statistic as a member: a number, a text, or one that is referred to. False: it is bytes,
  // which are for programs.
  bool add(const Stat& stat, ArgsText& params) const;
  // The same without the name.
  void add_value(const Stat& stat, ArgsText& params) const;

 private:
  bool take_event(std::string_view entry, uint64_t& damaged);
  bool take_stat(std::string_view entry);

  std::unordered_map<uint64_t, StatName> stats_;
  std::unordered_map<uint64_t, EventName> events_;
};

}  // namespace weft::formats::xplane
