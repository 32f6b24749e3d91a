#include "core/formats/messages/bags/mcap_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/bags/chunk.h"
#include "core/formats/messages/bags/topics.h"

namespace weft::formats {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMcapMagic = "\x89MCAP0\r\n"sv;
constexpr size_t kMcapRecordHead = 9;  // what it is, its length

enum McapRecord : uint8_t {
  kMcapHeader = 1,
  kMcapFooter = 2,
  kMcapSchema = 3,
  kMcapChannel = 4,
  kMcapMessage = 5,
  kMcapChunk = 6,
  kMcapAttachment = 9,
  kMcapMetadata = 12,
};

std::string_view take_string(BinaryFields& fields) {
  return fields.bytes(fields.little<uint32_t>());
}

class McapReader {
 public:
  McapReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), topics_(sink), memory_bytes_(memory_bytes) {}

  void read() {
    window_.skip(kMcapMagic.size());
    while (window_.is_wanted() && read_record()) {
    }
    if (!is_whole_) window_.finish("a record", "its footer");
  }

 private:
  // Returns false at the end.
  bool read_record() {
    const auto head = window_.peek(kMcapRecordHead);
    if (!head) return false;
    BinaryFields fields(*head);
    const auto kind = fields.little<uint8_t>();
    const auto size = fields.little<uint64_t>();
    offset_ = window_.offset();
    is_whole_ = kind == kMcapFooter;  // an index lies before it, the magic behind it
    if (is_whole_) return false;
    if (kind == kMcapAttachment) return read_attachment(size);
    if (size > memory_bytes_) {
      sink_.loss("record that is longer than the memory", offset_);
      return window_.skip(kMcapRecordHead) && window_.skip(size);
    }
    const auto bytes = window_.peek(kMcapRecordHead + size);
    if (!bytes) return false;
    take(kind, bytes->substr(kMcapRecordHead), true);
    return window_.skip(kMcapRecordHead + size);
  }

  // Its data may be of any length, and is not looked at.
  bool read_attachment(uint64_t size) {
    constexpr size_t kMostHead = 64 << 10;
    const std::string_view bytes =
        window_.peek_most(kMcapRecordHead + std::min<uint64_t>(size, kMostHead));
    BinaryFields fields(bytes.substr(kMcapRecordHead));
    const Time time = bags::time_from(fields.little<uint64_t>());
    fields.little<uint64_t>();
    const std::string_view name = take_string(fields), type = take_string(fields);
    const auto data_size = fields.little<uint64_t>();
    if (fields.has_failed()) {
      sink_.loss("record that does not hold what it should", offset_);
    } else {
      if (attachments_.is_none()) attachments_ = sink_.add_lane({.name = "attachments"});
      params_.add("name", name);
      params_.add("bytes", data_size);
      sink_.give(
          trace::PunctualEvent{.time = time,
                               .params = sink_.params(params_.take()),
                               .lane = attachments_,
                               .type = sink_.type(trace::Category::kPunctual,
                                                  type.empty() ? "attachment" : valid_utf8(type))});
    }
    return window_.skip(kMcapRecordHead) && window_.skip(size);
  }

  void take(uint8_t kind, std::string_view content, bool is_of_file) {
    BinaryFields fields(content);
    switch (kind) {
      case kMcapHeader:
        take_header(fields);
        break;
      case kMcapSchema:
        take_schema(fields);
        break;
      case kMcapChannel:
        take_channel(fields);
        break;
      case kMcapMessage:
        take_message(fields);
        break;
      case kMcapChunk:
        if (is_of_file) take_chunk(fields);
        break;
      case kMcapMetadata:
        take_metadata(fields);
        break;
      default:  // indices, statistics, what a program added for itself
        break;
    }
    if (fields.has_failed()) sink_.loss("record that does not hold what it should", offset_);
  }

  void take_header(BinaryFields& fields) {
    const std::string_view profile = take_string(fields), library = take_string(fields);
    if (!profile.empty()) sink_.set_metadata("profile", valid_utf8(profile));
    if (!library.empty()) sink_.set_metadata("written by", valid_utf8(library));
  }

  void take_schema(BinaryFields& fields) {
    const auto id = fields.little<uint16_t>();
    const std::string_view name = take_string(fields);
    if (!fields.has_failed()) schemas_[id] = name;
  }

  void take_channel(BinaryFields& fields) {
    const auto id = fields.little<uint16_t>();
    const auto schema = schemas_.find(fields.little<uint16_t>());
    const std::string_view topic = take_string(fields), encoding = take_string(fields);
    if (!fields.has_failed())
      topics_.add_topic(id, topic, schema == schemas_.end() ? "" : schema->second, encoding);
  }

  void take_message(BinaryFields& fields) {
    const auto channel = fields.little<uint16_t>();
    const auto sequence = fields.little<uint32_t>();
    const auto time = fields.little<uint64_t>(), published = fields.little<uint64_t>();
    if (fields.has_failed()) return;
    params_.add("sequence", sequence);
    if (published != 0 && published < time) params_.add("published before (ns)", time - published);
    topics_.add(channel, {bags::time_from(time), offset_, fields.rest()}, params_);
  }

  void take_chunk(BinaryFields& fields) {
    fields.bytes(16);  // its first and last time
    const auto size = fields.little<uint64_t>();
    fields.little<uint32_t>();  // a checksum
    const std::string_view compression = take_string(fields);
    const std::string_view packed = fields.bytes(fields.little<uint64_t>());
    if (fields.has_failed()) return;
    if (compression.empty()) return take_records(packed);
    const uint64_t most = std::min(size, memory_bytes_);
    std::string plain;
    if (const Status done = bags::unpack_chunk(compression, packed, most, plain); !done)
      sink_.loss(done.error().message, offset_);
    take_records(plain);
  }

  void take_records(std::string_view bytes) {
    BinaryFields fields(bytes);
    while (!fields.rest().empty()) {
      const auto kind = fields.little<uint8_t>();
      const std::string_view content = fields.bytes(fields.little<uint64_t>());
      if (fields.has_failed()) return sink_.loss("chunk that ends within a record", offset_);
      take(kind, content, false);
    }
  }

  void take_metadata(BinaryFields& fields) {
    const std::string name = valid_utf8(take_string(fields));
    BinaryFields entries(take_string(fields));
    while (!fields.has_failed() && !entries.rest().empty()) {
      const std::string_view key = take_string(entries), value = take_string(entries);
      if (entries.has_failed()) return fields.fail();
      sink_.set_metadata(name + ": " + valid_utf8(key), valid_utf8(value));
    }
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  bags::Topics topics_;
  uint64_t memory_bytes_;
  uint64_t offset_ = 0;  // of the record in the file
  bool is_whole_ = false;
  std::unordered_map<uint16_t, std::string> schemas_;  // their names
  LaneId attachments_ = LaneId::none();
  ArgsText params_;
};

}  // namespace

int sniff_mcap(std::span<const std::byte> head) {
  return as_chars(head).starts_with(kMcapMagic) ? 100 : 0;
}

Status read_mcap(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  McapReader(source, sink, context.memory_bytes).read();
  return {};
}

}  // namespace weft::formats
