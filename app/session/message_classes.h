// The user's classes of messages: rules that say which messages belong together, and how they are
// drawn. Data: message-classes.json in the user's folder, or TRACE.classes.json beside a trace,
// which wins there. (TM-45)
//
//   {"classes": [{"name": "timers", "where": "type =~ /TICK/", "color": "#e69f00",
//                 "sign": "triangle", "line": "dashed", "importance": 1}]}
//
// A message is of the first class whose expression (docs/filter-language.md) takes it. Its colour
// goes before those of senders and types, its sign stands at its ends, and where arrows are too
// many, those of the highest importance stay.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
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
// What files and panels call them, in the order of the enumerators.
inline constexpr std::array<std::string_view, 4> kMessageSigns = {"square", "diamond", "triangle",
                                                                  "bar"};
inline constexpr std::array<std::string_view, 3> kMessageLines = {"solid", "dashed", "dotted"};

struct MessageClass {
  std::string name;
  std::string where;
  std::optional<layout::Rgb> color{};  // none: as without the class
  MessageSign sign = MessageSign::kSquare;
  MessageLine line = MessageLine::kSolid;
  int importance = 0;  // 0: as what is of no class; at most kMostImportance either way
  bool operator==(const MessageClass&) const = default;
};
inline constexpr int kMostImportance = 100;

using MessageClasses = std::vector<MessageClass>;
using MessageClassesPtr = std::shared_ptr<const MessageClasses>;  // never null

// The error names what is wrong, also in the expression.
Result<MessageClass> message_class_from_json(const Json& json);
Json json_from_message_class(const MessageClass& message_class);
// What is wrong in the file is left out and complained of, as is what is more than
// layout::kMostMessageClasses.
MessageClasses message_classes_from_json(const Json& json, Complaints& complaints);
Json json_from_message_classes(const MessageClasses& classes);  // none: an empty object

// Beside the trace; null where there is no such file.
Result<MessageClassesPtr> load_message_classes(const std::filesystem::path& trace,
                                               Complaints& complaints);
Status save_message_classes(const std::filesystem::path& trace, const MessageClasses& classes);

// Of this trace: a class whose expression does not fit it takes nothing. Work for workers.
std::shared_ptr<const layout::MessageRules> message_rules(const MessageClasses& classes,
                                                          const store::Trace& trace);

}  // namespace weft::app
