#include "core/formats/kernel/ctf/ctf_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/ctf/events_ahead.h"
#include "core/formats/kernel/ctf/graph.h"
#include "core/formats/kernel/ctf/metadata_2.h"
#include "core/formats/kernel/ctf/player.h"
#include "core/formats/kernel/ctf/trace_copy.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMetadata = "metadata";
constexpr std::string_view kJsonBegin = "\x1E{";  // of CTF 2

using Copies = std::vector<std::unique_ptr<ctf::TraceCopy>>;

// The folders of the traces, from the source's: "" is itself.
std::vector<std::string> traces_of(const io::Source& folder) {
  std::vector<std::string> traces;
  for (const io::FolderFile& file : folder.files()) {
    const fs::path path(file.name);
    if (path.filename() == kMetadata) traces.push_back(path.parent_path().string());
  }
  return traces;
}

std::string head_of(const fs::path& file) {
  std::string head(kHeadBytes, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(in.gcount()));
  return head;
}

// Of CTF 2, as that of 1.8.
Result<std::string> metadata_1(const fs::path& file) {
  constexpr uintmax_t kMostBytes = 64 << 20;  // tracers write a few; in memory it is ten times that
  std::error_code error;
  if (fs::file_size(file, error) > kMostBytes)
    return fail(fmt::format("metadata: larger than {}", format_bytes(kMostBytes)));
  std::ifstream in(file, std::ios::binary);
  return ctf::metadata_1_of(std::string(std::istreambuf_iterator<char>(in), {}));
}

// The seconds that a plain text says its clock began at; 0 where it does not.
int64_t clock_offset_s(std::string_view metadata) {
  constexpr std::string_view kOffset = "offset_s = ";
  const size_t at = metadata.find(kOffset);
  if (at == std::string_view::npos) return 0;
  std::string_view rest = metadata.substr(at + kOffset.size());
  return take_number<int64_t>(rest).value_or(0);
}

// Why a trace could not be added is that its streams are not whole.
bool is_of_streams(std::string_view message) {
  return message.starts_with(ctf::kBadStream) || message == ctf::kEndsWithinEvent ||
         message == ctf::kBeyondPacket;
}

// The stream for which a trace cannot be added: it is said, or each is tried alone. Empty: none.
std::string bad_stream_of(const ctf::TraceCopy& copy, std::string_view message) {
  constexpr std::string_view kBeforeName = ": ";
  if (message.starts_with(ctf::kBadStream)) {
    const size_t at = message.rfind(kBeforeName);
    return std::string(at == message.npos ? "" : message.substr(at + kBeforeName.size()));
  }
  for (const std::string& stream : copy.streams()) {
    const auto alone = ctf::TraceCopy::make(copy.folder(), {}, stream);
    if (!alone) return {};
    ctf::Graph trial;
    const Status added = trial.add((*alone)->folder());
    if (!added && is_of_streams(added.error().message)) return stream;
  }
  return {};
}

// A stream that was cut, or whose packets lie about their sizes, is read up to where the packets
// are right: without the last, then without twice as many each time, at last without the stream.
Status add_cut(ctf::Graph& graph, const fs::path& folder, Status added, trace::EventSink& sink,
               Copies& copies) {
  constexpr int kMostTries = 64;  // over all streams
  WEFT_TRY_ASSIGN(std::unique_ptr<ctf::TraceCopy> copy, ctf::TraceCopy::make(folder));
  std::map<std::string, size_t> left_out;  // packets, by stream
  for (int i = 0; i < kMostTries && !added; ++i) {
    const std::string& message = added.error().message;
    const std::string stream = is_of_streams(message) ? bad_stream_of(*copy, message) : "";
    if (stream.empty()) return added;
    const std::vector<uint64_t> packets = ctf::packets_of(folder / stream);
    size_t& out = left_out[stream];
    out = std::max<size_t>(1, out * 2);
    WEFT_TRY(copy->shorten(stream, out < packets.size() ? packets[packets.size() - out] : 0));
    added = graph.add(copy->folder());
  }
  for (const auto& [stream, out] : left_out)
    sink.loss(printable(stream) + " was cut: packets left out at its end",
              trace::LossPlace::nowhere(), out);
  copies.push_back(std::move(copy));
  return added;
}

// A clock beyond what nanoseconds reach is shown from its own origin.
Status add_trace(ctf::Graph& graph, fs::path folder, trace::EventSink& sink, Copies& copies) {
  std::string head = head_of(folder / kMetadata);
  std::string instead;  // of its own metadata
  if (head.starts_with(kJsonBegin)) {
    WEFT_TRY_ASSIGN(instead, metadata_1(folder / kMetadata));
  } else if (head.size() < kHeadBytes) {
    instead = ctf::with_clock(head);
  }
  if (!instead.empty()) {
    WEFT_TRY_ASSIGN(std::unique_ptr<ctf::TraceCopy> copy, ctf::TraceCopy::make(folder, instead));
    copies.push_back(std::move(copy));
    folder = copies.back()->folder();
    head = std::move(instead);
  }
  Status added = graph.add(folder);
  if (added) return added;
  if (is_of_streams(added.error().message))
    return add_cut(graph, folder, std::move(added), sink, copies);
  if (added.error().message != ctf::kClockBeyondRange) return added;
  const int64_t offset_s = clock_offset_s(head);
  if (offset_s <= 0) return added;
  sink.set_metadata("clock offset left out", fmt::format("{} s", offset_s));
  return graph.add(folder, -offset_s);
}

}  // namespace

int sniff_ctf(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head).substr(0, kHeadBytes);
  // Of packets, in either byte order; or of plain text.
  if (text.starts_with("\x57\x1D\xD1\x75") || text.starts_with("\x75\xD1\x1D\x57")) return 100;
  if (text.starts_with("/* CTF 1")) return 100;
  if (text.starts_with(kJsonBegin) && text.find("preamble") != std::string_view::npos) return 100;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  const bool is_metadata = has("trace {") || has("typealias integer") || has("byte_order =");
  return is_metadata && text.find('\0') == std::string_view::npos ? 30 : 0;
}

int sniff_ctf_folder(const io::Source& folder) {
  int best = 0;
  for (const std::string& trace : traces_of(folder)) {
    const std::string head = head_of(folder.path() / trace / kMetadata);
    best = std::max(best, sniff_ctf(std::as_bytes(std::span(head))));
    if (best == 100) break;
  }
  return best;
}

Status read_ctf(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  Copies copies;  // outlive what reads them
  ctf::Graph graph;
  const std::vector<std::string> traces = traces_of(source);
  size_t opened = 0;
  for (const std::string& trace : traces) {
    const Status added = add_trace(graph, source.path() / trace, sink, copies);
    if (!added && traces.size() == 1) return added;
    if (!added) {
      sink.loss(fmt::format("{} cannot be read: {}", printable(trace), added.error().message),
                trace::LossPlace::nowhere());
    }
    opened += added ? 1 : 0;
  }
  if (opened == 0) return fail("holds no CTF trace that can be read");
  ctf::Player player(sink, context, source.disk_bytes_total());
  WEFT_TRY(ctf::play_ahead(graph, player));
  WEFT_TRY(player.finish());
  sink.progress(source.disk_bytes_total(), source.disk_bytes_total());
  return {};
}

}  // namespace weft::formats
