#include "core/formats/profiles/go/go_reader.h"

#include <fmt/core.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "core/formats/base/byte_window.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"
#include "core/formats/profiles/go/go_decoder.h"
#include "core/formats/profiles/go/go_player.h"
#include "core/formats/stacks/time_order.h"
#include "core/io/temporary_file.h"

namespace weft::formats {
namespace {

constexpr int kFirstVersion = 5, kFirstOfThreads = 22;

void run(io::Source& source, trace::EventSink& sink, go::Knowledge& knowledge,
         const go::Decoder::Give& give, int version) {
  ByteWindow window(source, sink);
  window.skip(go::kHeaderBytes);
  go::Decoder decoder(window, sink, knowledge, give, version);
  if (version < kFirstOfThreads) {
    decoder.run_old();
  } else {
    decoder.run_new();
  }
  if (give) window.finish("an event");
}

}  // namespace

int sniff_go(std::span<const std::byte> head) {
  const std::string_view bytes = as_chars(head);
  return go::version_of(bytes.substr(0, go::kHeaderBytes)) > 0 ? 100 : 0;
}

Status read_go(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const auto head, source.peek(go::kHeaderBytes));
  const std::string_view bytes = as_chars(head);
  if (bytes.size() < go::kHeaderBytes) return fail("ends within its header");
  const int version = go::version_of(bytes.substr(0, go::kHeaderBytes));
  if (version < kFirstVersion)
    return fail(fmt::format("is not a trace of Go 1.{} or later", kFirstVersion));
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));

  go::Knowledge knowledge;
  WEFT_TRY_ASSIGN(const std::unique_ptr<io::Source> first, io::Source::open(copy.path()));
  run(*first, sink, knowledge, {}, version);

  sink.set_time_base(knowledge.ticks_per_second == 0 ? TimeBase::kTicks : TimeBase::kNanoseconds);
  sink.set_metadata("Go", fmt::format("1.{}", version));
  go::Player player(sink, knowledge);
  if (version < kFirstOfThreads) player.set_runners_are_processors();
  stacks::TimeOrder<go::Event> order(context.memory_bytes / 4);
  const auto play = [&](const go::Event& event) { player.play(event); };
  WEFT_TRY_ASSIGN(const std::unique_ptr<io::Source> second, io::Source::open(copy.path()));
  run(*second, sink, knowledge, [&](const go::Event& event) { order.add(event, play); }, version);
  order.finish(play);
  if (order.late() > 0)
    sink.note("event later than the window of order", trace::LossPlace::nowhere(), order.late());
  player.finish();
  if (copy.cut) report_early_end(sink, *copy.cut, source.offset());
  return {};
}

}  // namespace weft::formats
