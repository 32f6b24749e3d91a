#include "core/formats/embedded/systemview/systemview_reader.h"

#include <algorithm>
#include <string_view>

#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/systemview/packet.h"
#include "core/formats/embedded/systemview/player.h"

namespace weft::formats {
namespace {

using systemview::kSyncBytes;
using systemview::Packet;
using systemview::Taken;

constexpr size_t kMostPacket = 20 << 10;

// Counts leading zeros.
size_t zeros_of(std::string_view bytes) {
  const size_t end = bytes.find_first_not_of('\0');
  return end == std::string_view::npos ? bytes.size() : end;
}

// Lines of text in front, as the recording program writes them: "; Version …".
size_t header_of(std::string_view bytes) {
  size_t size = 0;
  while (size < bytes.size() && bytes[size] == ';') {
    const size_t end = bytes.find('\n', size);
    if (end == std::string_view::npos) return bytes.size();
    size = end + 1;
  }
  return size;
}

class SystemViewReader {
 public:
  SystemViewReader(io::Source& source, trace::EventSink& sink)
      : window_(source, sink), sink_(sink), player_(sink) {}

  void read() {
    window_.skip(header_of(window_.peek_most(kMostPacket)));
    while (window_.is_wanted() && read_packet()) {
    }
    window_.finish("a packet");
    player_.finish();
  }

 private:
  // Returns false at the end.
  bool read_packet() {
    std::string_view bytes = window_.peek_most(kMostPacket);
    if (bytes.empty()) return false;
    if (const size_t zeros = zeros_of(bytes); zeros > 0) {
      if (zeros < std::min(kSyncBytes, bytes.size())) sink_.loss("stray zeros", window_.offset());
      return window_.skip(zeros);
    }
    const size_t before = bytes.size();
    Packet packet;
    switch (systemview::take_packet(bytes, packet)) {
      case Taken::kPacket:
        player_.add(packet, window_.offset());
        return window_.skip(before - bytes.size());
      case Taken::kCut:
        if (before < kMostPacket) return false;
        [[fallthrough]];
      case Taken::kDamaged:
        return synchronise();
    }
    return false;
  }

  // From the next synchronisation on.
  bool synchronise() {
    sink_.loss("packet that is none", window_.offset());
    constexpr char kZeros[kSyncBytes] = {};
    while (true) {
      const std::string_view bytes = window_.peek_most(kMostPacket);
      const size_t at = bytes.find(std::string_view(kZeros, kSyncBytes));
      if (at != std::string_view::npos) return window_.skip(at);
      if (bytes.size() < kMostPacket) return window_.skip(bytes.size()) && false;
      window_.skip(bytes.size() - kSyncBytes + 1);
    }
  }

  ByteWindow window_;
  trace::EventSink& sink_;
  systemview::Player player_;
};

}  // namespace

// Packets that can be taken, and among the first that a recording starts.
int sniff_systemview(std::span<const std::byte> head) {
  std::string_view bytes = as_chars(head);
  const size_t header = header_of(bytes);
  const bool is_named = bytes.substr(0, header).find("SystemView") != std::string_view::npos;
  bytes.remove_prefix(header);
  constexpr int kCertain = 95, kLikely = 85, kPacketsLookedAt = 16;
  if (is_named) return kCertain;
  const size_t zeros = zeros_of(bytes);
  if (header > 0 || zeros < kSyncBytes) return 0;
  bytes.remove_prefix(zeros);
  for (int i = 0; i < kPacketsLookedAt; ++i) {
    Packet packet;
    if (systemview::take_packet(bytes, packet) != Taken::kPacket) return 0;
    if (packet.id == systemview::kInit || packet.id == systemview::kTraceStart) return kLikely;
  }
  return 0;
}

Status read_systemview(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  SystemViewReader(source, sink).read();
  return {};
}

}  // namespace weft::formats
