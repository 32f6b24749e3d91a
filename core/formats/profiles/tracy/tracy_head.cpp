// The first sections of a Tracy trace: information about program and machine, and frames.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

constexpr std::string_view kMagic = "tracy";
constexpr uint32_t kOldest = version_of(0, 7, 0), kNewest = version_of(0, 14, 0);
constexpr uint64_t kMostText = 64 << 10;

// In UTC; empty: it is not known.
std::string date_of(uint64_t seconds) {
  constexpr uint64_t kMost = uint64_t{1} << 33;  // the year 2242
  if (seconds == 0 || seconds >= kMost) return {};
  return fmt::format("{:%F %T} UTC",
                     std::chrono::sys_seconds(std::chrono::seconds(static_cast<int64_t>(seconds))));
}

std::string_view architecture_of(uint8_t number) {
  constexpr std::string_view kNames[] = {"", "x86", "x64", "ARM32", "ARM64"};
  return number < std::size(kNames) ? kNames[number] : "";
}

}  // namespace

Status Player::read_header() {
  const std::string magic = in_.take_text(kMagic.size(), kMagic.size());
  uint8_t parts[3];
  for (uint8_t& part : parts) part = in_.take<uint8_t>();
  if (!in_.is_ok())
    return fail(in_.error().empty() ? "is a Tracy trace that ends in its header"
                                    : "is a Tracy trace of which " + in_.error());
  if (magic != kMagic) return fail("does not hold a Tracy trace, or one before 0.2");
  version_ = version_of(parts[0], parts[1], parts[2]);
  const std::string version = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
  if (version_ < kOldest || version_ > kNewest)
    return fail(fmt::format(
        "is a trace of version {} of Tracy; those of 0.7.0 to 0.14.0 are read{}", version,
        version_ < kOldest ? " (Tracy's `update` of 0.8 makes it a newer one)" : ""));
  sink_.set_metadata("Tracy", version);
  return {};
}

void Player::read_program() {
  if (!is_at_least(12, 3)) in_.take<int64_t>();  // what an event cost
  const auto say = [this](std::string_view key, std::string_view value) {
    if (!value.empty()) sink_.set_metadata(key, valid_utf8(value));
  };
  if (const auto resolution = in_.take<int64_t>(); resolution > 0)
    say("timer resolution", fmt::format("{} ns", resolution));
  in_.take<double>();  // of a tick: times are in ns already
  last_time_ = std::max<int64_t>(in_.take<int64_t>(), 0);
  frame_offset_ = in_.take<uint64_t>();
  const auto pid = in_.take<uint64_t>();
  const auto period = in_.take<int64_t>();
  say("architecture", architecture_of(in_.take<uint8_t>()));
  const auto processor = in_.take<uint32_t>();
  constexpr uint64_t kManufacturerBytes = 12;
  const std::string maker = in_.take_text(kManufacturerBytes, kManufacturerBytes);
  say("processor's maker", until_zero(maker));
  if (processor != 0) say("processor", fmt::format("0x{:x}", processor));
  const bool is_on_demand = is_at_least(9, 2) ? in_.take<uint8_t>() != 0 : frame_offset_ != 0;
  if (is_on_demand) say("recorded", "from when a viewer was connected");
  say("capture", in_.take_text(count(), kMostText));
  const std::string program = in_.take_text(count(), kMostText);
  say("program", program);
  say("captured", date_of(in_.take<uint64_t>()));
  if (is_at_least(7, 6)) say("built", date_of(in_.take<uint64_t>()));
  const std::string host = in_.take_text(count(), kMostText);
  if (!in_.is_ok()) return;
  if (period > 0) say("sampling period", fmt::format("{} ns", period));
  stacks_.set_sampling_period(std::max<int64_t>(period, 0));
  lanes_.set_program(valid_utf8(program), pid);
  for (std::string_view rest = host; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const size_t colon = line.find(": ");
    if (colon != std::string_view::npos)
      say(valid_utf8(trimmed(line.substr(0, colon))), trimmed(line.substr(colon + 2)));
  }
  read_topology();
  crash_.thread = in_.take<uint64_t>();
  crash_.time = in_.take<int64_t>();
  crash_.message = in_.take<uint64_t>();
  crash_.callstack = in_.take<uint32_t>();
}

// Packages have dies, those cores, and those hardware threads.
void Player::read_topology() {
  uint64_t packages = 0, cores = 0, threads = 0;
  const auto read_cores = [&](uint64_t left) {
    for (; left > 0 && in_.go_on(); --left, ++cores) {
      in_.take<uint32_t>();
      for (uint64_t of_core = count(); of_core > 0 && in_.go_on(); --of_core, ++threads)
        in_.take<uint32_t>();
    }
  };
  const bool has_dies = is_at_least(11, 2);
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left, ++packages) {
    in_.take<uint32_t>();
    const uint64_t in_package = count();
    if (!has_dies) {
      read_cores(in_package);
      continue;
    }
    for (uint64_t dies = in_package; dies > 0 && in_.go_on(); --dies) {
      in_.take<uint32_t>();
      read_cores(count());
    }
  }
  if (threads > 0 && in_.is_ok())
    sink_.set_metadata("processors", fmt::format("{} threads of {} cores in {} packages", threads,
                                                 cores, packages));
}

// The names of frames stand behind them.
void Player::read_frames() {
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    FrameSet set;
    set.name = in_.take<uint64_t>();
    const bool is_continuous = in_.take<uint8_t>() != 0;
    int64_t time = 0;
    for (uint64_t frames = count(); frames > 0 && in_.go_on(); --frames) {
      const int64_t begin = next(time);
      const int64_t end = is_continuous ? std::max(begin, last_time_) : next(time);
      in_.take<int32_t>();  // its image
      if (!in_.is_ok()) break;
      if (is_continuous && !set.frames.empty()) set.frames.back().second = begin;
      set.frames.emplace_back(begin, end);
    }
    frame_sets_.push_back(std::move(set));
  }
}

void Player::read_section_items(uint16_t category, uint64_t left) {
  const auto take_48 = [this] {
    const uint64_t low = in_.take<uint32_t>();
    return static_cast<int64_t>(low) | static_cast<int64_t>(in_.take<int16_t>()) * (1LL << 32);
  };
  for (; left > 0 && in_.go_on(); --left) {
    Section section;
    section.begin = take_48();
    section.end = take_48();
    section.text = in_.take_24();
    section.category = category;
    if (in_.is_ok()) sections_.push_back(section);
  }
}

void Player::read_sections() {
  if (version_ == version_of(0, 13, 4)) return read_section_items(0, count());
  if (!is_at_least(13, 5)) return;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto category = in_.take<uint16_t>();
    read_section_items(category, count());
  }
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const auto category = in_.take<uint16_t>();
    section_names_[category] = in_.take_24();
  }
}

// Gives a set's frames, counted as in Tracy: the program's own begin with what precedes its first.
void Player::give_frames() {
  for (FrameSet& set : std::exchange(frame_sets_, {})) {
    const std::string name = set.name == 0 ? "Frame" : std::string(texts_.by_address(set.name));
    const LaneId lane = lanes_.in_group("Frames", name.empty() ? "frames without a name" : name);
    const EventTypeId type =
        sink_.type(trace::Category::kState, name.empty() ? "frame" : name, "frames");
    for (uint64_t i = 0; i < set.frames.size() && sink_.keep_going(); ++i) {
      const uint64_t number =
          set.name != 0 ? i + 1 : (frame_offset_ == 0 ? i : i + frame_offset_ - 1);
      const auto [begin, end] = set.frames[i];
      ArgsText params;
      params.add("frame", number);
      state(lane, begin, end_of(begin, end, lane, "frame"), type, params.take(), 0);
    }
  }
  give_sections();
  give_crash();
}

void Player::give_sections() {
  for (const Section& section : std::exchange(sections_, {})) {
    const auto it = section_names_.find(section.category);
    const std::string_view category = it == section_names_.end() ? "" : texts_.of(it->second);
    const LaneId lane = lanes_.in_group(
        "Sections", category.empty() ? fmt::format("category {}", section.category) : category);
    const std::string_view name = texts_.of(section.text);
    state(lane, section.begin, end_of(section.begin, section.end, lane, "section"),
          sink_.type(trace::Category::kState, name.empty() ? "section" : name, "sections"), {}, 0);
  }
}

void Player::give_crash() {
  const Crash crash = std::exchange(crash_, {});
  if (crash.time == 0 && crash.thread == 0 && crash.message == 0) return;
  ArgsText params;
  if (const std::string_view why = texts_.by_address(crash.message); !why.empty())
    params.add("text", why);
  punctual(lanes_.thread(crash.thread), crash.time, sink_.type(trace::Category::kPunctual, "crash"),
           params.take(), crash.callstack);
}

}  // namespace weft::formats::tracy
