// The JSON around the events: an array of them, an object with them in "traceEvents", or messages
// of Chrome's DevTools protocol, each with a piece of the array (protocol_messages.cpp).
//
// Reads one document after another, hands the events to a ChunkPipeline and everything else to the
// committer as metadata.
#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/base/text_window.h"
#include "core/formats/general/chrome_json/chunk_pipeline.h"
#include "core/formats/general/chrome_json/committer.h"

namespace weft::formats::chrome_json {

class DocumentReader {
 public:
  DocumentReader(json::TextWindow& window, ChunkPipeline& events, Committer& committer,
                 trace::EventSink& sink, size_t most_value_bytes)
      : window_(window),
        events_(events),
        committer_(committer),
        sink_(sink),
        most_value_bytes_(most_value_bytes) {}

  // Fails if no events are found at all.
  Status read();

 private:
  enum class Token : uint8_t { kRead, kCut, kBroken, kTooLong };

  static constexpr int kEnd = -1;
  int next_token();
  Token read_value(json::RawValue& out);
  bool skip_long_value();
  bool read_events(char default_phase);
  Status read_object();
  Status read_member(bool& is_over);
  bool keep_samples();
  void give_samples();
  bool is_around_events(std::string_view value) const;
  Status read_other(const std::string& key, bool& is_over);
  Status broken(const char* what);
  bool is_protocol();
  Status read_messages();
  bool read_message(bool is_params);
  bool read_piece(Token token, const json::RawValue& array);
  void keep(const std::string& key, const json::RawValue& value);
  void keep_text(const std::string& key, const json::RawValue& value);
  void keep_stack_frames(std::string_view object);

  json::TextWindow& window_;
  ChunkPipeline& events_;
  Committer& committer_;
  trace::EventSink& sink_;
  const size_t most_value_bytes_;
  std::string samples_;  // an array, whole, that waits for the events
  uint64_t samples_offset_ = 0;
  int depth_ = 0;  // of objects
  bool has_events_ = false;
  bool is_stopped_ = false;  // the sink wants no more
};

}  // namespace weft::formats::chrome_json
