#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "app/opening/first_event_sink.h"
#include "app/opening/import_cache.h"
#include "app/opening/joined_file_sink.h"
#include "app/opening/opening_impl.h"
#include "app/opening/reader_process.h"
#include "core/io/shortfall.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// Data from a pipe was written just now.
Time now() {
  using namespace std::chrono;
  return {duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count()};
}

// Memory that the program needs besides the import itself: libraries, threads, names.
constexpr uint64_t kOwnBytes = 20 << 20;

uint64_t import_memory(const OpenOptions& options) {
  return options.memory_bytes - std::min(kOwnBytes, options.memory_bytes / 2);
}

// The reader's share of the memory; the builder has the rest.
uint64_t reader_memory(const OpenOptions& options, const formats::Format& format) {
  return import_memory(options) / (format.holds_events_back ? 2 : 4);
}

}  // namespace

// Opens the earlier import (for a fetched trace, its rest is then not fetched); null: there is none
// that can be opened. Also decides where a new import goes.
store::TracePtr Opening::Impl::open_cached() {
  destination = {.path = options.output};
  if (!options.output.empty() || !options.use_cache || inputs.size() != 1) return nullptr;
  const Input& input = inputs[0];
  const std::string fetched = input.feed ? input.feed->identity() : "";
  if (input.feed && (fetched.empty() || options.recording.is_set())) return nullptr;
  const auto entry =
      input.feed
          ? cached_import_path(input.path.native(), fetched, *input.format, options.type.options)
          : cached_import_path(identity(input), *input.format, options.type.options);
  if (!entry) return nullptr;
  if (auto cached = store::Trace::open(*entry)) {
    mark_used(*entry);
    if (input.feed) input.feed->cancel();
    return *cached;
  }
  // Segments and the merged file lie side by side for a while.
  const uint64_t needed_bytes = 2 * inputs[0].source->disk_bytes_total();
  if (!make_room(*entry, needed_bytes) && has_more_room_outside(entry->parent_path()))
    return nullptr;
  // If it cannot be opened, the trace is imported again, over it.
  destination = cache_destination(*entry);
  return nullptr;
}

Status Opening::Impl::start_import() {
  WEFT_TRY_ASSIGN(auto made, make_builder());
  uint64_t size_bytes = 0;
  for (const Input& input : inputs) size_bytes += input.source->disk_bytes_total();
  std::lock_guard lock(mutex);
  builder = std::move(made);
  recorder = std::make_unique<Recorder>(options.wake);
  if (options.recording.is_set()) recorder->apply(options.recording, *builder, *pool);
  if (is_cancelled) builder->cancel();
  format = inputs[0].format->id;
  bytes_total = size_bytes;
  return {};
}

// If the cache has no room, or cannot be written after all, the import goes to a temporary folder.
Result<std::unique_ptr<store::StoreBuilder>> Opening::Impl::make_builder() {
  uint64_t of_readers = 0;
  for (const Input& input : inputs)
    of_readers = std::max(of_readers, reader_memory(options, *input.format));
  const auto create = [&] {
    return store::StoreBuilder::create({.path = destination.path,
                                        .format = inputs[0].format->id,
                                        .memory_bytes = import_memory(options) - of_readers,
                                        .is_watched = options.is_watched,
                                        .on_published = options.wake},
                                       *pool);
  };
  if (!destination.path.empty()) {
    auto made = create();
    if (made || !destination.is_cache()) return made;
  }
  WEFT_TRY_ASSIGN(destination, temporary_destination());
  return create();
}

// What cannot be written to the cache, as where its disk is full, is read again, to be written
// elsewhere. If that does not succeed either, or is stopped, what is shown stays.
Result<store::TracePtr> Opening::Impl::import() {
  const Status was_read = read();
  const bool is_written = builder->keep_going() || is_cancelled || builder->is_cancelled();
  if (!was_read && is_written) return fail(was_read.error());
  auto imported = finish_import();
  if (imported) return imported;
  const std::string why = imported.error().message;
  imported = fail(named(path, std::move(imported).error()));
  const bool can_be_read_again = destination.is_cache() && !inputs[0].feed && !is_cancelled;
  if (!can_be_read_again || !has_more_room_outside(destination.path.parent_path())) return imported;
  imported = import_anew();
  if (imported || is_unwanted || trace == nullptr || trace->counts().total() == 0) return imported;
  destination.remove();
  shortfall = "it could not be written: " + why;
  return trace;
}

// What is shown stays as it is until all is read.
Result<store::TracePtr> Opening::Impl::import_anew() {
  {
    std::unique_ptr<store::StoreBuilder> full;  // freed outside the lock
    const std::lock_guard lock(mutex);
    if (options.is_watched) trace = builder->snapshot();
    is_anew = true;
    full = std::move(builder);
  }
  inputs.clear();
  other_files = 0;
  shortfall.clear();
  options.takes_several = false;
  WEFT_TRY(open_inputs());
  if (inputs.size() != 1) return fail(named(path, Error{"has changed while it was read"}));
  auto elsewhere = temporary_destination();
  if (!elsewhere) return fail(named(path, std::move(elsewhere).error()));
  destination = *std::move(elsewhere);
  if (Status started = start_import(); !started)
    return fail(named(path, std::move(started).error()));
  WEFT_TRY(read());
  if (trace != nullptr && (is_stopped() || !shortfall.empty()))
    return fail(named(path, Error{"was not read again to its end"}));
  auto imported = finish_import();
  if (!imported) return fail(named(path, std::move(imported).error()));
  return imported;
}

Status Opening::Impl::read() {
  WEFT_TRY(inputs.size() == 1 ? read(inputs[0], *builder) : read_joined());
  if (other_files > 0) {
    builder->note("file of an archive, or part of a page, that is not read",
                  trace::LossPlace::nowhere(), other_files);
  }
  return {};
}

Status Opening::Impl::read_joined() {
  JoinedFiles joined;
  joined.bytes_total = bytes_total;
  std::vector<fs::path> files;
  for (const Input& input : inputs) files.push_back(input.path);
  const std::vector<std::string> names = distinct_names(files);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (i > 0 && is_cancelled) {
      has_ended_input = true;
      break;
    }
    Input& input = inputs[i];
    const uint64_t size_bytes = input.source->disk_bytes_total();
    JoinedFileSink sink(*builder, names[i], joined);
    WEFT_TRY(read(input, sink));
    if (sink.has_other_time_base()) {
      return fail(named(input.path, Error{"counts time in another unit than the files before it"}));
    }
    joined.bytes_before += size_bytes;
  }
  return {};
}

Status Opening::Impl::read(Input& input, trace::EventSink& sink) {
  Result<std::string> death = read_here_or_apart(input, sink);
  const io::Shortfall broke_off = io::shortfall_of(*input.source);
  input.source.reset();
  const Status brought = input.feed ? input.feed->status() : Status();
  if (!death) return fail(named(input.path, brought ? death.error() : brought.error()));
  const char* const what =
      broke_off.is_of_source ? "the rest of the archive or page: " : "other files of the archive: ";
  if (!broke_off.why.empty())
    sink.loss(what + broke_off.why, trace::LossPlace::nowhere(), 1, broke_off.is_of_source);
  if (!death->empty()) shortfall = "its reader stopped: " + *death;
  if (!brought) {
    shortfall = "its end did not come: " + brought.error().message;
    sink.loss("end that did not come: " + brought.error().message, trace::LossPlace::nowhere());
  }
  return {};
}

// Apart, in a process of its own, is read what the window shows, for the window must outlive every
// reader; without one, what is in the hands of a foreign library. (The project's own readers bear
// all bytes; sending their events costs a tenth to a third of an import.) A pipe cannot be opened
// twice: it is read here, but for a plugin. Of a reader that died on its way: how.
Result<std::string> Opening::Impl::read_here_or_apart(Input& input, trace::EventSink& sink) {
  std::error_code error;
  const fs::path& source = input.source->path();
  const bool is_on_disk = fs::is_regular_file(source, error) || fs::is_directory(source, error);
  const bool is_of_plugin = input.format->is_foreign && !input.format->origin.empty();
  const bool is_apart = is_on_disk ? options.is_watched || input.format->is_foreign : is_of_plugin;
  is_gathering = !is_on_disk;
  FirstEventSink noting(sink, is_gathering);
  if (const auto program = is_apart ? reader_program() : std::nullopt) {
    const ReaderJob job{.program = *program,
                        .path = opened_path(input),
                        .format = input.format->id,
                        .origin = input.format->origin,
                        .options = options.type.options,
                        .memory_bytes = reader_memory(options, *input.format)};
    return is_on_disk ? read_apart(job, sink) : read_copy_apart(job, *input.source, noting);
  }
  const formats::ReadContext context{.pool = *pool,
                                     .memory_bytes = reader_memory(options, *input.format),
                                     .options = options.type.options,
                                     .changed = io::last_change(source).value_or(now())};
  trace::EventSink& taking = is_on_disk ? sink : noting;
  WEFT_TRY(formats::read(*input.format, *input.source, taking, context));
  return std::string();
}

// Only what is whole is found in the cache again.
Result<store::TracePtr> Opening::Impl::finish_import() {
  if (is_unwanted) return fail("it was closed while it was read");
  const bool is_cut = is_stopped();
  // An event that was to end the reading is told of in the metadata.
  if (is_cut && shortfall.empty() && !recorder->hit())
    builder->note("the rest, for reading was stopped", trace::LossPlace::nowhere());
  WEFT_TRY_ASSIGN(store::TracePtr imported, builder->finish());
  if (destination.is_cache() && !is_cut && shortfall.empty() && destination.publish()) {
    trim_cache(destination.entry);
    if (auto entry = store::Trace::open(destination.entry)) return *entry;
    return imported;
  }
  if (destination.is_cache() || destination.folder) destination.remove();
  return imported;
}

}  // namespace weft::app
