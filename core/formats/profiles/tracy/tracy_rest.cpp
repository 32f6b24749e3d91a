// The final sections of a Tracy trace: mostly no events, and skipped.
#include <string>
#include <string_view>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/tracy/tracy_player.h"

namespace weft::formats::tracy {
namespace {

using trace::Category;

}  // namespace

void Player::read_app_info() {
  constexpr size_t kMostBytes = 64 << 10;
  std::string all;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    const std::string_view text = texts_.of(TextRef::take(in_));
    if (!in_.is_ok() || text.empty()) continue;
    if (all.size() + text.size() > kMostBytes) {
      sink_.loss("text about the program beyond 64 KiB", in_.offset());
      continue;
    }
    if (!all.empty()) all += '\n';
    all += text;
  }
  if (!all.empty()) sink_.set_metadata("about the program", all);
}

// Pictures of what the program drew, packed as textures are: half a byte a pixel.
void Player::read_images() {
  if (is_at_least(7, 8)) in_.skip(in_.take<uint32_t>());  // what they have in common
  const uint64_t images = count();
  uint64_t read = 0;
  for (; read < images && in_.go_on(); ++read) {
    const uint32_t width = in_.take<uint16_t>(), height = in_.take<uint16_t>();
    in_.take<uint8_t>();  // upside down
    in_.skip(static_cast<uint64_t>(width) * height / 2);
  }
  not_shown("image of a frame", read);
}

void Player::read_symbols() {
  constexpr uint64_t kProgramOfThread = 16, kTimesOfThread = 24, kSymbol = 32, kCode = 16;
  const auto skip_table = [this](uint64_t entry_bytes) {
    const uint64_t entries = count();
    for (uint64_t left = entries; left > 0 && in_.go_on(); --left) in_.skip(entry_bytes);
    return entries;
  };
  skip_table(kProgramOfThread);
  skip_table(kTimesOfThread);
  count();  // symbols, and those that were put into others
  count();
  const uint64_t symbols = skip_table(kSymbol);
  if (symbols > 0 && in_.is_ok()) sink_.set_metadata("symbols", std::to_string(symbols));

  uint64_t codes = 0;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left, ++codes) {
    in_.take<uint64_t>();
    in_.skip(in_.take<uint32_t>());
  }
  not_shown("machine code of a function", codes);
  if (!is_at_least(8, 5)) {  // lines of addresses
    for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
      in_.take<uint64_t>();
      in_.skip(uint64_t{in_.take<uint16_t>()} * sizeof(uint64_t));
    }
  }
  if (is_at_least(7, 9)) skip_table(kCode);
}

// When a counter of the processor was full, by the address that ran; which thread it was is not
// known.
void Player::read_hardware_samples() {
  if (!is_at_least(7, 9)) return;
  constexpr std::string_view kCounters[] = {"cycles",     "instructions", "cache reference",
                                            "cache miss", "branch",       "branch miss"};
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left) {
    ArgsText params;
    params.add_pointer("address", in_.take<uint64_t>());
    const ParamsId id = sink_.params(params.take());
    for (const std::string_view counter : kCounters) {
      uint64_t samples = count();
      if (samples == 0 || !in_.is_ok()) continue;
      const LaneId lane = lanes_.in_group("Samples of hardware", counter);
      const EventTypeId type = sink_.type(Category::kPunctual, counter, "hardware");
      int64_t time = 0;
      for (; samples > 0 && in_.go_on(); --samples) {
        const int64_t at = next(time);
        if (!in_.is_ok() || !is_time(at, lane)) continue;
        sink_.give(trace::PunctualEvent{.time = {at}, .params = id, .lane = lane, .type = type});
      }
    }
  }
}

void Player::read_sources() {
  uint64_t files = 0;
  for (uint64_t left = count(); left > 0 && in_.go_on(); --left, ++files) {
    in_.skip(in_.take<uint32_t>());
    in_.skip(in_.take<uint32_t>());
  }
  not_shown("source file", files);
}

}  // namespace weft::formats::tracy
