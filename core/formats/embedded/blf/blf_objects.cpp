#include "core/formats/embedded/blf/blf_objects.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/base/system_time.h"
#include "core/io/decompress.h"

namespace weft::formats::blf {
namespace {

constexpr size_t kRawBytes = 16;   // signature, sizes, type
constexpr size_t kHeadBytes = 32;  // with flags and time
constexpr size_t kMostObjectBytes = 64 << 20;
constexpr size_t kAlignment = 4;
constexpr uint32_t kContainer = 10;

// Objects begin at multiples of four bytes, whatever stands in between, or behind some zeros.
bool is_filling(std::string_view bytes) {
  return bytes.size() < kAlignment || bytes.find_first_not_of('\0') == std::string_view::npos;
}

std::string recorder_of(uint8_t id, uint8_t major, uint8_t minor) {
  constexpr std::array<std::string_view, 8> kNames = {
      "", "CANalyzer", "CANoe", "CANstress", "CANlog", "CANape", "CANcaseXL log", "VLConfig"};
  if (id == 0 || id >= kNames.size()) return {};
  return fmt::format("{} {}.{}", kNames[id], major, minor);
}

// Since the start.
Duration duration_of(uint32_t flags, uint64_t time) {
  constexpr uint32_t kTenMicroseconds = 1;
  constexpr int64_t kNs = 10'000;
  constexpr auto kMost = static_cast<uint64_t>(Time::max().ticks);
  const auto ticks = static_cast<int64_t>(std::min(time, kMost));
  if ((flags & kTenMicroseconds) == 0) return {ticks};
  int64_t ns = 0;
  return {__builtin_mul_overflow(ticks, kNs, &ns) ? Time::max().ticks : ns};
}

}  // namespace

Head ObjectReader::read_head() {
  constexpr size_t kStartAt = 40, kStartBytes = 16, kSizeAt = 4, kRecorderAt = 12;
  const auto bytes = window_.peek(kStartAt + kStartBytes);
  if (!bytes) return {};
  BinaryFields recorder(bytes->substr(kRecorderAt));
  const auto id = recorder.little<uint8_t>();
  recorder.little<uint8_t>();  // the level of compression
  const auto major = recorder.little<uint8_t>();
  BinaryFields start(bytes->substr(kStartAt));
  const Head head{.start = take_system_time(start),
                  .recorder = recorder_of(id, major, recorder.little<uint8_t>())};
  behind_ = BinaryFields(bytes->substr(kSizeAt)).little<uint32_t>();
  return head;
}

std::optional<Object> ObjectReader::next() {
  while (window_.is_wanted()) {
    if (const auto object = next_unpacked()) return object;
    bool is_end = false;
    if (const auto object = next_of_file(is_end)) return object;
    if (!is_end) continue;
    const bool is_cut = at_ < unpacked_.size() && unpacked_.size() - at_ >= kAlignment;
    if (is_cut) sink_.loss("input ends within an object", container_);
    window_.finish("an object");
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<ObjectReader::Raw> ObjectReader::raw_of(std::string_view bytes) {
  BinaryFields fields(bytes);
  if (fields.bytes(kObjectMagic.size()) != kObjectMagic) return std::nullopt;
  fields.little<uint32_t>();  // the size of the head, its version
  const auto size = fields.little<uint32_t>();
  const auto type = fields.little<uint32_t>();
  const bool is_one = !fields.has_failed() && size >= kRawBytes && size <= kMostObjectBytes;
  return is_one ? std::optional(Raw{type, size}) : std::nullopt;
}

std::optional<Object> ObjectReader::object_of(const Raw& raw, std::string_view bytes,
                                              uint64_t offset) {
  const size_t head = BinaryFields(bytes.substr(kObjectMagic.size())).little<uint16_t>();
  if (bytes.size() < kHeadBytes || head < kHeadBytes || head > bytes.size()) {
    sink_.loss("object whose head does not fit it", offset);
    return std::nullopt;
  }
  // Both versions of the head have them there.
  BinaryFields fields(bytes.substr(kRawBytes));
  const auto flags = fields.little<uint32_t>();
  fields.little<uint32_t>();
  return Object{.type = raw.type,
                .time = duration_of(flags, fields.little<uint64_t>()),
                .body = bytes.substr(head),
                .offset = offset};
}

// Returns the next object from the containers' content; nullopt if it is incomplete.
std::optional<Object> ObjectReader::next_unpacked() {
  while (unpacked_.size() - at_ >= kRawBytes) {
    const std::string_view rest = std::string_view(unpacked_).substr(at_);
    const auto raw = raw_of(rest);
    if (!raw) {
      const size_t next = rest.find(kObjectMagic, rest.starts_with(kObjectMagic) ? 1 : 0);
      const size_t skipped = std::min(next, rest.size() - (kObjectMagic.size() - 1));
      if (!is_filling(rest.substr(0, skipped)))
        sink_.loss("bytes that are not objects", container_);
      at_ += skipped;
      continue;
    }
    if (rest.size() < raw->size) return std::nullopt;
    at_ += raw->size;
    if (auto object = object_of(*raw, rest.substr(0, raw->size), container_)) return object;
  }
  return std::nullopt;
}

// Returns the next object of the file itself; nullopt if it is a container, which is then opened.
std::optional<Object> ObjectReader::next_of_file(bool& is_end) {
  window_.skip(std::exchange(behind_, 0));
  if (const size_t left = window_.peek_most(kAlignment).size(); left < kAlignment)
    window_.skip(left);  // they fill up
  const uint64_t offset = window_.offset();
  const auto head = window_.peek(kRawBytes);
  is_end = !head;
  if (is_end) return std::nullopt;
  const auto raw = raw_of(*head);
  if (!raw) {
    find_object();
    return std::nullopt;
  }
  const std::string_view bytes = window_.peek_most(raw->size);
  if (raw->type == kContainer) {
    if (bytes.size() < raw->size) sink_.loss("input ends within a container", offset);
    container_ = offset;
    open_container(bytes);
    behind_ = bytes.size();
    return std::nullopt;
  }
  is_end = bytes.size() < raw->size;
  if (is_end) return std::nullopt;
  behind_ = raw->size;
  return object_of(*raw, bytes, offset);
}

void ObjectReader::open_container(std::string_view bytes) {
  constexpr size_t kReserved = 6;
  constexpr uint16_t kPlain = 0;
  unpacked_.erase(0, std::exchange(at_, 0));
  BinaryFields fields(bytes);
  fields.bytes(kRawBytes);
  const auto method = fields.little<uint16_t>();
  fields.bytes(kReserved);
  const auto size = fields.little<uint32_t>();
  fields.little<uint32_t>();
  if (fields.has_failed()) return sink_.loss("container whose head does not fit it", container_);
  if (method == kPlain) {
    unpacked_ += fields.rest();
    return;
  }
  const uint64_t most = std::min<uint64_t>(size, memory_bytes_);
  if (const Status done = io::decompress(io::Compression::kZlib, fields.rest(), most, unpacked_);
      !done)
    sink_.loss("container that cannot be unpacked: " + done.error().message, container_);
}

void ObjectReader::find_object() {
  const uint64_t offset = window_.offset();
  window_.skip(window_.peek_most(1).size());
  window_.skip_to(kObjectMagic.size(),
                  [](std::string_view bytes) { return bytes.find(kObjectMagic); });
  if (window_.offset() - offset >= kAlignment) sink_.loss("bytes that are not objects", offset);
}

}  // namespace weft::formats::blf
