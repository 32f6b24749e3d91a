#include "core/formats/messages/pcap/packet_events.h"

#include <fmt/core.h>

#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"

namespace weft::formats::pcap {

using trace::Category;
using trace::LaneKind;

void PacketEvents::add(const Captured& captured) {
  const Packet packet = parse_packet(captured.link_type, captured.bytes, captured.sent_bytes);
  const bool is_cut = captured.bytes.size() < captured.sent_bytes;
  if (is_cut) sink_.note("packet of which only the begin was captured", captured.offset);
  if (!packet.is_whole && !is_cut) {
    const trace::LossPlace place{captured.offset, LaneId::none(), captured.time};
    if (packet.goes_on) {
      sink_.note("fragment that ends within a header", place);
    } else {
      sink_.loss("packet whose headers do not fit it", place);
    }
  }
  const std::string kind = kind_of(packet);
  const ParamsId params = params_of(captured, packet);
  if (packet.source.empty() && packet.target.empty()) {
    return sink_.give(
        trace::PunctualEvent{.time = captured.time,
                             .params = params,
                             .lane = lane_without_hosts(captured, packet),
                             .type = sink_.type(Category::kPunctual, kind, "network")});
  }
  const bool has_ports = packet.ports && (are_ports_lanes_ || packet.source == packet.target);
  trace::LinkEvent link{.send = captured.time,
                        .receive = captured.time,
                        .params = params,
                        .type = sink_.type(Category::kLink, kind, "network")};
  if (!packet.source.empty())
    link.source = lane_of(packet.source, has_ports ? &packet.ports->source : nullptr);
  if (!packet.target.empty())
    link.target = lane_of(packet.target, has_ports ? &packet.ports->target : nullptr);
  sink_.give(link);
}

LaneId PacketEvents::lane_without_hosts(const Captured& captured, const Packet& packet) {
  if (!packet.lane.empty())
    return paths_.lane_of(captured.interface.empty()
                              ? packet.lane
                              : fmt::format("{}/{}", captured.interface, packet.lane));
  if (unknown_.is_none())
    unknown_ = sink_.add_lane({.name = "hosts not known", .kind = LaneKind::kMachine});
  return unknown_;
}

std::string PacketEvents::kind_of(const Packet& packet) {
  if (!packet.tcp) return packet.kind;
  switch (packet.is_whole ? flows_.add(packet) : TcpFlows::Seen::kNew) {
    case TcpFlows::Seen::kAgain:
      return "TCP retransmission";
    case TcpFlows::Seen::kKeepAlive:
      return "TCP keep-alive";
    case TcpFlows::Seen::kNew:
      break;
  }
  const uint8_t ends = packet.tcp->flags & (Tcp::kSyn | Tcp::kFin | Tcp::kRst);
  const uint8_t all = packet.tcp->flags & (Tcp::kSyn | Tcp::kFin | Tcp::kRst | Tcp::kAck);
  if (ends != 0) return "TCP " + text_of_flags(all);
  if (packet.payload_size > 0) return "TCP data";
  return all == 0 ? "TCP" : "TCP ACK";
}

ParamsId PacketEvents::params_of(const Captured& captured, const Packet& packet) {
  ArgsText params;
  if (!packet.details.empty()) params.continue_object(fmt::format("{{{}}}", packet.details));
  params.add("size", captured.sent_bytes);
  if (captured.bytes.size() < captured.sent_bytes) params.add("captured", captured.bytes.size());
  if (packet.ports) {
    params.add("source port", packet.ports->source);
    params.add("target port", packet.ports->target);
  }
  if (packet.tcp) {
    params.add("flags", text_of_flags(packet.tcp->flags));
    params.add("seq", packet.tcp->sequence);
    if ((packet.tcp->flags & Tcp::kAck) != 0) params.add("ack", packet.tcp->acknowledged);
    params.add("window", packet.tcp->window);
  }
  params.add("carries", packet.payload_size);
  if (packet.vlan) params.add("vlan", *packet.vlan);
  if (!captured.interface.empty()) params.add("interface", captured.interface);
  if (!captured.comment.empty()) params.add("comment", captured.comment);
  return sink_.params(params.take(), std::as_bytes(std::span(packet.payload)));
}

void PacketEvents::name(std::string_view address, std::string_view name) {
  Host& host = hosts_[address];
  if (!host.name.empty()) return;  // the first of several
  host.name = valid_utf8(name);
  if (!host.lane.is_none()) sink_.update_lane(host.lane, lane_for(address, host));
}

trace::Lane PacketEvents::lane_for(std::string_view address, const Host& host) {
  const std::string text = text_of_address(address);
  return {.name = host.name.empty() ? text : fmt::format("{} ({})", host.name, text),
          .kind = LaneKind::kMachine};
}

LaneId PacketEvents::lane_of(std::string_view address, const uint16_t* port) {
  Host& host = hosts_[address];
  if (host.lane.is_none()) host.lane = sink_.add_lane(lane_for(address, host));
  if (port == nullptr) return host.lane;
  const auto [it, is_new] = host.ports.try_emplace(*port);
  if (is_new)
    it->second = sink_.add_lane({.name = fmt::format(":{}", *port),
                                 .parent = host.lane,
                                 .kind = LaneKind::kQueue,
                                 .sort_index = *port});
  return it->second;
}

}  // namespace weft::formats::pcap
