#include "core/formats/kernel/ctf/ctf_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/binary.h"
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

constexpr std::string_view kLittlePackets = "\x57\x1D\xD1\x75", kBigPackets = "\x75\xD1\x1D\x57";

// Metadata in packets, in either byte order; else it is plain text.
bool is_packets(std::string_view head) {
  return head.starts_with(kLittlePackets) || head.starts_with(kBigPackets);
}

// Returns the text of metadata in packets. Babeltrace goes round for ever in metadata that ends
// within one. Before its content a packet has, by the CTF 1.8 specification: the magic number (4
// bytes), a UUID (16), a checksum (4), the sizes of its content and of itself in bits (4 each),
// then five bytes for schemes and the version. By CTF2-PMETA-1.0 three bytes and the size of this
// header in bits follow, which tracers before it left out.
Result<std::string> text_of_packets(std::string_view packets) {
  constexpr size_t kSizesAt = 24, kVersionAt = 35, kHeaderBytes = 37, kHeaderSizeAt = 40;
  constexpr size_t kHeader2Bytes = 44;
  std::string text;
  for (size_t at = 0; at < packets.size();) {
    std::string_view packet = packets.substr(at);
    if (packet.size() < kHeaderBytes)
      return fail(fmt::format("metadata was cut at byte {}", packets.size()));
    const auto size_at = [&](size_t offset) -> size_t {
      std::string_view bytes = packet.substr(std::min(offset, packet.size()));
      const auto bits = packet.starts_with(kLittlePackets) ? take_little<uint32_t>(bytes)
                                                           : take_big<uint32_t>(bytes);
      return bits.value_or(0) / CHAR_BIT;
    };
    const size_t content = size_at(kSizesAt), size = size_at(kSizesAt + sizeof(uint32_t));
    const bool is_long = packet[kVersionAt] == 2 && size_at(kHeaderSizeAt) == kHeader2Bytes;
    const size_t header = is_long ? kHeader2Bytes : kHeaderBytes;
    if (!is_packets(packet) || content < header || content > size)
      return fail(fmt::format("metadata is damaged at byte {}", at));
    if (size > packet.size())
      return fail(fmt::format("metadata was cut at byte {}", packets.size()));
    text += packet.substr(header, content - header);
    at += size;
  }
  return text;
}

Result<std::string> content_of(const fs::path& metadata) {
  constexpr uintmax_t kMostBytes = 64 << 20;  // tracers write a few; in memory it is ten times that
  std::error_code error;
  if (fs::file_size(metadata, error) > kMostBytes && !error)
    return fail(fmt::format("metadata: larger than {}", format_bytes(kMostBytes)));
  std::ifstream in(metadata, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
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
    const Status added = trial.add({(*alone)->folder()});
    if (!added && is_of_streams(added.error().message)) return stream;
  }
  return {};
}

// A stream that was cut, or whose packets lie about their sizes, is read up to where the packets
// are right: without the last, then without twice as many each time, at last without the stream.
Status add_cut(ctf::Graph& graph, const fs::path& folder, Status added, Copies& copies,
               ctf::CutStreams& cuts) {
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
    added = graph.add({copy->folder()});
  }
  for (const auto& [stream, out] : left_out) cuts[copy->folder() / stream] = out;
  copies.push_back(std::move(copy));
  return added;
}

// Returns the folder to read: a copy, if Babeltrace would not understand the trace's metadata.
Result<fs::path> readable(fs::path folder, Copies& copies) {
  WEFT_TRY_ASSIGN(std::string text, content_of(folder / kMetadata));
  const bool has_packets = is_packets(text);
  if (has_packets) {
    WEFT_TRY_ASSIGN(text, text_of_packets(text));
  }
  std::string instead;
  if (ctf::is_metadata_2(text)) {
    WEFT_TRY_ASSIGN(instead, ctf::metadata_1_of(text));
  } else {
    if (!has_packets) instead = ctf::with_clock(text);
    if (!has_packets && instead.empty()) instead = ctf::with_version(text);
    WEFT_TRY_ASSIGN(std::string whole, ctf::with_frequencies(instead.empty() ? text : instead));
    if (!whole.empty()) instead = std::move(whole);
  }
  if (instead.empty()) return folder;
  WEFT_TRY_ASSIGN(std::unique_ptr<ctf::TraceCopy> copy, ctf::TraceCopy::make(folder, instead));
  copies.push_back(std::move(copy));
  return copies.back()->folder();
}

// A clock beyond what nanoseconds reach is shown from its own origin.
Status add_trace(ctf::Graph& graph, const fs::path& folder, trace::EventSink& sink, Copies& copies,
                 ctf::CutStreams& cuts) {
  Status added = graph.add({folder});
  if (added) return added;
  if (is_of_streams(added.error().message))
    return add_cut(graph, folder, std::move(added), copies, cuts);
  if (added.error().message != ctf::kClockBeyondRange) return added;
  const int64_t offset_s = clock_offset_s(head_of(folder / kMetadata));
  if (offset_s <= 0) return added;
  sink.set_metadata("clock offset left out", fmt::format("{} s", offset_s));
  return graph.add({folder}, -offset_s);
}

// Returns the recording's UUID, from each metadata packet or the text. Empty: none.
std::string uuid_of(const fs::path& folder) {
  constexpr size_t kAt = 4, kBytes = 16;  // behind the magic number
  constexpr std::string_view kWord = "uuid = \"";
  const std::string head = head_of(folder / kMetadata);
  if (is_packets(head)) return head.substr(kAt, kBytes);
  const size_t at = head.find(kWord);
  if (at == head.npos) return {};
  const size_t begin = at + kWord.size();
  return head.substr(begin, head.find('"', begin) - begin);
}

// Reads for nobody.
class Trial final : public ctf::Visitor {
 public:
  explicit Trial(const trace::EventSink& sink) : sink_(sink) {}
  void begin(size_t, const bt_stream&, bool) override {}
  void packet(size_t, const bt_packet&) override {}
  void event(size_t, const bt_event&, Time) override {}
  void discarded(size_t, const ctf::Discarded&) override {}
  void failed(size_t, const std::string&) override {}
  void time_out_of_range(size_t) override {}
  bool keep_going() const override { return sink_.keep_going(); }

 private:
  const trace::EventSink& sink_;
};

// Adds the traces of a folder to a graph. It is said before which of several are touched, for
// Babeltrace may end the process.
class Adding {
 public:
  Adding(ctf::Graph& graph, trace::EventSink& sink, Copies& copies, ctf::CutStreams& cuts,
         const RiskyParts& risky)
      : graph_(graph), sink_(sink), copies_(copies), cuts_(cuts), risky_(risky) {}

  Status add(const io::Source& source);

 private:
  // Traces that have the same UUID.
  struct Recording {
    std::string uuid;
    std::vector<std::string> names;
    std::vector<fs::path> folders;
  };

  Result<std::vector<Recording>> recordings_in(const fs::path& folder);
  void try_alone(const std::string& name, const fs::path& folder);
  Status add(const Recording& recording);
  void touch(std::span<const std::string> names) const {
    if (are_several_ && risky_.on_touch) risky_.on_touch(names);
  }
  void leave_out(const std::string& name, const Error& error) {
    sink_.loss(fmt::format("{} cannot be read: {}", printable(name), error.message),
               trace::LossPlace::nowhere());
  }

  ctf::Graph& graph_;
  trace::EventSink& sink_;
  Copies& copies_;
  ctf::CutStreams& cuts_;
  const RiskyParts& risky_;
  std::vector<std::string> names_;  // of all traces that are read
  bool are_several_ = false;
  bool has_any_ = false;
};

Result<std::vector<Adding::Recording>> Adding::recordings_in(const fs::path& folder) {
  std::vector<Recording> recordings;
  for (const std::string& name : names_) {
    auto readable_folder = readable(folder / name, copies_);
    if (!readable_folder && !are_several_) return fail(std::move(readable_folder).error());
    if (!readable_folder) {
      leave_out(name, readable_folder.error());
      continue;
    }
    if (risky_.are_tried) try_alone(name, *readable_folder);
    std::string uuid = uuid_of(*readable_folder);
    auto recording = std::ranges::find(recordings, uuid, &Recording::uuid);
    if (uuid.empty() || recording == recordings.end())
      recording = recordings.insert(recordings.end(), {std::move(uuid), {}, {}});
    recording->names.push_back(name);
    recording->folders.push_back(std::move(*readable_folder));
  }
  return recordings;
}

// Reads a trace alone; what it lacks is said when it is added.
void Adding::try_alone(const std::string& name, const fs::path& folder) {
  touch({&name, 1});
  ctf::Graph alone;
  Trial trial(sink_);
  if (alone.add({folder})) (void)alone.run(trial);
}

// Adds traces of one recording together or, if that fails, each that can be read.
Status Adding::add(const Recording& recording) {
  if (recording.names.size() > 1) {
    touch(recording.names);
    if (graph_.add(recording.folders)) {
      has_any_ = true;
      return {};
    }
  }
  for (size_t i = 0; i < recording.names.size(); ++i) {
    touch({&recording.names[i], 1});
    const Status added = add_trace(graph_, recording.folders[i], sink_, copies_, cuts_);
    if (!added && !are_several_) return added;
    if (!added) leave_out(recording.names[i], added.error());
    has_any_ |= added.has_value();
  }
  return {};
}

Status Adding::add(const io::Source& source) {
  names_ = traces_of(source);
  are_several_ = names_.size() > 1;
  std::erase_if(names_, [&](const std::string& name) {
    return std::ranges::find(risky_.left_out, name) != risky_.left_out.end();
  });
  WEFT_TRY_ASSIGN(const std::vector<Recording> recordings, recordings_in(source.path()));
  for (const Recording& recording : recordings) WEFT_TRY(add(recording));
  if (!has_any_) return fail("holds no CTF trace that can be read");
  touch(names_);
  return {};
}

}  // namespace

int sniff_ctf(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head).substr(0, kHeadBytes);
  if (is_packets(text) || text.starts_with("/* CTF 1")) return 100;
  if (ctf::is_metadata_2(text) && text.contains("preamble")) return 100;
  const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
  // C has a "struct trace {", and usages a "{trace|latency}".
  const bool is_metadata = text.starts_with("trace {") || has("\ntrace {") ||
                           has("typealias integer") || has("byte_order =");
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
  ctf::CutStreams cuts;
  WEFT_TRY(Adding(graph, sink, copies, cuts, context.risky).add(source));
  ctf::Player player(sink, context, std::move(cuts));
  WEFT_TRY(ctf::play_ahead(graph, player));
  WEFT_TRY(player.finish());
  sink.progress(source.disk_bytes_total(), source.disk_bytes_total());
  return {};
}

}  // namespace weft::formats
