#include "app/opening/open.h"

#include <fmt/core.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <vector>

#include "app/opening/destination.h"
#include "app/opening/import_cache.h"
#include "app/opening/joined_file_sink.h"
#include "app/opening/reader_process.h"
#include "capture/host/followed_file.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_stream.h"
#include "core/formats/formats.h"
#include "core/io/mapped_file.h"
#include "core/io/open_pipe.h"
#include "core/io/shortfall.h"
#include "core/io/source.h"
#include "core/io/temporary_file.h"
#include "core/store/builder.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;
using TracePtr = std::shared_ptr<const store::Trace>;

constexpr std::string_view kWeftMagic = "WEFT";

Error named(const fs::path& path, Error error) {
  return std::move(error).context(path == "-" ? "standard input" : path.string());
}

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

bool begins_with_magic(std::span<const std::byte> head) {
  return head.size() >= kWeftMagic.size() &&
         std::memcmp(head.data(), kWeftMagic.data(), kWeftMagic.size()) == 0;
}

// Looks at the file as it lies on the disk, not unpacked.
bool is_weft(const fs::path& path) {
  std::array<char, kWeftMagic.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return begins_with_magic(std::as_bytes(std::span(head)));
}

}  // namespace

struct Opening::Impl {
  // A foreign file to read.
  struct Input {
    fs::path path;
    std::unique_ptr<io::Source> source;   // until it is read
    std::shared_ptr<capture::Feed> feed;  // that brings its bytes; null: they are here
    formats::FormatPtr format;
  };

  fs::path path;
  OpenOptions options;
  ThreadPool* pool = nullptr;
  std::thread thread;

  // The thread's own.
  std::vector<Input> inputs;
  std::optional<io::MappedFile> unpacked_weft;  // that came out of something
  uint64_t other_files = 0;                     // of archives, that are not traces
  Destination destination;
  // When it was last asked whether to wait: the bytes that had been read. And when what waits for
  // its order was given last.
  uint64_t bytes_when_asked = UINT64_MAX;
  std::chrono::steady_clock::time_point given = {};

  std::unique_ptr<Recorder> recorder;  // once it is read

  mutable std::mutex mutex;  // guards what is below; never held while working
  std::condition_variable finished;
  std::unique_ptr<store::StoreBuilder> builder;  // while it imports
  TracePtr trace;                                // once it is done
  std::shared_ptr<capture::Feed> feed;           // the newest
  std::string format;                            // id; empty: not known yet
  Status status;
  std::string shortfall;  // the reading thread writes it, before it is done
  std::vector<std::unique_ptr<Opening>> parts;
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
  bool is_done = false;
  std::atomic<bool> is_live = false;
  std::atomic<bool> is_cancelled = false;

  // The path that identifies an import: the folder of which one file was named, or what was named
  // itself.
  static const fs::path& identity(const Input& input) {
    const io::Source& source = *input.source;
    return source.is_folder() && !source.is_unpacked() ? source.path() : input.path;
  }

  void run();
  Result<TracePtr> open();
  bool wait_on();
  Result<TracePtr> open_weft();
  Status open_inputs();
  Status open_input(const fs::path& file);
  Status open_input(const fs::path& file, const std::shared_ptr<capture::Feed>& brought_by);
  Result<std::shared_ptr<capture::Feed>> start_feed(const fs::path& file);
  Result<std::unique_ptr<io::Source>> open_source(const fs::path& file,
                                                  const std::shared_ptr<capture::Feed>& brought_by);
  bool is_joined() const { return !options.output.empty() || !options.also.empty(); }
  std::unexpected<Error> open_parts();
  TracePtr open_cached();
  Status start_import();
  Result<std::unique_ptr<store::StoreBuilder>> make_builder();
  Result<TracePtr> import();
  Status read();
  Status read(Input& input, trace::EventSink& sink);
  Result<std::string> read_here_or_apart(Input& input, trace::EventSink& sink);
  Result<TracePtr> finish_import();
  void finish(Result<TracePtr> result);
};

void Opening::Impl::run() {
  Result<TracePtr> result = fail(named(path, Error{"out of memory"}));
  try {
    result = open();
  } catch (const std::bad_alloc&) {
    // Nothing was written under the final name; what was read is given up.
  }
  if (!result) destination.folder.reset();
  finish(std::move(result));
}

Result<TracePtr> Opening::Impl::open() {
  if (inputs.empty()) WEFT_TRY(open_inputs());
  if (inputs.empty()) return open_weft();
  if (inputs.size() > 1 && !is_joined()) return open_parts();
  for (const Input& input : inputs) {
    const Status checked = formats::check_options(*input.format, options.type.options);
    if (!checked) return fail(named(input.path, checked.error()));
  }
  if (TracePtr cached = open_cached()) return cached;
  if (Status started = start_import(); !started) {
    return fail(named(path, std::move(started).error()));
  }
  return import();
}

// A pipe has nothing at the moment: what came is shown.
bool Opening::Impl::wait_on() {
  if (feed == nullptr || feed->state().bytes_total == 0) is_live = true;
  if (builder != nullptr) {  // only this thread sets it
    const auto is_read = [](const Input& input) { return input.source != nullptr; };
    const uint64_t bytes_read = std::ranges::find_if(inputs, is_read)->source->disk_bytes_read();
    // Events that wait to be sorted are delivered when the input pauses, and soon when it only
    // trickles.
    constexpr std::chrono::milliseconds kMostHeld{300};
    const auto asked = std::chrono::steady_clock::now();
    if (std::exchange(bytes_when_asked, bytes_read) == bytes_read || asked - given >= kMostHeld) {
      builder->give_held();
      given = asked;
    }
    builder->progress(bytes_read, 0);
    builder->show_tail();
    if (recorder->is_over()) builder->cancel();
    if (!builder->keep_going()) return false;
  }
  return !is_cancelled;
}

Status Opening::Impl::open_inputs() {
  std::vector<fs::path> files = {path};
  files.insert(files.end(), options.also.begin(), options.also.end());
  for (const fs::path& file : files) {
    const Status opened = open_input(file);
    if (!opened && is_cancelled)
      return fail(named(file, Error{"stopped before it was known what it is"}));
    if (!opened) return fail(named(file, opened.error()));
  }
  return {};
}

// Opens a .weft that can be mapped as it is, or a copy if it was packed; errors name the file.
Result<TracePtr> Opening::Impl::open_weft() {
  if (!unpacked_weft) return store::Trace::open(path);
  auto trace = store::Trace::over(std::move(*unpacked_weft));
  if (!trace) return fail(named(path, std::move(trace).error()));
  return trace;
}

// Null where the bytes are here, and all of them.
Result<std::shared_ptr<capture::Feed>> Opening::Impl::start_feed(const fs::path& file) {
  const TypeChoice& how = options.type;
  std::error_code error;
  std::unique_ptr<capture::Feed> started;
  if (capture::is_ssh_address(file.native())) {
    WEFT_TRY_ASSIGN(const auto address, capture::parse_ssh_address(file.native()));
    const capture::SshStreamOptions stream{.way = how.way, .follows = how.follows};
    WEFT_TRY_ASSIGN(started, capture::open_ssh(address, stream, options.asker, options.wake));
  } else if (capture::is_other_address(file.native()) && !fs::exists(io::file_on(file), error)) {
    return fail("only paths of files and ssh:// addresses can be opened");
  } else if (how.follows && fs::is_regular_file(file, error)) {
    WEFT_TRY_ASSIGN(started, capture::follow_file(file, options.wake));
  }
  const std::lock_guard lock(mutex);
  feed = std::move(started);
  if (feed && is_cancelled) feed->cancel();
  return feed;
}

Result<std::unique_ptr<io::Source>> Opening::Impl::open_source(
    const fs::path& file, const std::shared_ptr<capture::Feed>& brought_by) {
  io::OnWait on_wait;
  if (options.is_watched || options.may_be_stopped || options.recording.is_set())
    on_wait = [this] { return wait_on(); };
  if (!brought_by) return io::Source::open(file, {}, on_wait);
  WEFT_TRY(brought_by->wait_for_beginning([this] { return !is_cancelled; }));
  return io::open_pipe(brought_by->take_pipe(), brought_by->state().bytes_total, {}, on_wait);
}

// If not everything has come, that is why it is not understood.
Status Opening::Impl::open_input(const fs::path& file) {
  WEFT_TRY_ASSIGN(const auto brought_by, start_feed(file));
  Status opened = open_input(file, brought_by);
  if (!opened && brought_by) WEFT_TRY(brought_by->status());
  return opened;
}

// No format if it is a .weft.
Status Opening::Impl::open_input(const fs::path& file,
                                 const std::shared_ptr<capture::Feed>& brought_by) {
  WEFT_TRY_ASSIGN(std::unique_ptr<io::Source> source, open_source(file, brought_by));
  WEFT_TRY_ASSIGN(const auto head, source->peek(kWeftMagic.size()));
  if (begins_with_magic(head)) {
    if (is_joined()) return fail("is a .weft already");
    if (!options.type.format.empty() || !options.type.options.empty())
      return fail("is a .weft already, which takes neither a format nor options");
    if (is_weft(file)) return {};
    // Out of a pipe, compressed or in an archive: mapped is a copy, of which nobody needs the name.
    WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(*source));
    if (copy.cut) return fail(*copy.cut);
    WEFT_TRY_ASSIGN(unpacked_weft, io::MappedFile::open(copy.path()));
    return {};
  }
  formats::Inputs recognised;
  if (is_joined() || options.takes_several) {
    WEFT_TRY_ASSIGN(recognised, formats::recognise_all(std::move(source), options.type.format));
  } else {
    WEFT_TRY_ASSIGN(recognised.inputs.emplace_back(),
                    formats::recognise(std::move(source), options.type.format));
  }
  std::error_code error;
  if (fs::equivalent(io::file_on(file), options.output, error)) return fail("is also the output");
  for (size_t i = 0; i < recognised.inputs.size(); ++i) {
    auto& [each, type] = recognised.inputs[i];
    // Standard input cannot be named again.
    const bool has_name = !recognised.names.empty() && (file != "-" || is_joined());
    fs::path name = has_name ? file / recognised.names[i] : file;
    // The one trace among the files of a folder: that file is what is read and kept.
    if (!each->is_folder() && fs::is_directory(file, error)) name = each->path();
    inputs.push_back({std::move(name), std::move(each), brought_by, std::move(type)});
  }
  other_files += recognised.others;
  return {};
}

std::unexpected<Error> Opening::Impl::open_parts() {
  std::vector<std::unique_ptr<Opening>> started;
  for (Input& input : inputs) {
    auto part = std::make_shared<Impl>();
    part->path = input.path;
    part->options = options;
    part->pool = pool;
    part->inputs.push_back(std::move(input));
    started.push_back(Opening::start(std::move(part)));
  }
  inputs.clear();
  std::error_code error;
  const char* const what = fs::is_directory(path, error) ? "a folder" : "an archive";
  std::string said = fmt::format("is {} of {} traces", what, started.size());
  if (other_files > 0) said += fmt::format(" and {} other files", other_files);
  const std::lock_guard lock(mutex);
  parts = std::move(started);
  return fail(named(path, Error{std::move(said)}));
}

// Opens the earlier import (for a fetched trace, its rest is then not fetched); null: there is none
// that can be opened. Also decides where a new import goes.
TracePtr Opening::Impl::open_cached() {
  destination.path = options.output;
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
  destination.path = *entry;
  destination.is_cache = true;
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
    if (made || !destination.is_cache) return made;
  }
  WEFT_TRY_ASSIGN(destination, temporary_destination());
  return create();
}

Result<TracePtr> Opening::Impl::import() {
  WEFT_TRY(read());
  auto imported = finish_import();
  if (!imported) return fail(named(path, std::move(imported).error()));
  return imported;
}

Status Opening::Impl::read() {
  if (inputs.size() == 1) return read(inputs[0], *builder);
  JoinedFiles joined;
  joined.bytes_total = bytes_total;
  std::vector<fs::path> files;
  for (const Input& input : inputs) files.push_back(input.path);
  const std::vector<std::string> names = distinct_names(files);
  for (size_t i = 0; i < inputs.size(); ++i) {
    Input& input = inputs[i];
    const uint64_t size_bytes = input.source->disk_bytes_total();
    JoinedFileSink sink(*builder, names[i], joined);
    WEFT_TRY(read(input, sink));
    if (sink.has_other_time_base()) {
      return fail(named(input.path, Error{"counts time in another unit than the files before it"}));
    }
    joined.bytes_before += size_bytes;
  }
  if (other_files > 0) {
    builder->loss("file of an archive, or part of a page, that is not read",
                  trace::LossPlace::nowhere(), other_files,
                  /*is_damage=*/false);
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
    sink.loss("end that did not come: " + brought.error().message, trace::LossPlace::nowhere(), 1,
              /*is_damage=*/true);
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
  if (const auto program = is_apart ? reader_program() : std::nullopt) {
    const ReaderJob job{.program = *program,
                        .path = source,
                        .format = input.format->id,
                        .origin = input.format->origin,
                        .options = options.type.options,
                        .memory_bytes = reader_memory(options, *input.format)};
    return is_on_disk ? read_apart(job, sink) : read_copy_apart(job, *input.source, sink);
  }
  const formats::ReadContext context{.pool = *pool,
                                     .memory_bytes = reader_memory(options, *input.format),
                                     .options = options.type.options,
                                     .changed = io::last_change(source).value_or(now())};
  WEFT_TRY(formats::read(*input.format, *input.source, sink, context));
  return std::string();
}

Result<TracePtr> Opening::Impl::finish_import() {
  WEFT_TRY_ASSIGN(TracePtr imported, builder->finish());
  if (destination.is_cache && !builder->is_cancelled() && shortfall.empty()) {
    trim_cache(destination.path);
  } else if (destination.is_cache || destination.folder) {
    destination.remove();
  }
  return imported;
}

void Opening::Impl::finish(Result<TracePtr> result) {
  std::unique_ptr<store::StoreBuilder> done_with;  // freed outside the lock
  {
    std::lock_guard lock(mutex);
    if (result) {
      trace = std::move(*result);
      if (format.empty()) format = trace->dictionary().format;
    } else {
      status = fail(std::move(result).error());
    }
    if (builder != nullptr) {
      bytes_total = builder->bytes_total();
      // Readers report every so many bytes, not the last ones.
      bytes_done = trace && !builder->is_cancelled() ? bytes_total : builder->bytes_done();
    }
    done_with = std::move(builder);
    is_done = true;
    finished.notify_all();
  }
  if (options.wake) options.wake();
}

std::unique_ptr<Opening> Opening::start(const fs::path& path, OpenOptions options,
                                        ThreadPool& pool) {
  auto impl = std::make_shared<Impl>();
  impl->path = path;
  impl->options = std::move(options);
  impl->pool = &pool;
  return start(std::move(impl));
}

std::unique_ptr<Opening> Opening::start(std::shared_ptr<Impl> impl) {
  impl->thread = std::thread([&opening = *impl] { opening.run(); });
  return std::unique_ptr<Opening>(new Opening(std::move(impl)));
}

Opening::Opening(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Opening::~Opening() {
  cancel();
  if (impl_->thread.joinable()) impl_->thread.join();
}

TracePtr Opening::trace() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->builder != nullptr ? impl_->builder->snapshot() : impl_->trace;
}

const fs::path& Opening::path() const { return impl_->path; }

const TypeChoice& Opening::type() const { return impl_->options.type; }
uint64_t Opening::memory_bytes() const { return impl_->options.memory_bytes; }

std::string Opening::format() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->format;
}

uint64_t Opening::bytes_done() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->builder != nullptr ? impl_->builder->bytes_done() : impl_->bytes_done;
}

uint64_t Opening::bytes_total() const {
  std::lock_guard lock(impl_->mutex);
  const uint64_t reported = impl_->builder != nullptr ? impl_->builder->bytes_total() : 0;
  return reported != 0 ? reported : impl_->bytes_total;
}

bool Opening::is_live() const { return impl_->is_live; }

bool Opening::is_stopping() const {
  std::lock_guard lock(impl_->mutex);
  const bool ends = impl_->builder != nullptr && impl_->builder->is_cancelled();
  return !impl_->is_done && (impl_->is_cancelled || ends);
}

std::optional<double> Opening::ordered_share() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->builder != nullptr ? impl_->builder->merged_share() : std::nullopt;
}

void Opening::record(Recording recording) {
  std::lock_guard lock(impl_->mutex);
  impl_->options.recording = std::move(recording);
  if (impl_->builder != nullptr)
    impl_->recorder->apply(impl_->options.recording, *impl_->builder, *impl_->pool);
}

Recording Opening::recording() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->options.recording;
}

std::optional<TriggerHit> Opening::hit() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->recorder != nullptr ? impl_->recorder->hit() : std::nullopt;
}

std::optional<capture::FeedState> Opening::feed() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->feed ? std::optional(impl_->feed->state()) : std::nullopt;
}

bool Opening::is_done() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->is_done;
}

Status Opening::status() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->status;
}

std::string Opening::shortfall() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->is_done ? impl_->shortfall : "";
}

std::vector<std::unique_ptr<Opening>> Opening::take_parts() {
  std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->parts, {});
}

void Opening::cancel() {
  std::lock_guard lock(impl_->mutex);
  impl_->is_cancelled = true;
  if (impl_->feed) impl_->feed->cancel();
  if (impl_->builder != nullptr) impl_->builder->cancel();
}

Result<TracePtr> Opening::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->finished.wait(lock, [&] { return impl_->is_done; });
  if (!impl_->status) return fail(impl_->status.error());
  return impl_->trace;
}

}  // namespace weft::app
