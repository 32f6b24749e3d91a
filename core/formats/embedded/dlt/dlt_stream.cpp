#include "core/formats/embedded/dlt/dlt_stream.h"

#include <algorithm>
#include <bit>

#include "core/formats/base/binary.h"
#include "core/formats/embedded/dlt/dlt_message_2.h"

namespace weft::formats::dlt {
namespace {

// In the highest bits of the first byte, whatever the version.
uint8_t version_of(std::string_view bytes) {
  constexpr uint8_t kVersionShift = 5;
  return bytes.empty() ? 0 : static_cast<uint8_t>(bytes.front()) >> kVersionShift;
}

bool is_name(std::string_view name) {
  return std::ranges::all_of(name, [](char letter) { return letter >= ' ' && letter <= '~'; });
}

bool is_plausible(const Message& message) {
  constexpr uint8_t kMostDetail = 6;
  if (message.has_kind && (message.kind > Kind::kControl || message.detail > kMostDetail))
    return false;
  return is_name(message.unit) && is_name(message.application) && is_name(message.context);
}

// Of any other text, what would be numbers of arguments and their types are large.
bool is_likely(const Message& message) {
  if (message.application.empty()) return false;
  if (!message.is_verbose) return message.arguments <= 1;
  if (message.arguments == 0 || !message.segment.empty()) return true;
  constexpr uint32_t kKinds = 0x66F0, kAll = 0x3FFFF;
  BinaryFields fields(message.payload);
  const auto type = fields.number<uint32_t>(message.is_big_endian);
  return std::has_single_bit(type & kKinds) && (type & ~kAll) == 0;
}

bool do_arguments_fit(const Message& message) {
  Arguments arguments;
  return message.is_verbose && message.arguments > 0 && take_arguments(message, arguments) &&
         arguments.rest.empty();
}

}  // namespace

std::optional<Stream> Stream::of(std::string_view head) {
  std::optional<Stream> best;
  size_t most = 0;
  for (const bool is_serial : {true, false}) {
    for (const bool is_little : {false, true}) {
      const Stream each(is_serial, is_little);
      const size_t messages = each.walk(head.substr(each.begin_in(head))).messages;
      if (messages <= most) continue;
      best = each;
      most = messages;
    }
  }
  return best;
}

int Stream::sureness(std::string_view head, bool is_whole) {
  constexpr int kMarked = 90, kMarkedLater = 70, kUnmarked = 80;
  constexpr size_t kSeveral = 3;
  const auto stream = of(head);
  if (!stream) return 0;
  const size_t begin = stream->begin_in(head);
  const Walk walk = stream->walk(head.substr(begin));
  const bool are_several = walk.messages >= kSeveral;
  if (stream->is_serial_) return begin == 0 ? kMarked : are_several ? kMarkedLater : 0;
  if (walk.end == End::kWithOtherBytes) return 0;
  if (walk.end == End::kWithinMessage && is_whole && !are_several) return 0;
  return walk.certain > 0 || walk.likely > kSeveral ? kUnmarked : 0;
}

size_t Stream::size_of(std::string_view bytes) const {
  constexpr uint32_t kFlags2 = 0xFFF;  // others are reserved
  constexpr size_t kHeader1 = 4, kHeader2 = 7;
  BinaryFields fields(bytes);
  if (is_serial_ && fields.bytes(kSerialMagic.size()) != kSerialMagic) return 0;
  const size_t before = fields.at();
  const uint8_t version = version_of(fields.rest());
  if (version == 1) {
    fields.bytes(2);  // flags, counter
    const auto length = fields.big<uint16_t>();
    return length < kHeader1 ? 0 : before + length;
  }
  if (version != 2 || fields.little<uint32_t>() > kFlags2) return 0;
  fields.bytes(1);  // counter
  const auto length = fields.number<uint16_t>(!is_little_);
  return length < kHeader2 ? 0 : before + length;
}

std::optional<Message> Stream::parse(std::string_view bytes) {
  constexpr int64_t kUptimeNs = 100'000;
  auto message = message_in(bytes);
  if (!message) return std::nullopt;
  if (message->uptime) last_ns_ = *message->uptime * kUptimeNs;
  if (message->sent_ns) last_ns_ = *message->sent_ns;
  message->time_ns = last_ns_;
  return message;
}

size_t Stream::find(std::string_view bytes, size_t from) const {
  if (is_serial_) return bytes.find(kSerialMagic, from);
  for (size_t at = from; at < bytes.size(); ++at) {
    const std::string_view rest = bytes.substr(at);
    const size_t size = size_of(rest);
    if (size == 0) continue;
    const auto message = message_in(rest.substr(0, size));
    if (message && is_likely(*message)) return at;
  }
  return std::string_view::npos;
}

size_t Stream::begin_in(std::string_view head) const {
  return is_serial_ ? std::min(head.find(kSerialMagic), head.size()) : 0;
}

Stream::Walk Stream::walk(std::string_view bytes) const {
  Walk walk;
  for (size_t size = 0; !bytes.empty(); bytes.remove_prefix(size)) {
    size = size_of(bytes);
    const bool is_cut = size == 0 ? bytes.size() < kSizeBytes : size > bytes.size();
    const auto message = size == 0 || is_cut ? std::nullopt : message_in(bytes.substr(0, size));
    if (!message) {
      walk.end = is_cut ? End::kWithinMessage : End::kWithOtherBytes;
      break;
    }
    ++walk.messages;
    if (!is_likely(*message)) continue;
    ++walk.likely;
    if (do_arguments_fit(*message)) ++walk.certain;
  }
  return walk;
}

std::optional<Message> Stream::message_in(std::string_view bytes) const {
  if (is_serial_) bytes.remove_prefix(kSerialMagic.size());
  std::optional<Message> message;
  if (version_of(bytes) == 1) {
    message.emplace();
    if (!parse_sent(bytes, *message)) return std::nullopt;
  } else {
    message = parse_sent_2(bytes, is_little_);
    const bool has_time = message && (message->sent_ns || message->kind == Kind::kControl);
    if (!has_time) return std::nullopt;
  }
  return is_plausible(*message) ? message : std::nullopt;
}

}  // namespace weft::formats::dlt
