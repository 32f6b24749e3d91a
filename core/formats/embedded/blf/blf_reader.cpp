#include "core/formats/embedded/blf/blf_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/blf/blf_kinds.h"
#include "core/formats/embedded/blf/blf_objects.h"
#include "core/formats/messages/pcap/packet.h"

namespace weft::formats {
namespace {

using blf::Object;
using trace::Category;

// Properties of all bus frames.
struct Frame {
  std::string_view bus;  // "CAN"
  uint32_t channel = 0;
  std::string_view type;        // "CAN FD"
  std::string identifier = {};  // "0x123": the lane in that of the channel
  std::string_view bytes = {};
};

std::string_view direction_of(uint32_t direction) {
  constexpr std::string_view kNames[] = {"Rx", "Tx", "Tx request"};
  return direction < std::size(kNames) ? kNames[direction] : "";
}

std::string can_identifier(uint32_t id) {
  constexpr uint32_t kExtended = 1u << 31;
  return (id & kExtended) != 0 ? fmt::format("0x{:08X}", id & ~kExtended)
                               : fmt::format("0x{:03X}", id);
}

// A text that its length says to be longer than the object is cut.
std::string take_text(BinaryFields& fields, size_t size) {
  return valid_utf8(until_zero(fields.bytes(std::min(size, fields.rest().size()))));
}

std::string_view up_to(std::string_view bytes, size_t n) { return bytes.substr(0, n); }

class BlfReader {
 public:
  BlfReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : objects_(source, sink, memory_bytes), sink_(sink), lanes_(sink) {}

  void read() {
    const blf::Head head = objects_.read_head();
    if (!head.recorder.empty()) sink_.set_metadata("recorder", head.recorder);
    if (head.start > Time{0}) sink_.set_metadata("times", "by the clock of the recorder's zone");
    while (const auto object = objects_.next()) {
      time_ = head.start + object->time;
      offset_ = object->offset;
      params_.clear();
      BinaryFields fields(object->body);
      add(*object, fields);
      if (fields.has_failed()) sink_.loss("object that is shorter than its type", offset_);
    }
  }

 private:
  void add(const Object& object, BinaryFields& fields) {
    switch (object.type) {
      case blf::kCanMessage:
      case blf::kCanMessage2:
        return add_can(fields);
      case blf::kCanFdMessage:
        return add_can_fd(fields);
      case blf::kCanFdMessage64:
        return add_can_fd_64(fields);
      case blf::kCanError:
      case blf::kCanOverload:
        return add_can_event(fields, object.type);
      case blf::kCanErrorExt:
        return add_can_error(fields);
      case blf::kCanFdError64:
        return add_can_fd_error(fields);
      case blf::kCanDriverError:
        return add_driver_error(fields);
      case blf::kCanStatistic:
        return add_statistic(fields);
      case blf::kLinMessage:
        return add_lin(fields);
      case blf::kLinMessage2:
        return add_lin_2(fields);
      case blf::kFlexRayData:
        return add_flexray_data(fields);
      case blf::kFlexRayMessage:
        return add_flexray_message(fields);
      case blf::kFlexRayReceived:
      case blf::kFlexRayReceivedEx:
        return add_flexray(fields, object.type == blf::kFlexRayReceivedEx);
      case blf::kEthernetFrame:
        return add_ethernet(fields);
      case blf::kEthernetFrameEx:
        return add_ethernet_ex(fields);
      default:
        return add_of_log(object, fields);
    }
  }

  // Adds an object that belongs to no bus.
  void add_of_log(const Object& object, BinaryFields& fields) {
    switch (object.type) {
      case blf::kEnvInteger:
      case blf::kEnvDouble:
      case blf::kEnvString:
      case blf::kEnvData:
        return add_environment(fields, object.type);
      case blf::kSystemVariable:
        return add_system_variable(fields);
      case blf::kGps:
        return add_position(fields);
      case blf::kAppText:
        return add_text(fields);
      case blf::kAppTrigger:
        return add_trigger(fields);
      case blf::kEventComment:
        return add_comment(fields);
      case blf::kGlobalMarker:
        return add_marker(fields);
      case blf::kOverrun:
        return sink_.loss("frames lost: the recorder's buffer was full",
                          {offset_, log_lane(), time_});
      case blf::kDataLostEnd:
        return add_data_lost(fields);
      case blf::kDataLostBegin:  // its end says how many
      case blf::kRestorePoints:  // an index
        return;
      default:
        return add_other(object, fields);
    }
  }

  void add_can(BinaryFields& fields) {
    constexpr uint8_t kDirection = 0x0F, kRemote = 0x80;
    const uint32_t channel = fields.little<uint16_t>();
    const auto flags = fields.little<uint8_t>();
    const size_t size = fields.little<uint8_t>();
    const auto id = fields.little<uint32_t>();
    const bool is_remote = (flags & kRemote) != 0;
    if (is_remote) params_.add("size", size);
    add_direction(flags & kDirection);
    add_frame(fields, {"CAN", channel, is_remote ? "CAN remote request" : "CAN", can_identifier(id),
                       is_remote ? "" : up_to(fields.rest(), std::min<size_t>(size, 8))});
  }

  void add_can_fd(BinaryFields& fields) {
    constexpr uint8_t kDirection = 0x0F, kFd = 1, kFast = 2, kPassive = 4;
    const uint32_t channel = fields.little<uint16_t>();
    const auto flags = fields.little<uint8_t>();
    fields.little<uint8_t>();  // the code of the length
    const auto id = fields.little<uint32_t>();
    const auto length_ns = fields.little<uint32_t>();
    fields.little<uint8_t>();  // bits of the arbitration
    const auto fd = fields.little<uint8_t>();
    const size_t size = fields.little<uint8_t>();
    fields.bytes(5);
    add_direction(flags & kDirection);
    add_fd((fd & kFast) != 0, (fd & kPassive) != 0, length_ns);
    add_frame(fields, {"CAN", channel, (fd & kFd) != 0 ? "CAN FD" : "CAN", can_identifier(id),
                       up_to(fields.rest(), size)});
  }

  void add_can_fd_64(BinaryFields& fields) {
    constexpr uint32_t kRemote = 0x10, kFd = 0x1000, kFast = 0x2000, kPassive = 0x4000;
    const uint32_t channel = fields.little<uint8_t>();
    fields.little<uint8_t>();  // the code of the length
    const size_t size = fields.little<uint8_t>();
    fields.little<uint8_t>();  // attempts to send
    const auto id = fields.little<uint32_t>();
    const auto length_ns = fields.little<uint32_t>();
    const auto flags = fields.little<uint32_t>();
    fields.bytes(16);           // bit rates, offsets of time
    fields.little<uint16_t>();  // bits
    const auto direction = fields.little<uint8_t>();
    fields.bytes(5);  // where more stands, the checksum
    add_direction(direction);
    add_fd((flags & kFast) != 0, (flags & kPassive) != 0, length_ns);
    std::string_view type = (flags & kFd) != 0 ? "CAN FD" : "CAN";
    if ((flags & kRemote) != 0) type = "CAN remote request";
    add_frame(fields, {"CAN", channel, type, can_identifier(id), up_to(fields.rest(), size)});
  }

  void add_fd(bool is_fast, bool is_passive, uint32_t length_ns) {
    if (is_fast) params_.add("bit rate switch", 1);
    if (is_passive) params_.add("error passive", 1);
    if (length_ns > 0) params_.add("length (ns)", length_ns);
  }

  void add_can_event(BinaryFields& fields, uint32_t type) {
    const uint32_t channel = fields.little<uint16_t>();
    add_frame(fields,
              {"CAN", channel, type == blf::kCanError ? "CAN error frame" : "CAN overload frame"});
  }

  void add_can_error(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    fields.little<uint16_t>();
    fields.little<uint32_t>();  // flags
    params_.add("error code", fields.little<uint8_t>());
    params_.add("bit", fields.little<uint8_t>());
    fields.bytes(6);  // the length, of data and in time
    const auto id = fields.little<uint32_t>();
    if (id != 0) params_.add("identifier", can_identifier(id));
    add_frame(fields, {"CAN", channel, "CAN error frame"});
  }

  void add_can_fd_error(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint8_t>();
    fields.bytes(2);  // lengths
    params_.add("error code", fields.little<uint8_t>());
    fields.bytes(8);  // flags
    const auto id = fields.little<uint32_t>();
    if (id != 0) params_.add("identifier", can_identifier(id));
    add_frame(fields, {"CAN", channel, "CAN error frame"});
  }

  void add_driver_error(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    params_.add("errors of sending", fields.little<uint8_t>());
    params_.add("errors of receiving", fields.little<uint8_t>());
    params_.add("error code", fields.little<uint32_t>());
    add_frame(fields, {"CAN", channel, "CAN driver error"});
  }

  // Since the one before.
  void add_statistic(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    const double load = fields.little<uint16_t>() / 100.0;
    constexpr std::string_view kCounts[] = {"standard frames",   "extended frames",
                                            "standard requests", "extended requests",
                                            "error frames",      "overload frames"};
    uint32_t counts[std::size(kCounts)];
    for (uint32_t& count : counts) count = fields.little<uint32_t>();
    if (fields.has_failed()) return;
    const LaneId lane = lanes_.lane_of(fmt::format("CAN {}", channel));
    add_sample(lane, "bus load (%)", load);
    for (size_t i = 0; i < std::size(kCounts); ++i) add_sample(lane, kCounts[i], counts[i]);
  }

  void add_lin(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    const auto id = fields.little<uint8_t>();
    const size_t size = fields.little<uint8_t>();
    const std::string_view bytes = fields.bytes(8);
    fields.bytes(6);  // states, times, the checksum
    add_direction(fields.little<uint8_t>());
    add_frame(fields, {"LIN", channel, "LIN", fmt::format("0x{:02X}", id), up_to(bytes, size)});
  }

  void add_lin_2(BinaryFields& fields) {
    fields.bytes(12);  // when it began, the bit rate
    const uint32_t channel = fields.little<uint16_t>();
    fields.bytes(23);  // the synchronisation; who supplies it
    const auto id = fields.little<uint8_t>();
    const size_t size = fields.little<uint8_t>();
    fields.bytes(73);  // the model of the checksum, times of bytes
    const std::string_view bytes = fields.bytes(8);
    fields.little<uint16_t>();  // the checksum
    add_direction(fields.little<uint8_t>());
    add_frame(fields, {"LIN", channel, "LIN", fmt::format("0x{:02X}", id), up_to(bytes, size)});
  }

  void add_flexray_data(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    fields.little<uint8_t>();
    const size_t size = fields.little<uint8_t>();
    const auto slot = fields.little<uint16_t>();
    fields.little<uint16_t>();  // the checksum
    add_direction(fields.little<uint8_t>());
    fields.bytes(3);
    add_slot(fields, channel, slot, up_to(fields.rest(), size));
  }

  void add_flexray_message(BinaryFields& fields) {
    const uint32_t channel = fields.little<uint16_t>();
    add_direction(fields.little<uint8_t>());
    fields.bytes(17);  // times
    const auto slot = fields.little<uint16_t>();
    fields.bytes(4);  // checksum, state
    const size_t size = fields.little<uint8_t>();
    params_.add("cycle", fields.little<uint8_t>());
    fields.bytes(4);
    add_slot(fields, channel, slot, up_to(fields.rest(), size));
  }

  void add_flexray(BinaryFields& fields, bool is_extended) {
    const uint32_t channel = fields.little<uint16_t>();
    fields.bytes(4);  // the version, both channels
    add_direction(fields.little<uint16_t>());
    fields.bytes(8);
    const auto slot = fields.little<uint16_t>();
    fields.bytes(6);  // checksums, length
    const size_t size = fields.little<uint16_t>();
    params_.add("cycle", fields.little<uint16_t>());
    constexpr size_t kMore = 40;
    fields.bytes(16 + (is_extended ? kMore : 0));
    add_slot(fields, channel, slot, up_to(fields.rest(), size));
  }

  void add_slot(BinaryFields& fields, uint32_t channel, uint32_t slot, std::string_view bytes) {
    add_frame(fields, {"FlexRay", channel, "FlexRay", fmt::format("slot {}", slot), bytes});
  }

  void add_ethernet(BinaryFields& fields) {
    const std::string from = pcap::text_of_address(fields.bytes(6));
    const uint32_t channel = fields.little<uint16_t>();
    const std::string to = pcap::text_of_address(fields.bytes(6));
    add_direction(fields.little<uint16_t>());
    const auto type = fields.little<uint16_t>();
    fields.bytes(4);  // the tag
    const size_t size = fields.little<uint16_t>();
    fields.bytes(8);
    params_.add("from", from);
    params_.add("to", to);
    params_.add("type", fmt::format("0x{:04x}", type));
    add_frame(fields, {"Ethernet", channel, "Ethernet", from, up_to(fields.rest(), size)});
  }

  void add_ethernet_ex(BinaryFields& fields) {
    fields.bytes(4);
    const uint32_t channel = fields.little<uint16_t>();
    fields.little<uint16_t>();
    const auto length_ns = fields.little<uint64_t>();
    fields.little<uint32_t>();
    add_direction(fields.little<uint16_t>());
    const size_t size = fields.little<uint16_t>();
    fields.bytes(8);
    const std::string_view frame = up_to(fields.rest(), size);
    BinaryFields head(frame);
    const std::string to = pcap::text_of_address(head.bytes(6));
    const std::string from = pcap::text_of_address(head.bytes(6));
    params_.add("from", from);
    params_.add("to", to);
    params_.add("type", fmt::format("0x{:04x}", head.big<uint16_t>()));
    if (length_ns > 0) params_.add("length (ns)", length_ns);
    add_frame(fields, {"Ethernet", channel, "Ethernet", from, head.rest()});
  }

  void add_environment(BinaryFields& fields, uint32_t type) {
    const auto name_size = fields.little<uint32_t>();
    const auto size = fields.little<uint32_t>();
    fields.little<uint64_t>();
    const std::string_view name = until_zero(fields.bytes(name_size));
    BinaryFields value(fields.bytes(size));
    if (fields.has_failed()) return;
    const LaneId lane = lanes_.lane_of("environment variables");
    if (type == blf::kEnvInteger) return add_sample(lane, name, value.little<int32_t>());
    if (type == blf::kEnvDouble) return add_sample(lane, name, value.little<double>());
    if (type == blf::kEnvString) params_.add("value", until_zero(value.rest()));
    add_event(lane, name, "environment variable", type == blf::kEnvData ? value.rest() : "");
  }

  void add_system_variable(BinaryFields& fields) {
    enum : uint32_t { kDouble = 1, kLong, kString, kLongLong = 6 };
    const auto type = fields.little<uint32_t>();
    fields.bytes(12);
    const auto name_size = fields.little<uint32_t>();
    const auto size = fields.little<uint32_t>();
    fields.little<uint64_t>();
    const std::string_view name = until_zero(fields.bytes(name_size));
    BinaryFields value(fields.bytes(size));
    if (fields.has_failed()) return;
    const LaneId lane = lanes_.lane_of("system variables");
    if (type == kDouble) return add_sample(lane, name, value.little<double>());
    if (type == kLong) return add_sample(lane, name, value.little<int32_t>());
    if (type == kLongLong)
      return add_sample(lane, name, static_cast<double>(value.little<int64_t>()));
    if (type == kString) params_.add("value", until_zero(value.rest()));
    add_event(lane, name, "system variable", type == kString ? "" : value.rest());
  }

  void add_position(BinaryFields& fields) {
    fields.little<uint32_t>();
    const LaneId lane = lanes_.lane_of(fmt::format("GPS {}", fields.little<uint16_t>()));
    fields.little<uint16_t>();
    constexpr std::string_view kNames[] = {"latitude", "longitude", "altitude (m)", "speed (km/h)",
                                           "course"};
    for (const std::string_view name : kNames) {
      const auto value = fields.little<double>();
      if (!fields.has_failed()) add_sample(lane, name, value);
    }
  }

  void add_text(BinaryFields& fields) {
    constexpr std::string_view kSources[] = {"comment of the measurement", "database of a channel",
                                             "metadata"};
    const auto source = fields.little<uint32_t>();
    fields.little<uint32_t>();
    const auto size = fields.little<uint32_t>();
    fields.little<uint32_t>();
    const std::string text = take_text(fields, size);
    if (text.empty()) return;
    const std::string_view name = word_at(kSources, source);
    if (!name.empty()) sink_.set_metadata(name, text);
    params_.add("text", text);
    add_event(log_lane(), name.empty() ? "text" : name, "log");
  }

  void add_trigger(BinaryFields& fields) {
    params_.add("before (ns)", fields.little<uint64_t>());
    params_.add("behind (ns)", fields.little<uint64_t>());
    fields.little<uint16_t>();
    const auto flags = fields.little<uint16_t>();
    constexpr std::string_view kNames[] = {"trigger", "start of the log", "end of the log"};
    if (!fields.has_failed())
      add_event(log_lane(), flags < std::size(kNames) ? kNames[flags] : kNames[0], "log");
  }

  void add_comment(BinaryFields& fields) {
    const auto type = fields.little<uint32_t>();
    const auto size = fields.little<uint32_t>();
    fields.little<uint64_t>();
    params_.add("text", take_text(fields, size));
    params_.add("of", blf::kind_of(type).name);
    if (!fields.has_failed()) add_event(log_lane(), "comment", "log");
  }

  void add_marker(BinaryFields& fields) {
    fields.bytes(16);  // the type it is at, colours, whether it moves
    const auto group_size = fields.little<uint32_t>();
    const auto name_size = fields.little<uint32_t>();
    const auto text_size = fields.little<uint32_t>();
    fields.bytes(12);
    if (fields.has_failed()) return;
    const std::string group = take_text(fields, group_size);
    const std::string name = take_text(fields, name_size);
    const std::string text = take_text(fields, text_size);
    if (!group.empty()) params_.add("group", group);
    if (!text.empty()) params_.add("text", text);
    add_event(log_lane(), name.empty() ? "marker" : name, "marker");
  }

  void add_data_lost(BinaryFields& fields) {
    fields.bytes(12);  // the queue, when it began
    const auto count = fields.little<uint32_t>();
    if (fields.has_failed()) return;
    sink_.loss("events lost: a queue of the recorder was full", {offset_, log_lane(), time_},
               std::max<uint32_t>(count, 1));
  }

  void add_other(const Object& object, BinaryFields& fields) {
    const blf::Kind kind = blf::kind_of(object.type);
    if (kind.name == "object") params_.add("type", object.type);
    std::string lane(kind.bus);
    if (kind.channel_at != blf::Kind::kNoChannel) {
      fields.bytes(kind.channel_at);
      lane += fmt::format(" {}", fields.little<uint16_t>());
    }
    if (!fields.has_failed()) add_event(lanes_.lane_of(lane), kind.name, kind.bus, object.body);
  }

  void add_direction(uint32_t direction) {
    if (const auto name = direction_of(direction); !name.empty()) params_.add("direction", name);
  }

  void add_frame(const BinaryFields& fields, const Frame& frame) {
    if (fields.has_failed()) return;
    std::string lane = fmt::format("{} {}", frame.bus, frame.channel);
    if (!frame.identifier.empty()) lane += "/" + frame.identifier;
    add_event(lanes_.lane_of(lane), frame.type, frame.bus, frame.bytes);
  }

  void add_event(LaneId lane, std::string_view type, std::string_view group,
                 std::string_view bytes = {}) {
    sink_.give(trace::PunctualEvent{
        .time = time_,
        .params = sink_.params(params_.take(), std::as_bytes(std::span(bytes))),
        .lane = lane,
        .type = sink_.type(Category::kPunctual, valid_utf8(type), group)});
  }

  void add_sample(LaneId lane, std::string_view name, double value) {
    sink_.give(trace::VariableSample{.time = time_,
                                     .value = value,
                                     .lane = lane,
                                     .type = sink_.type(Category::kVariable, valid_utf8(name))});
  }

  LaneId log_lane() { return lanes_.lane_of("log"); }

  blf::ObjectReader objects_;
  trace::EventSink& sink_;
  LanePaths lanes_;
  ArgsText params_;      // of the object
  Time time_;            // of the object
  uint64_t offset_ = 0;  // of the object
};

}  // namespace

int sniff_blf(std::span<const std::byte> head) {
  constexpr uint32_t kLeast = 56, kMost = 4096;
  BinaryFields fields(as_chars(head));
  const bool is_one = fields.bytes(blf::kFileMagic.size()) == blf::kFileMagic;
  const auto size = fields.little<uint32_t>();
  return is_one && size >= kLeast && size <= kMost ? 100 : 0;
}

Status read_blf(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  BlfReader(source, sink, context.memory_bytes).read();
  return {};
}

}  // namespace weft::formats
