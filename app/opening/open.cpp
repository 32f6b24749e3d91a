#include "app/opening/open.h"

#include <fmt/core.h>

#include <array>
#include <cstring>
#include <fstream>
#include <new>
#include <optional>

#include "app/opening/child_process.h"
#include "app/opening/opening_impl.h"
#include "app/opening/unpack_apart.h"
#include "capture/host/followed_file.h"
#include "capture/host/ssh_address.h"
#include "capture/host/ssh_stream.h"
#include "core/formats/recognise.h"
#include "core/io/open_pipe.h"
#include "core/io/temporary_file.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWeftMagic = "WEFT";

bool begins_with_magic(std::span<const std::byte> head) {
  return head.size() >= kWeftMagic.size() &&
         std::memcmp(head.data(), kWeftMagic.data(), kWeftMagic.size()) == 0;
}

// Whether the file can be mapped as it lies on the disk, not unpacked. A pipe gives its bytes once.
bool is_weft(const fs::path& path) {
  std::error_code error;
  if (path == "-" || !fs::is_regular_file(path, error)) return false;
  std::array<char, kWeftMagic.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return begins_with_magic(std::as_bytes(std::span(head)));
}

}  // namespace

Error Opening::Impl::named(const fs::path& path, Error error) {
  return std::move(error).context(path == "-" ? "standard input" : path.string());
}

void Opening::Impl::run() {
  Result<store::TracePtr> result = fail(named(path, Error{"out of memory"}));
  try {
    result = open();
  } catch (const std::bad_alloc&) {
    // Nothing was written under the final name; what was read is given up.
  }
  if (!result) destination.folder.reset();
  finish(std::move(result));
}

Result<store::TracePtr> Opening::Impl::open() {
  if (inputs.empty()) WEFT_TRY(open_inputs());
  if (inputs.empty()) return open_weft();
  if (inputs.size() > 1 && !is_joined()) return open_parts();
  for (const Input& input : inputs) {
    const Status checked = formats::check_options(*input.format, options.type.options);
    if (!checked) return fail(named(input.path, checked.error()));
  }
  if (store::TracePtr cached = open_cached()) return cached;
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
  if (is_cancelled) has_ended_input = true;
  return !has_ended_input;
}

// Asked before each block. Of what is not read into a trace yet, nothing can be kept.
bool Opening::Impl::read_on(uint64_t bytes_read, uint64_t bytes_in_all) {
  if (builder == nullptr) {  // only this thread sets it
    const std::lock_guard lock(mutex);
    bytes_done = bytes_read;
    bytes_total = bytes_in_all;
  }
  if (is_cancelled && (builder == nullptr || is_gathering)) has_ended_input = true;
  // Of a pipe that was to end here, the first event came before this block: its reader stops.
  if (is_cancelled && !has_ended_input) builder->cancel();
  return !is_unwanted && !has_ended_input;
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
Result<store::TracePtr> Opening::Impl::open_weft() {
  if (!unpacked_weft) return store::Trace::open(path);
  auto trace = store::Trace::over(std::move(*unpacked_weft));
  if (!trace) return fail(named(path, std::move(trace).error()));
  return trace;
}

// Out of a pipe, compressed or in an archive: mapped is a copy, of which nobody needs the name.
Status Opening::Impl::map_copy(io::Source& source) {
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  if (copy.cut) return fail(*copy.cut);
  if (is_cancelled) return fail("was not copied to its end");
  WEFT_TRY_ASSIGN(unpacked_weft, io::MappedFile::open(copy.path()));
  return {};
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
  io::Watch watch;
  watch.on_block = [this](uint64_t done, uint64_t all) { return read_on(done, all); };
  if (options.is_watched || options.may_be_stopped || options.recording.is_set())
    watch.on_wait = [this] { return wait_on(); };
  if (auto program = options.is_watched ? reader_program() : std::nullopt)
    watch.unpack = unpack_apart(*std::move(program));
  if (!brought_by) return io::open_watched(file, watch);
  WEFT_TRY(brought_by->wait_for_beginning([this] { return !is_cancelled; }));
  return io::open_pipe(brought_by->take_pipe(), brought_by->state().bytes_total, watch);
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
    return map_copy(*source);
  }
  is_unrecognised = options.type.format.empty();
  std::error_code error;
  if (is_unrecognised && fs::is_regular_file(file, error)) {
    WEFT_TRY_ASSIGN(const auto beginning, source->peek(formats::kHeadBytes));
    may_get_type = formats::may_get_type(beginning);
  }
  const bool takes_all = is_joined() || options.takes_several;
  const auto recognise = takes_all ? formats::recognise_all : formats::recognise_single;
  WEFT_TRY_ASSIGN(formats::Inputs recognised, recognise(std::move(source), options.type.format));
  is_unrecognised = false;
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

void Opening::Impl::finish(Result<store::TracePtr> result) {
  std::unique_ptr<store::StoreBuilder> done_with;  // freed outside the lock
  {
    std::lock_guard lock(mutex);
    if (result) {
      trace = std::move(*result);
      if (format.empty()) format = trace->dictionary().format;
    } else {
      status = fail(std::move(result).error());
      trace = nullptr;
    }
    if (builder != nullptr) {
      bytes_total = builder->bytes_total();
      // Readers report every so many bytes, not the last ones.
      bytes_done = trace && !is_stopped() ? bytes_total : builder->bytes_done();
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
  impl_->is_unwanted = true;
  cancel();
  {
    const std::lock_guard lock(impl_->mutex);
    if (impl_->builder != nullptr) impl_->builder->give_up();
  }
  if (impl_->thread.joinable()) impl_->thread.join();
}

store::TracePtr Opening::trace() const {
  std::lock_guard lock(impl_->mutex);
  const bool grows = impl_->builder != nullptr && !impl_->is_anew;
  return grows ? impl_->builder->snapshot() : impl_->trace;
}

const fs::path& Opening::path() const { return impl_->path; }

const TypeChoice& Opening::type() const { return impl_->options.type; }
uint64_t Opening::memory_bytes() const { return impl_->options.memory_bytes; }

bool Opening::is_unrecognised() const { return impl_->is_unrecognised; }
bool Opening::may_get_type() const { return is_unrecognised() && impl_->may_get_type; }

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
  if (impl_->is_done) return false;
  return impl_->builder != nullptr ? impl_->builder->is_cancelled() : impl_->is_cancelled.load();
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
  const bool is_first = !impl_->is_cancelled.exchange(true);
  const bool ends_input = is_first && impl_->is_gathering && !impl_->is_unwanted;
  if (impl_->feed) {
    const bool has_all = impl_->feed->state().phase == capture::FeedPhase::kEnded;
    if (ends_input && !has_all) impl_->has_ended_input = true;
    impl_->feed->cancel();
  }
  if (impl_->builder != nullptr && !ends_input) impl_->builder->cancel();
}

Result<store::TracePtr> Opening::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->finished.wait(lock, [&] { return impl_->is_done; });
  if (!impl_->status) return fail(impl_->status.error());
  return impl_->trace;
}

}  // namespace weft::app
