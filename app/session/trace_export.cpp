#include "app/session/trace_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/formats/formats.h"
#include "core/query/extract.h"
#include "core/trace/passing_sink.h"

namespace weft::app {
namespace {

struct Ending {
  std::string_view ending;
  std::string_view format;
};
constexpr Ending kEndings[] = {
    {".weft", kStoreFormat},  {".json", "chrome-json"},        {".csv", "csv"},
    {".pftrace", "perfetto"}, {".perfetto-trace", "perfetto"}, {".paje", "paje"},
    {".trace", "paje"},       {".pjdump", "pj-dump"},
};

// Tells how far it is, and wants no more when it is stopped.
class WatchedSink final : public trace::PassingSink {
 public:
  WatchedSink(trace::EventSink& target, Job::Progress& progress)
      : PassingSink(target), progress_(progress) {}

  void states(std::span<const trace::StateEvent> events) override {
    PassingSink::states(events);
    progress_.done += events.size();
  }
  void punctuals(std::span<const trace::PunctualEvent> events) override {
    PassingSink::punctuals(events);
    progress_.done += events.size();
  }
  void links(std::span<const trace::LinkEvent> events) override {
    PassingSink::links(events);
    progress_.done += events.size();
  }
  void variables(std::span<const trace::VariableSample> events) override {
    PassingSink::variables(events);
    progress_.done += events.size();
  }
  bool keep_going() const override {
    return !progress_.stop.stop_requested() && PassingSink::keep_going();
  }

 private:
  Job::Progress& progress_;
};

// How many events were given.
Result<uint64_t> fill(trace::EventSink& target, const TraceExport& what, Job::Progress& progress) {
  WatchedSink sink(target, progress);
  const uint64_t events = query::extract(what.trace, what.selection, sink);
  if (progress.stop.stop_requested()) return fail("writing " + what.file.string() + " was stopped");
  return events;
}

Result<Exported> export_store(const TraceExport& what, ThreadPool& pool, Job::Progress& progress) {
  WEFT_TRY_ASSIGN(const auto builder,
                  store::StoreBuilder::create({.path = what.file,
                                               .format = what.trace->dictionary().format,
                                               .memory_bytes = what.memory_bytes},
                                              pool));
  WEFT_TRY(fill(*builder, what, progress));
  WEFT_TRY_ASSIGN(const auto part, builder->finish());
  return Exported{part->counts().total(), part->size_bytes(), {}};
}

Result<Exported> export_foreign(const TraceExport& what, Job::Progress& progress) {
  const formats::FormatPtr format = formats::format_from_id(what.format);
  WEFT_TRY_ASSIGN(const auto writer, format->create_writer(what.file));
  WEFT_TRY_ASSIGN(const uint64_t events, fill(*writer, what, progress));
  WEFT_TRY(writer->finish());
  std::error_code error;
  return Exported{events - writer->events_left_out(), std::filesystem::file_size(what.file, error),
                  fmt::format("{}", fmt::join(writer->left_out(), ", "))};
}

}  // namespace

bool is_written(std::string_view format) {
  const formats::FormatPtr known = formats::format_from_id(format);
  return format == kStoreFormat || (known && known->create_writer);
}

std::vector<std::string> written_formats() {
  std::vector<std::string> ids;
  for (const Ending& row : kEndings) {
    if (std::ranges::find(ids, row.format) == ids.end()) ids.emplace_back(row.format);
  }
  return ids;
}

Result<std::string> written_format_of(const std::filesystem::path& file) {
  const std::string ending = file.extension();
  const auto found = std::ranges::find(kEndings, std::string_view(ending), &Ending::ending);
  if (found != std::end(kEndings)) return std::string(found->format);
  std::vector<std::string_view> known;
  for (const Ending& row : kEndings) known.push_back(row.ending);
  return fail(fmt::format("{}: a trace is written where the name ends in {}", file.string(),
                          fmt::join(known, ", ")));
}

Result<Exported> export_trace(const TraceExport& what, ThreadPool& pool, Job::Progress& progress) {
  progress.total = what.trace->counts().total();
  return what.format == kStoreFormat ? export_store(what, pool, progress)
                                     : export_foreign(what, progress);
}

}  // namespace weft::app
