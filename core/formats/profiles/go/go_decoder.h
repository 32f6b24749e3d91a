// Takes a Go execution trace apart, in the order of its bytes, event by event.
//
//   until 1.21   events: type : 6 | arguments - 1 : 2, numbers of seven bits a byte; those of one
//                processor in batches; texts, stacks and the rate are events
//   until 1.6    each also has a number of its place in the order, which is not counted as an
//                argument; stacks are addresses without names
//   since 1.22   batches: 1, generation, thread, time, size; in it events: type, numbers as many as
//                the type has; texts, stacks, samples and the rate lie in batches of their own
//
// The first run fills in tables and rate, the second gives the events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/profiles/go/go_event.h"
#include "core/formats/profiles/go/go_tables.h"
#include "core/trace/event_sink.h"

namespace weft::formats::go {

struct Knowledge {
  Tables tables;
  uint64_t ticks_per_second = 0;  // 0: nobody says
};

// The version of "go 1.19 trace": 19 (Go 1.6 wrote 5); 0: none that is read. Of the first
// kHeaderBytes.
constexpr size_t kHeaderBytes = 16;
int version_of(std::string_view header);

class Decoder {
 public:
  using Give = std::function<void(const Event&)>;  // empty in the first run
  Decoder(ByteWindow& window, trace::EventSink& sink, Knowledge& knowledge, Give give, int version)
      : window_(window),
        sink_(sink),
        knowledge_(knowledge),
        give_(std::move(give)),
        version_(version) {}

  // Decodes from after the header to the end or to damage, which is reported in the second pass.
  void run_old();
  void run_new();

 private:
  bool old_event();
  bool old_text();
  void old_known(uint8_t type, std::string_view arguments, std::string_view text, uint64_t offset);
  bool new_batch();
  void new_events(std::string_view bytes, Event base);
  void new_tables(std::string_view bytes, uint32_t generation);
  void add_stack(std::string_view bytes, uint32_t generation);
  void add_text(uint32_t generation, uint64_t id, std::string_view text);
  uint64_t inline_text(uint32_t generation, std::string_view text);
  bool damaged(std::string_view what);

  ByteWindow& window_;
  trace::EventSink& sink_;
  Knowledge& knowledge_;
  Give give_;
  int version_;
  uint64_t time_ = 0, runner_ = 0;  // of the batch
  uint64_t inline_texts_ = 0;
};

}  // namespace weft::formats::go
