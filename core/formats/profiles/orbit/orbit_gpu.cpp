// Jobs of a GPU, and the command buffers and markers in them.
//
// A job waits in the driver's queue, in the GPU's, and is executed. Command buffers and markers
// have times of the GPU's clock: the first command buffer of a submission begins when the job does
// that the submission became, which is the one of its thread between the times at which the
// submission was called and returned.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/formats/base/args_text.h"
#include "core/formats/profiles/orbit/orbit_player.h"

namespace weft::formats::orbit {
namespace {

constexpr size_t kMostJobs = 1 << 18;
constexpr uint64_t kMostSubmissionBytes = 32 << 20;

uint32_t rgba_of(const Message& color) {
  constexpr float kMost = 255;
  uint32_t rgba = 0;
  for (const uint32_t part : {1U, 2U, 3U}) {
    const float value = color[part].real32();
    rgba = rgba << 8 | static_cast<uint32_t>(
                           std::isfinite(value) ? std::clamp(value, 0.0F, 1.0F) * kMost : 0.0F);
  }
  return rgba << 8 | 0xFF;
}

}  // namespace

void Player::add_job(const Message& message) {
  enum : uint32_t {
    kPid = 1,
    kTid,
    kContext,
    kNumber,
    kDepth,
    kSubmitted,
    kQueued,
    kStarted,
    kEnded,
    kTimeline,
  };
  std::string timeline = names_.text(message.number(kTimeline));
  if (timeline.empty()) timeline = fmt::format("timeline {}", message.number(kTimeline));
  const LaneId lane = below(root("GPU", trace::LaneKind::kGroup, 0), timeline);
  const LaneId by = thread(message.uint32(kPid), message.uint32(kTid));
  ArgsText args;
  args.add("context", message.uint32(kContext));
  args.add("number", message.uint32(kNumber));
  args.add("submitted by", thread_name(message.uint32(kTid)));
  const std::string json = args.take();
  const auto add_stage = [&](std::string_view name, uint32_t begin, uint32_t end) {
    add_state(below(lane, name), message.time(begin), message.time(end) - message.time(begin),
              type(name, "GPU"), json, message.uint32(kDepth));
  };
  add_stage("queue of the driver", kSubmitted, kQueued);
  add_stage("queue of the GPU", kQueued, kStarted);
  add_stage("execution", kStarted, kEnded);
  sink_.give(trace::LinkEvent{.send = message.time(kSubmitted),
                              .receive = message.time(kStarted),
                              .source = by,
                              .target = below(lane, "execution"),
                              .type = sink_.type(trace::Category::kLink, "GPU job")});
  const std::pair key(message.uint32(kTid), message.time(kSubmitted));
  if (jobs_.size() < kMostJobs) jobs_[key] = {message.time(kStarted), timeline};
}

void Player::add_submission(const Message& message, std::string_view bytes) {
  const Message about(message.text(1));
  submission_bytes_ += bytes.size();
  if (submission_bytes_ > kMostSubmissionBytes)
    return sink_.loss("GPU submissions beyond the reader's memory", offset_);
  submissions_.push_back({about.uint32(1), offset_, std::string(bytes)});
}

void Player::give_submissions() {
  for (const Submission& submission : submissions_) {
    if (!give_submission(submission))
      sink_.loss("GPU submission whose times nothing aligns", submission.offset);
  }
  submissions_.clear();
}

bool Player::give_submission(const Submission& submission) {
  enum : uint32_t { kBefore = 2, kAfter = 3 };
  const Message message(submission.bytes), about(message.text(1));
  const auto job = jobs_.lower_bound({submission.tid, about.time(kBefore)});
  if (job == jobs_.end() || job->first.first != submission.tid ||
      job->first.second > about.time(kAfter))
    return false;
  std::vector<std::pair<Time, Time>> buffers;
  message.for_each(2, [&](const Field& submit) {
    Message(submit.bytes).for_each(1, [&](const Field& buffer) {
      const Message times(buffer.bytes);
      buffers.emplace_back(times.time(1), times.time(2));
    });
  });
  if (buffers.empty() || buffers.front().first == Time{}) return false;  // it began before
  const Duration shift = job->second.start - buffers.front().first;
  const LaneId lane = below(root("GPU", trace::LaneKind::kGroup, 0), job->second.timeline);
  for (const auto& [begin, end] : buffers)
    add_state(below(lane, "command buffers"), begin + shift, end - begin,
              type("command buffer", "GPU"), {});
  message.for_each(3, [&](const Field& field) {
    enum : uint32_t { kBegin = 1, kEnd, kText, kDepth, kColor };
    const Message marker(field.bytes), begin(marker.text(kBegin));
    // One that began before the capture is shown from its submission's begin on.
    const Time from = begin.has(2) ? begin.time(2) : buffers.front().first;
    std::string name = names_.text(marker.number(kText));
    if (name.empty()) name = fmt::format("marker {}", marker.number(kText));
    const uint32_t rgba = marker.has(kColor) ? rgba_of(Message(marker.text(kColor))) : 0;
    add_state(below(lane, "markers"), from + shift, marker.time(kEnd) - from,
              type(name, "GPU marker", rgba), {}, marker.uint32(kDepth));
  });
  return true;
}

}  // namespace weft::formats::orbit
