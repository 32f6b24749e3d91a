// Puts packets into a sink: lanes of hosts and ports, and a link for each packet.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/formats/base/by_name.h"
#include "core/formats/base/lane_paths.h"
#include "core/formats/messages/pcap/packet.h"
#include "core/formats/messages/pcap/tcp_flows.h"
#include "core/trace/event_sink.h"

namespace weft::formats::pcap {

// One as it stands in a capture.
struct Captured {
  Time time;
  uint32_t link_type = 0;
  std::string_view bytes = {};
  uint64_t sent_bytes = 0;
  std::string_view interface = {}, comment = {};  // empty: not said
  uint64_t offset = 0;
};

class PacketEvents {
 public:
  PacketEvents(trace::EventSink& sink, bool are_ports_lanes)
      : sink_(sink), are_ports_lanes_(are_ports_lanes), paths_(sink) {}

  void add(const Captured& captured);
  // Sets the capture's name of a host, before or after its packets.
  void name(std::string_view address, std::string_view name);

 private:
  struct Host {
    LaneId lane = LaneId::none();
    std::string name;  // empty: not said
    std::map<uint16_t, LaneId> ports;
  };

  std::string kind_of(const Packet& packet);
  ParamsId params_of(const Captured& captured, const Packet& packet);
  static trace::Lane lane_for(std::string_view address, const Host& host);
  LaneId lane_without_hosts(const Captured& captured, const Packet& packet);
  LaneId lane_of(std::string_view address, const uint16_t* port);

  trace::EventSink& sink_;
  bool are_ports_lanes_;
  ByName<Host> hosts_;  // by the bytes of their addresses
  LanePaths paths_;     // of links without addresses
  LaneId unknown_ = LaneId::none();
  TcpFlows flows_;
};

}  // namespace weft::formats::pcap
