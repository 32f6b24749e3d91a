// Information about a capture, the program, its modules and memory, and errors.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/profiles/orbit/orbit_player.h"

namespace weft::formats::orbit {
namespace {

struct Measure {
  uint32_t field;
  std::string_view name;
};
constexpr auto kSystemMemory = std::to_array<Measure>({{2, "total (KB)"},
                                                       {3, "free (KB)"},
                                                       {4, "available (KB)"},
                                                       {5, "buffers (KB)"},
                                                       {6, "cached (KB)"},
                                                       {7, "page faults"},
                                                       {8, "major page faults"}});
constexpr auto kProcessMemory = std::to_array<Measure>(
    {{4, "minor page faults"}, {5, "major page faults"}, {6, "anonymous RSS (KB)"}});
constexpr auto kGroupMemory = std::to_array<Measure>({{3, "limit (bytes)"},
                                                      {4, "RSS (bytes)"},
                                                      {5, "mapped files (bytes)"},
                                                      {6, "page faults"},
                                                      {7, "major page faults"},
                                                      {8, "unevictable (bytes)"},
                                                      {9, "inactive anonymous (bytes)"},
                                                      {10, "active anonymous (bytes)"},
                                                      {11, "inactive files (bytes)"},
                                                      {12, "active files (bytes)"}});

}  // namespace

void Player::add_started(const Message& message) {
  enum : uint32_t { kPid = 1, kPath, kBuildId, kTime, kOptions, kMajor, kMinor, kUnixTime };
  pid_ = message.uint32(kPid);
  executable_ = valid_utf8(message.text(kPath));
  sink_.set_metadata("executable", executable_);
  sink_.set_metadata("process", fmt::format("{}", pid_));
  if (message.has(kBuildId)) sink_.set_metadata("build id", valid_utf8(message.text(kBuildId)));
  if (message.has(kMajor) || message.has(kMinor))
    sink_.set_metadata("Orbit",
                       fmt::format("{}.{}", message.uint32(kMajor), message.uint32(kMinor)));
  sink_.set_metadata("capture started", fmt::format("{} ns", message.number(kTime)));
  if (message.has(kUnixTime))
    sink_.set_metadata("capture started (since 1970)",
                       fmt::format("{} ns", message.number(kUnixTime)));
  last_ = message.time(kTime);
  add_options(message.text(kOptions));
}

void Player::add_options(std::string_view bytes) {
  enum : uint32_t { kSamplesPerSecond = 3, kUnwinding, kFunctions, kInstrumentation = 18 };
  constexpr auto kUnwindings =
      std::to_array<std::string_view>({"undefined", "frame pointers", "DWARF"});
  constexpr auto kInstrumentations =
      std::to_array<std::string_view>({"unspecified", "uprobes", "in user space"});
  const Message options(bytes);
  is_damaged_ |= !options.is_whole();
  const double rate = options[kSamplesPerSecond].real();
  constexpr double kPerSecond = 1e9, kMostRate = 1e9, kLeastRate = 1e-3;
  if (rate >= kLeastRate && rate <= kMostRate) {
    sample_interval_ = {std::llround(kPerSecond / rate)};
    sink_.set_metadata("samples per second", fmt::format("{}", rate));
  }
  const auto say = [&](std::string_view key, const auto& words, uint32_t field) {
    if (options.has(field) && options.number(field) < words.size())
      sink_.set_metadata(key, words[static_cast<size_t>(options.number(field))]);
  };
  say("unwinding", kUnwindings, kUnwinding);
  say("instrumentation", kInstrumentations, kInstrumentation);
  options.for_each(kFunctions, [this](const Field& field) {
    const Message function(field.bytes);
    is_damaged_ |= !function.is_whole();
    names_.add_function(function);
  });
}

void Player::add_finished(const Message& message) {
  enum : uint32_t { kStatus = 1, kError, kState, kSignal };
  constexpr auto kStatuses =
      std::to_array<std::string_view>({"successful", "failed", "interrupted by the service"});
  constexpr auto kStates = std::to_array<std::string_view>(
      {"unknown", "not known after an error", "running", "ended", "crashed"});
  const uint64_t status = message.number(kStatus), state = message.number(kState);
  if (status < kStatuses.size())
    sink_.set_metadata("capture finished", kStatuses[static_cast<size_t>(status)]);
  if (message.has(kError)) sink_.set_metadata("error", valid_utf8(message.text(kError)));
  if (message.has(kState) && state < kStates.size())
    sink_.set_metadata("process after the capture", kStates[static_cast<size_t>(state)]);
  if (message.has(kSignal))
    sink_.set_metadata("signal that ended the process", fmt::format("{}", message.uint32(kSignal)));
}

void Player::add_memory(const Message& message) {
  enum : uint32_t { kTime = 1, kSystem, kProcess, kGroup };
  const Time time = message.time(kTime);
  const auto add_all = [&](const Message& usage, const auto& measures, LaneId lane) {
    is_damaged_ |= !usage.is_whole();
    for (const Measure& measure : measures) {
      const int64_t value = usage[measure.field].integer();
      // -1: it could not be measured.
      if (usage.has(measure.field) && value != -1)
        add_variable(lane, time, measure.name, static_cast<double>(value));
    }
  };
  const LaneId all = root("Memory", trace::LaneKind::kGroup, 4);
  if (message.has(kSystem))
    add_all(Message(message.text(kSystem)), kSystemMemory, below(all, "system"));
  if (message.has(kProcess)) {
    const Message usage(message.text(kProcess));
    add_all(usage, kProcessMemory, below(all, fmt::format("process {}", usage.uint32(1))));
  }
  if (message.has(kGroup)) {
    const Message usage(message.text(kGroup));
    add_all(usage, kGroupMemory, below(all, fmt::format("cgroup {}", usage.text(1))));
  }
}

void Player::add_modules(const Message& message) {
  enum : uint32_t { kPid = 1, kTime, kList };
  message.for_each(kList, [&](const Field& field) {
    add_module(message.uint32(kPid), message.time(kTime), field.bytes, "module");
  });
}

void Player::add_module(uint32_t pid, Time time, std::string_view bytes, std::string_view what) {
  enum : uint32_t { kName = 1, kPath, kSize, kBegin, kEnd, kBuildId, kBias, kSegment, kSoname };
  const Message module(bytes);
  is_damaged_ |= !module.is_whole();
  names_.add_module(module);
  ArgsText json;
  json.add("name", module.text(kName));
  json.add("path", module.text(kPath));
  json.add("size", module.number(kSize));
  json.add_pointer("begin", module.number(kBegin));
  json.add_pointer("end", module.number(kEnd));
  if (module.has(kBuildId)) json.add("build id", module.text(kBuildId));
  if (module.has(kSoname)) json.add("soname", module.text(kSoname));
  add_instant(of_process(pid, "modules"), time, what, "module", json.take());
}

// Messages that are texts, or functions each with one.
void Player::add_texts(const Message& message, std::string_view what) {
  enum : uint32_t { kTime = 1, kText };
  std::string text;
  message.for_each(kText, [&](const Field& field) {
    std::string_view part = field.bytes;
    std::string function;
    if (what.starts_with("functions")) {
      const Message failed(field.bytes);
      function = names_.function(failed.number(1)) + ": ";
      part = failed.text(2);
    }
    if (!text.empty()) text += '\n';
    text += function + valid_utf8(part);
  });
  ArgsText json;
  json.add("text", text);
  add_instant(root("Capture", trace::LaneKind::kGroup, 5), message.time(kTime), what, "capture",
              json.take());
}

// For some time, nobody knows how many.
void Player::add_gap(const Message& message, std::string_view what) {
  enum : uint32_t { kDuration = 1, kEnd };
  const LaneId lane = root("Capture", trace::LaneKind::kGroup, 5);
  const Time begin = message.time(kEnd) - message.duration(kDuration);
  add_state(lane, begin, message.duration(kDuration), type(what, "capture"), {});
  sink_.loss(what, {offset_, lane, begin, message.duration(kDuration)});
}

void Player::add_user_data(std::string_view bytes) {
  const Message message(bytes), tracks(message.text(1));
  std::string functions;
  tracks.for_each(2, [&](const Field& field) {
    perfetto::for_each_number(field, [&](uint64_t id) {
      if (!functions.empty()) functions += ", ";
      functions += names_.function(id);
    });
  });
  if (!functions.empty()) sink_.set_metadata("frame tracks", functions);
}

}  // namespace weft::formats::orbit
