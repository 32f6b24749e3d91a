#include "core/formats/general/perfetto/packet_stream.h"

#include <algorithm>
#include <span>

#include "core/formats/base/early_end.h"
#include "core/formats/general/perfetto/packet_field.h"

namespace weft::formats::perfetto {
namespace {

constexpr size_t kBlockBytes = size_t{128} << 10;
constexpr size_t kMostRunBytes = size_t{64} << 10;  // with what it becomes, in a core's cache
constexpr size_t kMostRunPackets = size_t{4} << 10;
constexpr ptrdiff_t kMostNumberBytes = 10;
constexpr size_t kMostHeadBytes = 2 * kMostNumberBytes;

}  // namespace

PacketHead head_of_any_packet(std::string_view text) {
  PacketHead head;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto without_number = [&] {
    const bool is_cut = end - at < kMostNumberBytes;
    return PacketHead{.size = is_cut ? 0u : 1u};
  };
  const Number tag = number_at(at, end);
  if (tag.behind == nullptr) return without_number();
  head.is_packet = tag.value == static_cast<uint64_t>(kPacketTag);
  head.number = static_cast<uint32_t>(tag.value >> 3);
  const uint64_t type = tag.value & 7;
  head.is_field = tag.value >> 3 > 0 && (type <= 2 || type == 5);
  if (!head.is_field) return {.size = 1};
  at = tag.behind;
  if (type == 1 || type == 5) {
    head.bytes = type == 1 ? 8 : 4;
  } else {
    const Number number = number_at(at, end);
    if (number.behind == nullptr) return without_number();
    if (type == 2) head.bytes = number.value;
    at = number.behind;
  }
  head.size = static_cast<size_t>(at - text.data());
  return head;
}

std::optional<Field> cut_field(std::string_view message) {
  while (!message.empty()) {
    const PacketHead head = head_of_packet(message);
    if (head.size == 0 || !head.is_field) return std::nullopt;
    message.remove_prefix(head.size);
    if (head.bytes > message.size())
      return Field{.number = head.number, .is_bytes = true, .bytes = message};
    message.remove_prefix(static_cast<size_t>(head.bytes));
  }
  return std::nullopt;
}

bool is_surely_packet(std::string_view bytes, size_t most_bytes) {
  bool has_usual = false, is_wrong = false;
  const bool is_whole = for_each_field(bytes.substr(0, most_bytes), [&](const Field& field) {
    const bool is_number = field.number == kTimestamp || field.number == kSequence ||
                           field.number == kUid || field.number == kSequenceFlags ||
                           field.number == kClock;
    has_usual |= is_number && (field.number == kTimestamp || field.number == kSequence);
    is_wrong |= is_number == field.is_bytes && (is_number || field.number <= kSequence);
  });
  return is_whole && has_usual && !is_wrong;
}

std::optional<Packet> PacketStream::next() {
  for (;;) {
    const PacketHead head = head_of_packet(rest().substr(0, kMostHeadBytes));
    if (head.size == 0 && grow()) continue;
    if (head.size == 0) {
      if (!rest().empty()) sink_.loss("packet cut by the end of the trace", offset_);
      return std::nullopt;
    }
    if (!head.is_field) {
      ++damaged_;
      sink_.loss("bytes that are not packets", offset_);
      find_next_packet();
      continue;
    }
    if (head.bytes > most_packet_bytes_) {
      // Either it is so large, or its length lies.
      sink_.loss("packet too large", offset_);
      if (!pass_over(head.size + head.bytes)) return std::nullopt;
      continue;
    }
    const size_t size = head.size + static_cast<size_t>(head.bytes);
    while (rest().size() < size && grow()) {
    }
    if (rest().size() < size) {
      sink_.loss("packet cut by the end of the trace", offset_);
      find_next_packet();
      continue;
    }
    const Packet packet{rest().substr(head.size, head.bytes), offset_};
    at_ += size;
    offset_ += size;
    if (head.is_packet) return packet;
    sink_.note("field of the trace that is not a packet", packet.offset);
  }
}

Packet PacketStream::next_run() {
  size_t size = size_of_run();
  while (size == 0 && rest().size() < kMostRunBytes && grow()) size = size_of_run();
  const Packet run{rest().substr(0, size), offset_};
  at_ += size;
  offset_ += size;
  return run;
}

// The size of the intact packets in the buffer.
size_t PacketStream::size_of_run() const {
  const std::string_view text = rest().substr(0, kMostRunBytes);
  size_t size = 0;
  for (size_t packets = 0; packets < kMostRunPackets; ++packets) {
    const PacketHead head = head_of_packet(text.substr(size));
    if (!head.is_packet || head.size == 0 || head.bytes > text.size() - size - head.size) break;
    size += head.size + static_cast<size_t>(head.bytes);
  }
  return size;
}

// Returns false at the end.
bool PacketStream::grow() {
  if (is_ended_) return false;
  buffer_.erase(0, at_);
  at_ = 0;
  const size_t have = buffer_.size();
  const size_t more = std::max(have, kBlockBytes);
  buffer_.resize_and_overwrite(have + more, [&](char* bytes, size_t) {
    const auto n = source_.read(std::as_writable_bytes(std::span(bytes + have, more)));
    if (!n) report_early_end(sink_, n.error(), offset_ + have);
    is_ended_ = !n || *n == 0;
    return have + (n ? *n : 0);
  });
  return !is_ended_;
}

// Returns false if the input ends before.
bool PacketStream::pass_over(uint64_t bytes) {
  for (;;) {
    const auto passed = static_cast<size_t>(std::min<uint64_t>(bytes, rest().size()));
    at_ += passed;
    offset_ += passed;
    bytes -= passed;
    if (bytes == 0) return true;
    if (!grow()) return false;
  }
}

void PacketStream::find_next_packet() {
  for (;;) {
    // A byte more than where the search began, at least.
    const size_t found = std::min(rest().find(kPacketTag, 1), rest().size());
    at_ += found;
    offset_ += found;
    while (rest().size() < kBlockBytes && grow()) {
    }
    if (rest().empty()) return;
    const PacketHead head = head_of_packet(rest().substr(0, kMostHeadBytes));
    // Most begin with one of these numbers; looking closer at all others would take long.
    constexpr std::string_view kFirst = "\x40\x50\x18\x68";  // tags of numbers
    const bool fits = head.is_packet && head.bytes > 0 && head.bytes <= rest().size() - head.size &&
                      kFirst.find(rest()[head.size]) != std::string_view::npos;
    if (fits && is_surely_packet(rest().substr(head.size, static_cast<size_t>(head.bytes)))) return;
  }
}

}  // namespace weft::formats::perfetto
