#include "app/open.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <thread>

#include "app/import_cache.h"
#include "core/base/text.h"
#include "core/formats/formats.h"
#include "core/io/source.h"
#include "core/store/builder.h"

namespace weft::app {
namespace {

namespace fs = std::filesystem;
using TracePtr = std::shared_ptr<const store::Trace>;

constexpr std::string_view kWeftMagic = "WEFT";

std::string shown(const fs::path& path) {
  return path == "-" ? "standard input" : printable(path.native(), 0);
}

bool begins_with_magic(std::span<const std::byte> head) {
  return head.size() >= kWeftMagic.size() &&
         std::memcmp(head.data(), kWeftMagic.data(), kWeftMagic.size()) == 0;
}

// Where an import goes, and whether it stays there.
struct Destination {
  fs::path path;
  bool is_cache = false;
  fs::path temporary_folder;  // to be removed; empty: none

  // A mapped file needs no name.
  void remove() const {
    std::error_code ignored;
    fs::remove(path, ignored);
    if (!temporary_folder.empty()) fs::remove(temporary_folder, ignored);
  }
};

// A folder of our own in $TMPDIR or /var/tmp: imports are large, and /tmp may lie in memory.
Result<Destination> temporary_destination() {
  const char* parent = std::getenv("TMPDIR");
  std::string folder =
      fs::path(parent != nullptr && *parent != 0 ? parent : "/var/tmp") / "weftscope-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    return fail(
        fmt::format("{}: cannot make a temporary folder: {}", folder, std::strerror(errno)));
  }
  return Destination{.path = fs::path(folder) / "import.weft", .temporary_folder = folder};
}

}  // namespace

struct Opening::Impl {
  fs::path path;
  OpenOptions options;
  ThreadPool* pool = nullptr;
  std::unique_ptr<io::Source> source;  // until the thread has read it
  const formats::Format* format = nullptr;
  Destination destination;
  std::thread thread;

  mutable std::mutex mutex;  // guards what is below; never held while working
  std::condition_variable finished;
  std::unique_ptr<store::StoreBuilder> builder;  // until the import is done
  TracePtr trace;                                // once it is
  Status status;
  uint64_t bytes_done = 0;
  uint64_t bytes_total = 0;
  bool is_done = false;

  Result<bool> open_source();
  Status start_import();
  Result<TracePtr> open_cached(const fs::path& entry);
  Status make_builder();
  void import();
  Status read();
  Result<TracePtr> finish_import();
  void finish(Result<TracePtr> result);
  Error named(Error error) const { return std::move(error).context(shown(path)); }
};

// Whether the file is a .weft; if so, the source is not needed any more.
Result<bool> Opening::Impl::open_source() {
  WEFT_TRY_ASSIGN(source, io::Source::open(path));
  WEFT_TRY_ASSIGN(const auto head, source->peek(kWeftMagic.size()));
  if (!begins_with_magic(head)) return false;
  if (path == "-") return fail("a .weft is read by mapping it: give its file, not a pipe");
  if (!options.output.empty()) return fail("is a .weft already");
  source.reset();
  return true;
}

Status Opening::Impl::start_import() {
  if (options.format.empty()) {
    WEFT_TRY_ASSIGN(format, formats::recognise(*source));
  } else {
    format = formats::format_from_id(options.format);
    if (format == nullptr || !format->reads) {
      return fail(fmt::format("'{}' is no format that can be read", options.format));
    }
  }
  std::error_code error;
  if (!options.output.empty()) {
    if (fs::equivalent(path, options.output, error)) return fail("is also the output");
    destination.path = options.output;
  } else if (options.use_cache && path != "-") {
    if (auto entry = cached_import_path(path, *format, options.format_options)) {
      if (auto cached = open_cached(*entry)) {
        finish(std::move(cached));
        return {};
      }
      destination = {.path = *entry, .is_cache = true};
    }
  }
  WEFT_TRY(make_builder());
  bytes_total = source->disk_bytes_total();
  thread = std::thread([this] { import(); });
  return {};
}

// An error where there is none, or none that can be opened: the import replaces it.
Result<TracePtr> Opening::Impl::open_cached(const fs::path& entry) {
  WEFT_TRY_ASSIGN(TracePtr cached, store::Trace::open(entry));
  mark_used(entry);
  return cached;
}

// Makes the builder; where the cache cannot be written after all, in a temporary folder.
Status Opening::Impl::make_builder() {
  const auto create = [&] {
    return store::StoreBuilder::create(
        {.path = destination.path,
         .format = std::string(format->id),
         .memory_bytes = options.memory_bytes - options.memory_bytes / 4,
         .is_watched = options.is_watched},
        *pool);
  };
  if (!destination.path.empty()) {
    auto made = create();
    if (made) {
      builder = std::move(*made);
      return {};
    }
    if (!destination.is_cache) return fail(std::move(made).error());
  }
  WEFT_TRY_ASSIGN(destination, temporary_destination());
  auto made = create();
  if (!made) {
    destination.remove();
    return fail(std::move(made).error());
  }
  builder = std::move(*made);
  return {};
}

void Opening::Impl::import() {
  Result<TracePtr> result = fail("out of memory");
  try {
    const Status was_read = read();
    result = was_read ? finish_import() : fail(was_read.error());
  } catch (const std::bad_alloc&) {
    // Nothing was written under the final name; what was read is given up.
  }
  if (!result && !destination.temporary_folder.empty()) destination.remove();
  finish(std::move(result));
}

Status Opening::Impl::read() {
  formats::ReadContext context{
      .pool = *pool, .memory_bytes = options.memory_bytes / 4, .options = options.format_options};
  Status status = format->read(*source, *builder, context);
  source.reset();
  return status;
}

Result<TracePtr> Opening::Impl::finish_import() {
  WEFT_TRY_ASSIGN(TracePtr finished, builder->finish());
  if (destination.is_cache && !builder->is_cancelled()) {
    trim_cache(destination.path);
  } else if (destination.is_cache || !destination.temporary_folder.empty()) {
    destination.remove();
  }
  return finished;
}

void Opening::Impl::finish(Result<TracePtr> result) {
  std::unique_ptr<store::StoreBuilder> done_with;  // freed outside the lock
  std::lock_guard lock(mutex);
  if (result) {
    trace = std::move(*result);
  } else {
    status = fail(named(std::move(result).error()));
  }
  if (builder != nullptr) {
    bytes_done = builder->bytes_done();
    bytes_total = builder->bytes_total();
  }
  done_with = std::move(builder);
  is_done = true;
  finished.notify_all();
}

Result<std::unique_ptr<Opening>> Opening::start(const fs::path& path, OpenOptions options,
                                                ThreadPool& pool) {
  auto impl = std::make_shared<Impl>();
  impl->path = path;
  impl->options = std::move(options);
  impl->pool = &pool;
  auto is_weft = impl->open_source();
  if (!is_weft) return fail(impl->named(std::move(is_weft).error()));
  if (*is_weft) {
    WEFT_TRY_ASSIGN(TracePtr trace, store::Trace::open(path));  // names the file itself
    impl->finish(std::move(trace));
  } else if (Status started = impl->start_import(); !started) {
    return fail(impl->named(std::move(started).error()));
  }
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

uint64_t Opening::bytes_done() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->builder != nullptr ? impl_->builder->bytes_done() : impl_->bytes_done;
}

uint64_t Opening::bytes_total() const {
  std::lock_guard lock(impl_->mutex);
  const uint64_t reported = impl_->builder != nullptr ? impl_->builder->bytes_total() : 0;
  return reported != 0 ? reported : impl_->bytes_total;
}

bool Opening::is_done() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->is_done;
}

Status Opening::status() const {
  std::lock_guard lock(impl_->mutex);
  return impl_->status;
}

void Opening::cancel() {
  std::lock_guard lock(impl_->mutex);
  if (impl_->builder != nullptr) impl_->builder->cancel();
}

Result<TracePtr> Opening::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->finished.wait(lock, [&] { return impl_->is_done; });
  if (!impl_->status) return fail(impl_->status.error());
  return impl_->trace;
}

}  // namespace weft::app
