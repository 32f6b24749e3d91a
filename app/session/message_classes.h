// The user's classes of messages: rules that say which messages belong together, and how they are
// drawn. Kept in message-classes.json in the user's folder, or in TRACE.classes.json beside a
// trace, which takes precedence for that trace. (TM-45)
//
//   {"classes": [{"name": "timers", "where": "type =~ /TICK/", "color": "#e69f00",
//                 "sign": "triangle", "line": "dashed", "importance": 1}]}
//
// A message belongs to the first class whose expression (docs/filter-language.md) it passes. The
// colour of the class takes precedence over those of senders and types, its sign is drawn at the
// message's ends, and where there are too many arrows, those of the highest importance stay.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/complaints.h"
#include "app/base/json.h"
#include "core/base/result.h"
#include "core/layout/message_classes.h"
#include "core/layout/palette.h"

namespace weft::app {

enum class MessageSign : uint8_t { kSquare, kDiamond, kTriangle, kBar };
enum class MessageLine : uint8_t { kSolid, kDashed, kDotted };
// The names in files and panels, in the order of the enumerators.
inline constexpr std::array<std::string_view, 4> kMessageSigns = {"square", "diamond", "triangle",
                                                                  "bar"};
inline constexpr std::array<std::string_view, 3> kMessageLines = {"solid", "dashed", "dotted"};

struct MessageClass {
  std::string name;
  std::string where;
  std::optional<layout::Rgb> color{};  // none: the colour it would have without the class
  MessageSign sign = MessageSign::kSquare;
  MessageLine line = MessageLine::kSolid;
  int importance = 0;  // 0: that of a message of no class; from -kMostImportance to kMostImportance
  bool operator==(const MessageClass&) const = default;
};
inline constexpr int kMostImportance = 100;

using MessageClasses = std::vector<MessageClass>;
using MessageClassesPtr = std::shared_ptr<const MessageClasses>;  // never null

// Errors say what is wrong, including errors in the expression.
Result<MessageClass> message_class_from_json(const Json& json);
Json json_from_message_class(const MessageClass& message_class);
// Entries that are wrong, and those beyond layout::kMostMessageClasses, are left out and reported.
MessageClasses message_classes_from_json(const Json& json, Complaints& complaints);
Json json_from_message_classes(const MessageClasses& classes);  // none: an empty object

// Loads the classes beside the trace; null if there is no such file.
Result<MessageClassesPtr> load_message_classes(const std::filesystem::path& trace,
                                               Complaints& complaints);
Status save_message_classes(const std::filesystem::path& trace, const MessageClasses& classes);

// Compiles the classes for this trace; a class whose expression does not fit the trace takes no
// message. Worker threads only.
std::shared_ptr<const layout::MessageRules> message_rules(const MessageClasses& classes,
                                                          const store::Trace& trace);

}  // namespace weft::app
