#include "core/formats/general/chrome_json/chrome_json_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_window.h"
#include "core/formats/general/chrome_json/chunk_pipeline.h"
#include "core/formats/general/chrome_json/committer.h"
#include "core/formats/general/chrome_json/document.h"

namespace weft::formats {
namespace {

using chrome_json::ChunkPipeline;
using chrome_json::Committer;
using chrome_json::DocumentReader;
using chrome_json::PipelineLimits;
using json::TextWindow;

// A chunk's text and what is read from it take about four times the text at worst.
constexpr uint64_t kBytesPerChunkByte = 4;
// More chunks than workers, so that these do not run out while the calling thread parses one
// itself.
constexpr uint64_t kMoreChunks = 6;

PipelineLimits limits_from(const ReadContext& context) {
  PipelineLimits limits;
  const uint64_t memory = context.memory_bytes / 2;
  limits.in_flight = std::clamp<uint64_t>(memory / (kBytesPerChunkByte * limits.chunk_bytes), 2,
                                          context.pool.size() + kMoreChunks);
  limits.event_bytes = std::min<uint64_t>(limits.event_bytes, context.memory_bytes / 4);
  const size_t bytes = parse_number<size_t>(context.option("chunk_bytes")).value_or(0);
  if (bytes > 0) limits.chunk_bytes = bytes;
  return limits;
}

// Whether a member or the end stands behind the brace, as far as the text goes.
bool begins_object(std::string_view text) {
  const size_t second = text.find_first_not_of(" \t\r\n", 1);
  return second == std::string_view::npos || text[second] == '"' || text[second] == '}';
}

}  // namespace

// More than a log of events.
constexpr int kLikelyPiece = 80;

int sniff_chrome_json(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return 0;
  text.remove_prefix(first);
  const auto has = [&](std::string_view what) { return text.find(what) != std::string_view::npos; };
  const bool has_event = has("\"ph\"");
  if (text[0] == '{') {
    if (has("\"traceEvents\"")) return has_event ? 95 : 85;
    if (has("\"Tracing.dataCollected\"")) return 95;  // messages of DevTools' protocol
    if (has_event && has("\"value\"")) return kLikelyPiece;
    return begins_object(text) ? kAnyJson : 0;
  }
  if (text[0] != '[') return 0;
  const size_t second = text.find_first_not_of(" \t\r\n", 1);
  if (second == std::string_view::npos || text[second] == ']') return kAnyJson;
  if (text[second] == '{')
    return !begins_object(text.substr(second)) ? 0 : has_event ? 90 : kAnyJson;
  if (text[second] == '[' && has_event) return kLikelyPiece;
  return has_event ? kAnyJson : 0;  // lines of logs, sections of settings, documents begin so, too
}

Status read_chrome_json(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  const PipelineLimits limits = limits_from(context);
  sink.set_time_base(TimeBase::kNanoseconds);
  json::TextWindow window(source);
  Committer committer(sink, context.memory_bytes);
  ChunkPipeline events(window, committer, sink, context.pool, limits);
  DocumentReader document(window, events, committer, sink, limits.event_bytes);
  WEFT_TRY(document.read());
  committer.finish();
  if (const uint64_t others = committer.others_alone(); others > 0)
    return fail(
        fmt::format("is JSON, but no Chrome JSON trace: none of its {} elements is an event "
                    "(has \"ph\" and \"ts\")",
                    others));
  if (!window.error()) return {};
  if (window.offset() == 0) return fail(*window.error());
  report_early_end(sink, *window.error(), window.offset() + window.size());
  return {};
}

}  // namespace weft::formats
