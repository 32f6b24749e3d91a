#include "core/formats/profiles/nettrace/nettrace_runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "core/formats/base/text.h"

namespace weft::formats::nettrace {
namespace {

Code code_of(char letter) {
  switch (letter) {
    case 'b':
      return Code::kUint8;
    case 'w':
      return Code::kUint16;
    case 'i':
      return Code::kInt32;
    case 'q':
      return Code::kUint64;
    case 'p':
      return Code::kPointer;
    case 'n':
      return Code::kDouble;
    case 'f':
      return Code::kSingle;
    case 'o':
      return Code::kBoolean32;
    case 's':
      return Code::kUtf16Text;
    case 'a':
      return Code::kBytesText;
    case 'g':
      return Code::kGuid;
    default:
      return Code::kUint32;
  }
}

std::vector<Field> fields_of(std::string_view text) {
  std::vector<Field> fields;
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    const size_t slash = word.find('/');
    Field& field = fields.emplace_back();
    field.name = word.substr(0, slash);
    field.type.code = code_of(word[slash + 1]);
    // Numbers of methods, modules and types are addresses, too.
    const bool is_address = field.name.ends_with("ID") || field.name.ends_with("Address");
    if (field.type.code == Code::kUint64 && is_address) field.type.code = Code::kAddress;
  }
  return fields;
}

std::span<const RuntimeEvent> events_of(std::string_view provider) {
  if (provider == kRuntimeProvider) return runtime_events();
  if (provider == kRundownProvider) return rundown_events();
  if (provider == "Microsoft-Windows-DotNETRuntimePrivate") return private_events();
  if (provider == "Microsoft-Windows-DotNETRuntimeStress") return stress_events();
  return {};
}

}  // namespace

void describe(Kind& kind) {
  const auto events = events_of(kind.provider);
  const auto it = std::ranges::find(events, kind.id, &RuntimeEvent::id);
  if (it != events.end()) {
    if (kind.name.empty()) kind.name = it->name;
    if (kind.fields.empty()) kind.fields = fields_of(it->fields);
  } else if (kind.provider == kSampleProvider && kind.id == 0) {
    kind.name = "ThreadSample";
    if (kind.fields.empty()) kind.fields = fields_of("Type/d");
  } else if (kind.provider == kPipeProvider && kind.id == 1) {
    kind.name = "ProcessInfo";
    if (kind.fields.empty())
      kind.fields = fields_of("CommandLine/s OSInformation/s ArchInformation/s");
  }
  if (kind.name.empty()) kind.name = fmt::format("event {}", kind.id);
}

std::string_view collection_reason(uint64_t reason) {
  constexpr std::string_view kWords[] = {"small allocation",
                                         "induced",
                                         "low memory",
                                         "empty",
                                         "large allocation",
                                         "out of space (small)",
                                         "out of space (large)",
                                         "induced, not forced",
                                         "internal",
                                         "induced, low memory",
                                         "induced, compacting",
                                         "low memory of the host",
                                         "full GC of provisional mode",
                                         "low memory of the host, blocking",
                                         "tuning of background GC (small)",
                                         "tuning of background GC (large)",
                                         "stepping of background GC",
                                         "induced, aggressive"};
  return word_at(kWords, reason);
}

std::string_view collection_type(uint64_t type) {
  constexpr std::string_view kWords[] = {"blocking", "background", "during background"};
  return word_at(kWords, type);
}

std::string_view suspension_reason(uint64_t reason) {
  constexpr std::string_view kWords[] = {
      "other",    "GC",       "shutdown of a domain", "code pitching",
      "shutdown", "debugger", "preparation of GC",    "sweep of the debugger"};
  return word_at(kWords, reason);
}

}  // namespace weft::formats::nettrace
