// The reader of captured network packets: pcap (either byte order, micro- or nanoseconds, with
// Kuznetzov's longer records, too), pcapng (sections, interfaces, their clocks and counts) and
// btsnoop.
//
// Hosts are lanes, and each packet is a link from its sender to its receiver, with what its headers
// say as parameters and what they carry as payload. A capture knows one time of a packet, at which
// it passed the capture's place: sends and receives are equal, and no link has a latency. Packets
// that stay within a host, and all with `--option lanes=ports`, go from port to port, which are
// lanes below the host's.
//
// Packets of links that join no hosts (USB, CAN, Bluetooth, netlink) are punctual, on lanes of
// their devices and identifiers.
//
// Memory: the names, and what TcpFlows keeps.
//
// Sources: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng; RFC 1761 and BlueZ for btsnoop.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/formats/formats.h"

namespace weft::formats {

int sniff_pcap(std::span<const std::byte> head);
Status read_pcap(io::Source& source, trace::EventSink& sink, const ReadContext& context);

}  // namespace weft::formats
