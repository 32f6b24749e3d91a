// Commands on the classes of messages: those of the trace, where a file beside it has some, or the
// user's own.
#include <algorithm>

#include "app/session/commands/arguments.h"
#include "app/session/commands/groups.h"
#include "app/session/commands/obstacles.h"
#include "app/session/message_classes.h"

namespace weft::app {
namespace {

constexpr auto kSigns = choices_of(kMessageSigns);
constexpr auto kLines = choices_of(kMessageLines);

// Changes those that are in use. `change` gets a copy.
template <class Change>
Status change_classes(Session& session, const Change& change) {
  OpenTrace* const trace = session.trace();
  const bool is_of_trace = trace != nullptr && trace->message_classes != nullptr;
  MessageClasses classes = is_of_trace ? *trace->message_classes : *session.message_classes;
  WEFT_TRY(change(classes));
  auto changed = std::make_shared<const MessageClasses>(std::move(classes));
  if (!is_of_trace) {
    session.message_classes = std::move(changed);
    return {};
  }
  trace->message_classes = changed;
  return save_message_classes(trace->path(), *changed);
}

Status set_class(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(MessageClass made, message_class_from_json(command.args));
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "was", made.name));
  return change_classes(session, [&](MessageClasses& classes) -> Status {
    const auto is_named = [](const std::string& of) {
      return [&of](const MessageClass& each) { return each.name == of; };
    };
    if (name != made.name && std::ranges::any_of(classes, is_named(made.name)))
      return fail("there is a class of messages '" + made.name + "' already");
    const auto known = std::ranges::find_if(classes, is_named(name));
    if (known != classes.end()) {
      *known = std::move(made);
      return {};
    }
    if (classes.size() == layout::kMostMessageClasses) return fail("there are too many classes");
    classes.push_back(std::move(made));
    return {};
  });
}

// So many places later, or earlier; the first class that takes a message is its class.
Status move_class(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  WEFT_TRY_ASSIGN(const double by, number_arg(command.args, "by"));
  return change_classes(session, [&](MessageClasses& classes) -> Status {
    const auto from = std::ranges::find(classes, name, &MessageClass::name);
    if (from == classes.end()) return fail("there is no class of messages '" + name + "'");
    const auto last = static_cast<double>(classes.size() - 1);
    const auto at = from - classes.begin();
    const auto to = static_cast<ptrdiff_t>(std::clamp(static_cast<double>(at) + by, 0.0, last));
    if (to < at) std::rotate(classes.begin() + to, from, from + 1);
    if (to > at) std::rotate(from, from + 1, classes.begin() + to + 1);
    return {};
  });
}

Status remove_class(Session& session, const Command& command) {
  WEFT_TRY_ASSIGN(const std::string name, text_arg(command.args, "name"));
  return change_classes(session, [&](MessageClasses& classes) -> Status {
    const auto removed =
        std::erase_if(classes, [&](const MessageClass& each) { return each.name == name; });
    return removed > 0 ? Status() : fail("there is no class of messages '" + name + "'");
  });
}

// All of the user's: as message-classes.json has them, or none.
Status use_classes(Session& session, const Command& command) {
  Complaints complaints;
  session.message_classes =
      std::make_shared<const MessageClasses>(message_classes_from_json(command.args, complaints));
  complain(session, "classes of messages", complaints);
  return {};
}

// Those in use, from now on those of the trace.
Status keep_classes(Session& session, const Command&) {
  WEFT_TRY_ASSIGN(OpenTrace * trace, current(session));
  if (!trace->message_classes) trace->message_classes = session.message_classes;
  return save_message_classes(trace->path(), *trace->message_classes);
}

constexpr CommandRow kMessageClassCommands[] = {
    {"class.set",
     "Add or change a class of messages",
     "",
     {{"name", "text"},
      {"where", "a filter expression"},
      {"color", "as #4e79a7", "the sender's"},
      one_of("sign", kSigns, kSigns[0].id),
      one_of("line", kLines, kLines[0].id),
      {"importance", "the higher are drawn where not all are", "0"},
      {"was", "the name that it had", "the same"}},
     set_class},
    {"class.move",
     "Move a class of messages",
     "",
     {{"name", "of the class"}, {"by", "so many places later, or earlier where negative"}},
     move_class,
     needs_message_classes},
    {"class.remove",
     "Remove a class of messages",
     "",
     {{"name", "of the class"}},
     remove_class,
     needs_message_classes},
    {"classes.use",
     "Classes of messages as at first",
     "",
     {{"classes", "as message-classes.json has them", "none"}},
     use_classes,
     needs_message_classes},
    {"classes.keep",
     "Keep the classes of messages beside the trace",
     "",
     {},
     keep_classes,
     needs_trace},
};

}  // namespace

std::span<const CommandRow> message_class_commands() { return kMessageClassCommands; }

}  // namespace weft::app
