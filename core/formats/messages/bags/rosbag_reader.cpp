#include "core/formats/messages/bags/rosbag_reader.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/messages/bags/chunk.h"
#include "core/formats/messages/bags/topics.h"

namespace weft::formats {
namespace {

constexpr std::string_view kRosbagMagic = "#ROSBAG V2.0\n";

enum RosbagOp : uint8_t { kBagMessage = 2, kBagChunk = 5, kBagConnection = 7 };

// The fields of a record's head: "name=value", each behind its length.
class BagHead {
 public:
  // Returns false if they do not fit.
  bool parse(std::string_view bytes) {
    fields_.clear();
    BinaryFields fields(bytes);
    while (!fields.rest().empty()) {
      const std::string_view field = fields.bytes(fields.little<uint32_t>());
      const size_t equals = field.find('=');
      if (fields.has_failed() || equals == std::string_view::npos) return false;
      fields_[field.substr(0, equals)] = field.substr(equals + 1);
    }
    return true;
  }
  std::string_view text(std::string_view name) const {
    const auto it = fields_.find(name);
    return it == fields_.end() ? std::string_view() : it->second;
  }
  template <class Value>
  std::optional<Value> number(std::string_view name) const {
    std::string_view bytes = text(name);
    return take_little<Value>(bytes);
  }

 private:
  std::map<std::string_view, std::string_view> fields_;
};

class RosbagReader {
 public:
  RosbagReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), topics_(sink), memory_bytes_(memory_bytes) {}

  void read() {
    window_.skip(kRosbagMagic.size());
    while (window_.is_wanted() && read_record()) {
    }
    window_.finish("a record");
  }

 private:
  static constexpr size_t kLength = 4;

  // Returns false at the end.
  bool read_record() {
    offset_ = window_.offset();
    const auto head_size = peek_length(0);
    const auto size = head_size ? peek_length(kLength + *head_size) : std::nullopt;
    if (!size) return false;
    const uint64_t whole = 2 * kLength + uint64_t{*head_size} + *size;
    if (whole > memory_bytes_) {
      sink_.loss("record that is longer than the memory", offset_);
      return window_.skip(whole);
    }
    const auto bytes = window_.peek(whole);
    if (!bytes) return false;
    take(bytes->substr(kLength, *head_size), bytes->substr(2 * kLength + *head_size), true);
    return window_.skip(whole);
  }

  std::optional<uint32_t> peek_length(uint64_t at) {
    if (at > memory_bytes_) {
      sink_.loss("record whose length cannot be", offset_);
      return std::nullopt;
    }
    auto bytes = window_.peek(at + kLength);
    if (!bytes) return std::nullopt;
    bytes->remove_prefix(at);
    return take_little<uint32_t>(*bytes);
  }

  void take(std::string_view head_bytes, std::string_view data, bool is_of_file) {
    BagHead head;
    const auto op = head.parse(head_bytes) ? head.number<uint8_t>("op") : std::nullopt;
    if (!op) return sink_.loss("record whose head cannot be read", offset_);
    if (*op == kBagConnection) take_connection(head, data);
    if (*op == kBagMessage) take_message(head, data);
    if (*op == kBagChunk && is_of_file) take_chunk(head, data);
  }

  void take_connection(const BagHead& head, std::string_view data) {
    const auto id = head.number<uint32_t>("conn");
    BagHead described;
    if (!id || !described.parse(data)) return sink_.loss("connection that cannot be read", offset_);
    topics_.add_topic(*id, head.text("topic"), described.text("type"), "ros1");
    if (!callers_.contains(*id)) callers_[*id] = described.text("callerid");
  }

  void take_message(const BagHead& head, std::string_view data) {
    const auto id = head.number<uint32_t>("conn");
    const auto time = head.number<uint64_t>("time");  // seconds, then nanoseconds
    if (!id || !time) return sink_.loss("message without a connection or a time", offset_);
    const uint64_t ns = (*time & UINT32_MAX) * kNsPerSecond + (*time >> 32);
    if (const auto it = callers_.find(*id); it != callers_.end() && !it->second.empty())
      params_.add("from", it->second);
    topics_.add(*id, {bags::time_from(ns), offset_, data}, params_);
  }

  void take_chunk(const BagHead& head, std::string_view data) {
    const std::string_view compression = head.text("compression");
    const uint64_t most =
        std::min<uint64_t>(head.number<uint32_t>("size").value_or(0), memory_bytes_);
    if (compression == "none" || compression.empty()) return take_records(data);
    std::string plain;
    if (const Status done = bags::unpack_chunk(compression, data, most, plain); !done)
      sink_.loss(done.error().message, offset_);
    take_records(plain);
  }

  void take_records(std::string_view bytes) {
    BinaryFields fields(bytes);
    while (!fields.rest().empty()) {
      const std::string_view head = fields.bytes(fields.little<uint32_t>());
      const std::string_view data = fields.bytes(fields.little<uint32_t>());
      if (fields.has_failed()) return sink_.loss("chunk that ends within a record", offset_);
      take(head, data, false);
    }
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  bags::Topics topics_;
  uint64_t memory_bytes_;
  uint64_t offset_ = 0;  // of the record in the file
  std::map<uint32_t, std::string> callers_;
  ArgsText params_;
};

}  // namespace

int sniff_rosbag(std::span<const std::byte> head) {
  return as_chars(head).starts_with(kRosbagMagic) ? 100 : 0;
}

Status read_rosbag(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  RosbagReader(source, sink, context.memory_bytes).read();
  return {};
}

}  // namespace weft::formats
