#include "core/formats/embedded/nexus_lite/nexus_lite_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/formats/embedded/nexus_lite/nexus_file.h"

namespace weft::formats {
namespace {

// Streams instead of using NexusFile's window: compressed files and pipes read the same way, and
// the memory is as bounded.
constexpr size_t kBlockBytes = 1 << 20;

// Reads up to and including the header's line; `buffer` then holds what was read.
Result<NexusHeader> read_header(io::Source& source, std::vector<std::byte>& buffer) {
  for (;;) {
    const size_t have = buffer.size();
    buffer.resize(std::max(kBlockBytes, 2 * have));
    WEFT_TRY_ASSIGN(const size_t n, source.read(std::span(buffer).subspan(have)));
    buffer.resize(have + n);
    bool is_cut = false;
    auto header = parse_nexus_header(as_chars(buffer), is_cut);
    if (header || !is_cut || n == 0) return header;
  }
}

class NexusReader {
 public:
  NexusReader(trace::EventSink& sink, const NexusHeader& header) : sink_(sink) {
    sink_.set_time_base(TimeBase::kMicroseconds);
    lane_ = sink_.add_lane({.name = "Nexus-lite", .kind = trace::LaneKind::kGroup});
    names_ = header.names;
  }

  // Whole records; `offset` of the first in the input.
  void add(std::span<const std::byte> bytes) {
    events_.clear();
    for (size_t i = 0; i + kNexusRecordBytes <= bytes.size(); i += kNexusRecordBytes) {
      const NexusRecord record = decode_nexus_record(bytes.data() + i);
      events_.push_back({clock_.advance(record.microseconds), value_params(record.payload), lane_,
                         type(record.type)});
    }
    sink_.punctuals(events_);
  }

 private:
  EventTypeId type(uint8_t number) {
    EventTypeId& id = types_[number];
    if (id.is_none()) id = sink_.type(trace::Category::kPunctual, names_[number]);
    return id;
  }

  ParamsId value_params(uint32_t value) {
    constexpr std::string_view kBegin = "{\"value\":";
    char json[32];
    std::memcpy(json, kBegin.data(), kBegin.size());
    char* end = std::to_chars(json + kBegin.size(), json + sizeof json - 1, value).ptr;
    *end++ = '}';
    return sink_.params({json, static_cast<size_t>(end - json)});
  }

  trace::EventSink& sink_;
  LaneId lane_;
  std::array<std::string, kNexusNames> names_;
  std::array<EventTypeId, kNexusNames> types_;
  NexusClock clock_;
  std::vector<trace::PunctualEvent> events_;
};

}  // namespace

int sniff_nexus_lite(std::span<const std::byte> head) {
  const std::string_view text = as_chars(head);
  bool is_cut = false;
  if (const auto header = parse_nexus_header(text, is_cut)) {
    // A table of text may have as many columns; of records some bytes are no letters.
    const std::string_view records = text.substr(header->size_bytes);
    const bool is_text =
        records.size() >= 8 * kNexusRecordBytes && std::ranges::all_of(records, [](char c) {
          return (c >= ' ' && c <= '~') || c == '\n' || c == '\r';
        });
    return is_text ? 0 : 80;
  }
  const std::string_view line = text.substr(0, text.find('\n'));
  const bool is_binary = text.find('\0') != std::string_view::npos;
  // Nearly one: the reader then says what is wrong with it.
  return is_binary && std::ranges::count(line, ',') >= 32 ? 5 : 0;
}

Status read_nexus_lite(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  std::vector<std::byte> buffer;
  WEFT_TRY_ASSIGN(const NexusHeader header, read_header(source, buffer));
  buffer.erase(buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(header.size_bytes));
  while (buffer.size() < kNexusRecordBytes) {
    const size_t have = buffer.size();
    buffer.resize(kNexusRecordBytes);
    WEFT_TRY_ASSIGN(const size_t n, source.read(std::span(buffer).subspan(have)));
    buffer.resize(have + n);
    if (n == 0) return fail("Trace does not have any events");
  }
  NexusReader reader(sink, header);
  while (sink.keep_going()) {
    const size_t whole = buffer.size() / kNexusRecordBytes * kNexusRecordBytes;
    reader.add(std::span(buffer).first(whole));
    buffer.erase(buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(whole));
    const size_t rest = buffer.size();
    sink.progress(source.disk_bytes_read(), source.disk_bytes_total());
    buffer.resize(kBlockBytes);
    const auto n = source.read(std::span(buffer).subspan(rest));
    if (!n) report_early_end(sink, n.error(), source.offset());
    if (n && *n > 0) {
      buffer.resize(rest + *n);
      continue;
    }
    if (rest > 0) sink.loss("record cut off by the end of the input", source.offset() - rest);
    return {};
  }
  return {};
}

}  // namespace weft::formats
