#include "core/formats/profiles/sysprof/sysprof_frames.h"

#include <fmt/core.h>

#include "core/base/text.h"

namespace weft::formats::sysprof {
namespace {

constexpr uint32_t kMagic = 0xFDCA975E;
constexpr size_t kHeaderBytes = 256, kTimeBytes = 64, kFrameBytes = 24;
constexpr uint8_t kVersion = 1;

}  // namespace

bool begins_as_capture(std::string_view head) { return take_little<uint32_t>(head) == kMagic; }

Status Frames::begin() {
  const auto head = window_.peek(kHeaderBytes);
  if (!head) return fail("ends within its header");
  if (!begins_as_capture(*head)) return fail("does not begin as a capture of sysprof does");
  BinaryFields fields(*head);
  fields.little<uint32_t>();
  const auto version = fields.little<uint8_t>();
  if (version != kVersion)
    return fail(fmt::format("is a capture of sysprof of version {}; version {} is read", version,
                            kVersion));
  is_big_endian_ = (fields.little<uint8_t>() & 1) == 0;
  fields.little<uint16_t>();
  captured_at_ = valid_utf8(until_zero(fields.bytes(kTimeBytes)));
  window_.skip(kHeaderBytes);
  return {};
}

bool Frames::next(Frame& frame) {
  if (!window_.is_wanted()) return false;
  const auto head = window_.peek(kFrameBytes);
  if (!head) {
    if (counts_losses_) window_.finish("a frame");
    return false;
  }
  frame.offset = window_.offset();
  Body fields(*head, is_big_endian_);
  const auto size = fields.number<uint16_t>();
  fields.number<int16_t>();  // the CPU
  frame.process = fields.number<int32_t>();
  frame.time = Time{fields.number<int64_t>()};
  frame.kind = fields.number<uint8_t>();
  // Frames are as long as whole addresses: otherwise there is no next one.
  if (size < kFrameBytes || size % sizeof(uint64_t) != 0) {
    if (counts_losses_) sink_.loss("frame without a length: what follows is lost", frame.offset);
    return false;
  }
  const auto whole = window_.peek(size);
  if (!whole) {
    if (counts_losses_) window_.finish("a frame");
    return false;
  }
  frame.body.assign(whole->substr(kFrameBytes));
  window_.skip(size);
  return true;
}

}  // namespace weft::formats::sysprof
