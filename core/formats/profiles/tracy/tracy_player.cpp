#include "core/formats/profiles/tracy/tracy_player.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::formats::tracy {

Player::Player(io::Source& source, trace::EventSink& sink)
    : sink_(sink), in_(source, sink), lanes_(sink, texts_), stacks_(sink, texts_, lanes_) {}

Status Player::play() {
  WEFT_TRY(in_.begin());
  WEFT_TRY(read_header());
  sink_.set_time_base(TimeBase::kNanoseconds);
  struct Step {
    std::string_view what;
    void (Player::*read)();
  };
  static constexpr Step kSteps[] = {
      {"what is said of the program", &Player::read_program},
      {"the frames", &Player::read_frames},
      {"the sections", &Player::read_sections},
      {"the texts", &Player::read_texts},
      {"the locks", &Player::read_locks},
      {"the messages", &Player::read_messages},
      {"the zones", &Player::read_threads},
      {"the zones of GPUs", &Player::read_gpu},
      {"the plots", &Player::read_plots},
      {"the allocations of memory", &Player::read_pools},
      {"the call stacks", &Player::read_stacks},
      {"the images of frames", &Player::read_images},
      {"the context switches", &Player::read_thread_switches},
      {"the context switches of processors", &Player::read_processors},
      {"the symbols", &Player::read_symbols},
      {"the samples of hardware", &Player::read_hardware_samples},
      {"the source files", &Player::read_sources},
  };
  std::string_view at;
  for (const Step& step : kSteps) {
    if (!in_.go_on()) break;
    at = step.what;
    (this->*step.read)();
  }
  const bool is_whole = in_.is_ok();
  give_frames();
  give_messages_left();
  stacks_.finish();
  if (!is_whole) {
    in_.say_why(at);
  } else if (!in_.is_at_end()) {
    sink_.loss("bytes behind the last section", in_.offset());
  }
  return {};
}

void Player::read_texts() {
  texts_.read(in_, sink_);
  local_threads_.read(in_);
  all_threads_.read(in_);
  places_.read(in_);
  read_zone_counts();
  give_frames();
}

void Player::read_stacks() {
  stacks_.read(in_);
  read_app_info();
}

int64_t Player::next(int64_t& time) {
  // Hostile differences may go round: is_time() finds what they lead to.
  time = static_cast<int64_t>(static_cast<uint64_t>(time) + in_.take<uint64_t>());
  return time;
}

bool Player::is_time(int64_t time, LaneId lane) {
  constexpr int64_t kMost = int64_t{1} << 47;  // Tracy has 48 bits
  if (time >= -kMost && time < kMost) return true;
  sink_.loss("time that no trace has", {in_.offset(), lane});
  return false;
}

bool Player::is_span(int64_t begin, int64_t end, LaneId lane) {
  if (!is_time(begin, lane) || !is_time(end, lane)) return false;
  if (end >= begin) return true;
  sink_.loss("end before its begin", {in_.offset(), lane, Time{begin}});
  return false;
}

int64_t Player::end_of(int64_t begin, int64_t end, LaneId lane, std::string_view what) {
  if (end >= 0) return end;
  sink_.note(fmt::format("{} without an end", what), {in_.offset(), lane, Time{begin}});
  return std::max(begin, last_time_);
}

void Player::punctual(LaneId lane, int64_t time, EventTypeId type, std::string_view params,
                      uint32_t callstack) {
  if (!is_time(time, lane)) return;
  stacks_.give(trace::PunctualEvent{.time = {time}, .lane = lane, .type = type}, params, callstack);
}

bool Player::state(LaneId lane, int64_t begin, int64_t end, EventTypeId type,
                   std::string_view params, uint32_t callstack, uint32_t nesting) {
  if (!is_span(begin, end, lane)) return false;
  stacks_.give(trace::StateEvent{.begin = {begin},
                                 .duration = {end - begin},
                                 .lane = lane,
                                 .type = type,
                                 .nesting = nesting},
               params, callstack);
  return true;
}

void Player::not_shown(std::string_view what, uint64_t how_many) {
  if (how_many > 0) sink_.note(fmt::format("{}: not shown", what), in_.offset(), how_many);
}

}  // namespace weft::formats::tracy
