#include "core/formats/embedded/systemview/systemview_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/embedded/systemview/packet.h"
#include "core/formats/embedded/systemview/player.h"
#include "core/io/memory_source.h"

namespace weft::formats {
namespace {

using systemview::kSyncBytes;
using systemview::Packet;
using systemview::Taken;

constexpr size_t kMostPacket = 20 << 10, kMostHeader = 20 << 10;

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

constexpr size_t kMostCores = 64;

// Where the packets of each core begin, as "; Offset Core1 12262" says it: behind the zeros of the
// first synchronisation. None: there is one core.
std::vector<uint64_t> offsets_of(std::string_view header) {
  std::vector<uint64_t> offsets;
  const uint64_t first = header.size() + kSyncBytes;
  while (!header.empty()) {
    std::string_view line = take_to(header, '\n');
    if (!take_prefix(line, "; Offset Core")) continue;
    const auto core = take_number<uint64_t>(line);
    skip_spaces(line);
    const auto offset = take_number<uint64_t>(line);
    if (core != offsets.size() || !offset || offsets.size() == kMostCores) return {};
    offsets.push_back(first + *offset);
  }
  const bool is_in_order = std::ranges::is_sorted(offsets);
  return is_in_order && offsets.size() > 1 ? offsets : std::vector<uint64_t>();
}

// The packets of one core, one after the other.
class Packets {
 public:
  // Losses count bytes from `begin` on.
  Packets(io::Source& source, trace::EventSink& sink, uint64_t begin)
      : window_(source, sink), sink_(sink), begin_(begin) {}

  // nullopt: there are no more. Valid until the next call.
  const std::optional<Packet>& next() {
    window_.skip(std::exchange(size_, 0));
    packet_.reset();
    while (window_.is_wanted() && read()) {
      if (packet_) return packet_;
    }
    window_.finish("a packet");
    return packet_;
  }
  const std::optional<Packet>& packet() const { return packet_; }
  uint64_t offset() const { return begin_ + window_.offset(); }
  void skip(size_t bytes) { window_.skip(bytes); }

 private:
  // Returns false at the end.
  bool read() {
    std::string_view bytes = window_.peek_most(kMostPacket);
    if (bytes.empty()) return false;
    if (const size_t zeros = zeros_of(bytes); zeros > 0) {
      if (zeros < std::min(kSyncBytes, bytes.size())) sink_.loss("stray zeros", offset());
      return window_.skip(zeros);
    }
    const size_t before = bytes.size();
    Packet packet;
    switch (systemview::take_packet(bytes, packet)) {
      case Taken::kPacket:
        packet_ = packet;
        size_ = before - bytes.size();
        return true;
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
    sink_.loss("packet that is none", offset());
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
  uint64_t begin_;
  std::optional<Packet> packet_;
  size_t size_ = 0;  // of the packet, which is still in the window
};

std::filesystem::path folder_beside(const io::Source& source) {
  return io::path_beside(source.path()).parent_path();
}

void read_core(io::Source& source, trace::EventSink& sink, size_t header) {
  systemview::Player player(sink, 1, folder_beside(source));
  Packets packets(source, sink, 0);
  packets.skip(header);
  while (const auto& packet = packets.next()) player.add(0, *packet, packets.offset());
  player.finish();
}

// A core's part of a recording, and when its next packet is.
struct Part {
  io::MemorySource source;
  Packets packets;
  uint64_t ticks = 0;
  bool is_over = false;

  Part(std::string_view bytes, uint64_t begin, trace::EventSink& sink)
      : source(std::as_bytes(std::span(bytes))), packets(source, sink, begin) {
    step();
  }
  void step() {
    const auto& packet = packets.next();
    is_over = !packet;
    if (packet) ticks += std::min(packet->ticks, std::numeric_limits<uint64_t>::max() - ticks);
  }
};

// The parts lie one after the other, each with a clock of its own.
Status read_cores(io::Source& source, trace::EventSink& sink, const std::vector<uint64_t>& begins) {
  WEFT_TRY_ASSIGN(const WholeInput whole, WholeInput::read(source, sink));
  const std::string_view bytes = whole.bytes();
  std::deque<Part> parts;
  for (size_t core = 0; core < begins.size(); ++core) {
    const uint64_t begin = std::min<uint64_t>(begins[core], bytes.size());
    const uint64_t end = core + 1 < begins.size() ? begins[core + 1] : bytes.size();
    if (begin == bytes.size())
      sink.loss(fmt::format("core {} of which nothing is there", core), begin);
    parts.emplace_back(bytes.substr(begin, end - begin), begin, sink);
  }
  systemview::Player player(sink, parts.size(), folder_beside(source));
  while (true) {
    const auto next = std::ranges::min_element(
        parts, {}, [](const Part& part) { return std::pair(part.is_over, part.ticks); });
    if (next->is_over) break;
    player.add(static_cast<size_t>(next - parts.begin()), *next->packets.packet(),
               next->packets.offset());
    next->step();
  }
  player.finish();
  return {};
}

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

bool is_systemview_description(std::string_view file_name) {
  return file_name.starts_with("SYSVIEW_") && file_name.ends_with(".txt");
}

Status read_systemview(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(kMostHeader));
  const std::string_view text = as_chars(head);
  const std::string_view header = text.substr(0, header_of(text));
  if (const auto begins = offsets_of(header); !begins.empty())
    return read_cores(source, sink, begins);
  read_core(source, sink, header.size());
  return {};
}

}  // namespace weft::formats
