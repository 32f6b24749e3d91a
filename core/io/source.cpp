#include "core/io/source.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/os_error.h"
#include "core/base/time.h"
#include "core/io/archive.h"
#include "core/io/file_descriptor.h"
#include "core/io/listing.h"
#include "core/io/open_pipe.h"
#include "core/io/page.h"
#include "core/io/reopen.h"
#include "core/io/shortfall.h"
#include "core/io/stream.h"
#include "core/io/temporary_file.h"
#include "core/io/watch.h"

namespace weft::io {
namespace {

constexpr size_t kMaxPeek = 1 << 20;
constexpr std::chrono::seconds kWriterPatience{5};

class FileSource final : public Source {
 public:
  FileSource(std::filesystem::path path, Stream stream, Watch watch)
      : path_(std::move(path)), stream_(std::move(stream)), watch_(std::move(watch)) {}

  Result<size_t> read(std::span<std::byte> out) override {
    size_t filled = std::min(out.size(), peeked_.size() - peek_taken_);
    if (filled > 0) std::memcpy(out.data(), peeked_.data() + peek_taken_, filled);
    peek_taken_ += filled;
    if (filled == 0 && !is_ended() && !is_wanted()) stop();
    while (filled < out.size() && !is_ended() && (filled == 0 || stream_.is_ready()))
      filled += read_stream(out.subspan(filled));
    offset_ += filled;
    if (filled == 0 && error_) return fail(*error_);
    return filled;
  }

  // The byte order mark of a text in UTF-8 is not part of it.
  void skip_mark() {
    constexpr size_t kMostBytes = 3;
    if (const auto head = peek(kMostBytes)) peek_taken_ = offset_ = mark_bytes(*head);
  }

  Result<std::span<const std::byte>> peek(size_t n) override {
    n = std::min(n, kMaxPeek);
    peeked_.erase(peeked_.begin(), peeked_.begin() + static_cast<ptrdiff_t>(peek_taken_));
    peek_taken_ = 0;
    size_t have = peeked_.size();
    if (have < n) {
      peeked_.resize(n);
      const Patience patience;
      while (have < n && !is_ended() && !(have > 0 && pauses(patience)))
        have += read_stream(std::span(peeked_).subspan(have));
      peeked_.resize(have);
    }
    if (have == 0 && error_) return fail(*error_);
    return std::span<const std::byte>(peeked_);
  }

  std::optional<MappedFile> mapped() const override {
    const int fd = path_ == "-" ? -1 : stream_.plain_file();  // it may have been read before
    struct stat info = {};
    if (fd < 0 || ::fstat(fd, &info) != 0 || static_cast<uint64_t>(info.st_size) <= offset_)
      return std::nullopt;
    auto file = MappedFile::map(fd, offset_, static_cast<uint64_t>(info.st_size) - offset_);
    return file ? std::optional(std::move(*file)) : std::nullopt;
  }

  uint64_t disk_bytes_read() const override { return stream_.disk_bytes_read(); }
  uint64_t disk_bytes_total() const override { return stream_.disk_bytes_total(); }
  uint64_t offset() const override { return offset_; }
  const std::filesystem::path& path() const override { return path_; }
  bool is_ready() const override { return peek_taken_ < peeked_.size() || stream_.is_ready(); }
  bool is_ended() const override { return is_at_end_ || error_; }
  bool was_stopped() const override { return was_stopped_ || stream_.was_stopped(); }

 private:
  void stop() { is_at_end_ = was_stopped_ = true; }
  bool pauses(const Patience& patience) {
    if (!watch_.on_wait || stream_.is_ready(patience.left())) return false;
    if (!watch_.on_wait()) stop();
    return true;
  }

  bool is_wanted() const {
    return !watch_.on_block || watch_.on_block(disk_bytes_read(), disk_bytes_total());
  }

  // The end and an error are remembered, so that what came before is delivered first.
  size_t read_stream(std::span<std::byte> out) {
    auto n = stream_.read(out);
    if (!n) {
      error_ = std::move(n).error();
      return 0;
    }
    is_at_end_ = *n == 0;
    return *n;
  }

  std::filesystem::path path_;
  Stream stream_;
  std::vector<std::byte> peeked_;
  size_t peek_taken_ = 0;
  uint64_t offset_ = 0;
  Watch watch_;
  bool is_at_end_ = false;
  bool was_stopped_ = false;
  std::optional<Error> error_;
};

Result<std::unique_ptr<Source>> open_raw_at(const std::filesystem::path& path);
Result<std::unique_ptr<Source>> open_at(const std::filesystem::path& path, SourceLimits limits,
                                        const Watch& watch, int depth);

class FolderSource final : public Source {
 public:
  // `depth`: archives in which it lies.
  FolderSource(std::filesystem::path path, std::vector<FolderFile> files, SourceLimits limits,
               Unpack unpack, int depth, std::string named_file = {})
      : path_(std::move(path)),
        files_(std::move(files)),
        limits_(limits),
        unpack_(std::move(unpack)),
        depth_(depth),
        named_file_(std::move(named_file)) {
    for (const FolderFile& file : files_) bytes_total_ += file.size_bytes;
  }

  Result<size_t> read(std::span<std::byte>) override { return 0; }
  Result<std::span<const std::byte>> peek(size_t) override { return std::span<const std::byte>(); }
  uint64_t disk_bytes_read() const override { return 0; }
  uint64_t disk_bytes_total() const override { return bytes_total_; }
  uint64_t offset() const override { return 0; }
  const std::filesystem::path& path() const override { return path_; }
  bool is_folder() const override { return true; }
  std::span<const FolderFile> files() const override { return files_; }
  std::string named_file() const override { return named_file_; }
  Result<std::unique_ptr<Source>> open_file(const std::string& name) const override {
    return open_at(path_ / name, limits_, {.unpack = unpack_}, depth_);
  }
  Result<std::unique_ptr<Source>> open_raw_file(const std::string& name) const override {
    return open_raw_at(path_ / name);
  }

 private:
  std::filesystem::path path_;
  std::vector<FolderFile> files_;
  uint64_t bytes_total_ = 0;
  SourceLimits limits_;
  Unpack unpack_;
  int depth_;
  std::string named_file_;
};

// Where an archive is unpacked.
struct UnpackedFolder {
  TemporaryFolder folder;
  Unpacked content;
};
using Home = std::shared_ptr<const UnpackedFolder>;

// A source over an unpacked archive, which exists as long as the source.
class UnpackedSource final : public Source {
 public:
  // `place`: where in the home's folder it lies or, if that is an archive again, came from.
  UnpackedSource(Home home, std::filesystem::path place, std::unique_ptr<Source> inner,
                 bool is_page)
      : home_(std::move(home)),
        place_(std::move(place)),
        inner_(std::move(inner)),
        is_page_(is_page) {}

  Result<size_t> read(std::span<std::byte> out) override { return inner_->read(out); }
  Result<std::span<const std::byte>> peek(size_t n) override { return inner_->peek(n); }
  bool was_stopped() const override { return inner_->was_stopped(); }
  std::optional<MappedFile> mapped() const override { return inner_->mapped(); }
  uint64_t disk_bytes_read() const override { return inner_->disk_bytes_read(); }
  uint64_t disk_bytes_total() const override { return inner_->disk_bytes_total(); }
  uint64_t offset() const override { return inner_->offset(); }
  const std::filesystem::path& path() const override { return inner_->path(); }
  bool is_folder() const override { return inner_->is_folder(); }
  std::span<const FolderFile> files() const override { return inner_->files(); }
  std::string named_file() const override { return inner_->named_file(); }
  Result<std::unique_ptr<Source>> open_file(const std::string& name) const override {
    WEFT_TRY_ASSIGN(std::unique_ptr<Source> file, inner_->open_file(name));
    return beside(place_ / name, std::move(file));
  }
  Result<std::unique_ptr<Source>> open_raw_file(const std::string& name) const override {
    WEFT_TRY_ASSIGN(std::unique_ptr<Source> file, inner_->open_raw_file(name));
    return beside(place_ / name, std::move(file));
  }
  Result<std::unique_ptr<Source>> open_folder() const override {
    WEFT_TRY_ASSIGN(std::unique_ptr<Source> folder, inner_->open_folder());
    return beside(place_.parent_path(), std::move(folder));
  }
  bool is_unpacked() const override { return true; }
  Shortfall shortfall() const {
    Shortfall inner = shortfall_of(*inner_);
    const Unpacked& content = home_->content;
    if (content.shortfall.empty() || inner.is_of_source) return inner;
    std::error_code ignored;
    const bool is_of_source = content.shortage == Shortage::kAnyFile ||
                              std::filesystem::is_directory(place_, ignored) ||
                              (content.shortage == Shortage::kLastFile && is_last_file());
    return {content.shortfall, is_of_source};
  }
  bool is_page() const override { return is_page_ || inner_->is_page(); }

 private:
  bool is_last_file() const { return place_ == home_->folder.path() / home_->content.last_file; }
  std::unique_ptr<Source> beside(std::filesystem::path place, std::unique_ptr<Source> inner) const {
    return std::make_unique<UnpackedSource>(home_, std::move(place), std::move(inner), is_page_);
  }

  Home home_;
  std::filesystem::path place_;
  std::unique_ptr<Source> inner_;
  bool is_page_;
};

// Names a path that is neither a file nor a folder.
const char* kind_of(mode_t mode) {
  if (S_ISSOCK(mode)) return "is not a file: it is a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "is not a file: it is a device";
  return nullptr;
}

// Waits until a pipe has bytes or its writer is gone. A pipe that nobody opens for writing would
// wait for ever, and looks like an empty one to read(2).
Result<std::vector<std::byte>> first_bytes_of_pipe(int fd, const OnWait& on_wait) {
  std::vector<std::byte> bytes(64 << 10);
  const auto give_up = std::chrono::steady_clock::now() + kWriterPatience;
  for (;;) {
    const ssize_t n = ::read(fd, bytes.data(), bytes.size());
    if (n > 0) {
      bytes.resize(static_cast<size_t>(n));
      return bytes;
    }
    pollfd poll_fd = {fd, POLLIN, 0};
    if (n == 0) {
      const bool had_writer = ::poll(&poll_fd, 1, 0) > 0 && (poll_fd.revents & POLLHUP) != 0;
      if (had_writer) return std::vector<std::byte>{};
      if (std::chrono::steady_clock::now() > give_up) {
        return fail("is a pipe that nobody writes to");
      }
    } else if (errno != EAGAIN && errno != EINTR) {
      return fail(os_error("cannot read"));
    }
    if (on_wait && !on_wait()) return std::vector<std::byte>{};
    ::poll(&poll_fd, 1, 100);
  }
}

Result<FileDescriptor> open_path(const std::filesystem::path& path) {
  if (path == "-") {
    FileDescriptor fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!fd.is_open()) return fail("standard input is closed");
    if (::isatty(fd.get()) != 0) return fail("standard input is a terminal");
    return fd;
  }
  struct stat info = {};
  if (::stat(path.c_str(), &info) == 0 && kind_of(info.st_mode) != nullptr) {
    return fail(kind_of(info.st_mode));  // opening a device may do something
  }
  // Opening a pipe does not wait for its writer this way.
  FileDescriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.is_open() && errno == ENOENT) return fail("File does not exist");
  if (!fd.is_open()) return fail(os_error("cannot open"));
  return fd;
}

// Down through folders that hold one folder and nothing else.
std::filesystem::path root_of(std::filesystem::path folder) {
  namespace fs = std::filesystem;
  for (;;) {
    std::error_code error;
    const Listing listing = Listing::of(folder);
    const bool is_one = listing.status && listing.entries.size() == 1;
    if (!is_one || !listing.entries[0].is_directory(error)) return folder;
    folder = listing.entries[0].path();
  }
}

constexpr std::string_view kStopped = "reading was stopped";

// Shares the unpacked content of an archive among sources for its files.
class SharedHomes {
 public:
  // `key` names the archive as it is. `is_wanted` is asked while another one unpacks it.
  template <class IsWanted, class Unpack>
  Result<Home> home(const std::string& key, const IsWanted& is_wanted, const Unpack& unpack) {
    // The others wait until it is there. (A timed mutex would do; TSan knows none.)
    constexpr std::chrono::milliseconds kBetweenAsks{5};
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock()) {
      if (!is_wanted()) return fail(std::string(kStopped));
      std::this_thread::sleep_for(kBetweenAsks);
    }
    std::erase_if(homes_, [](const auto& each) { return each.second.expired(); });
    if (Home known = homes_[key].lock()) return known;
    WEFT_TRY_ASSIGN(Home made, unpack());
    homes_[key] = made;
    return made;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const UnpackedFolder>> homes_;
};

bool is_wanted(const Source& archive, const Watch& watch) {
  return !watch.on_block || watch.on_block(archive.disk_bytes_read(), archive.disk_bytes_total());
}

// An archive does not say of every file when it was last changed.
void set_changed(const std::filesystem::path& folder, const std::vector<Changed>& changed) {
  for (const Changed& each : changed) {
    const timespec times[2] = {{0, UTIME_OMIT}, {each.seconds, each.nanoseconds}};
    ::utimensat(AT_FDCWD, (folder / each.file).c_str(), times, AT_SYMLINK_NOFOLLOW);
  }
}

Result<Home> home_of(Source& archive, Packing packing, SourceLimits limits, const Watch& watch) {
  constexpr uint64_t kMostOfDeflate = 1032;  // times its size; signals at rest come near it
  const uint64_t room = temporary_room();
  const auto most_bytes = [&] {
    const uint64_t read = archive.disk_bytes_read();
    return std::max(
        {limits.free_bytes, read * limits.max_ratio, std::min(read * kMostOfDeflate, room / 4)});
  };
  bool is_stopped = false;
  const auto read = [&](std::span<std::byte> out) -> Result<size_t> {
    is_stopped = is_stopped || !is_wanted(archive, watch);
    if (is_stopped) return fail(std::string(kStopped));
    return archive.read(out);
  };
  WEFT_TRY_ASSIGN(TemporaryFolder folder, TemporaryFolder::create());
  auto made = watch.unpack(packing, {.read = read, .most_bytes = most_bytes}, folder.path());
  // What was unpacked until then is not all of it.
  if (is_stopped || !is_wanted(archive, watch)) return fail(std::string(kStopped));
  WEFT_TRY_ASSIGN(Unpacked unpacked, std::move(made));
  set_changed(folder.path(), unpacked.changed);
  return std::make_shared<const UnpackedFolder>(std::move(folder), std::move(unpacked));
}

Result<Home> shared_home_of(Source& archive, Packing packing, SourceLimits limits,
                            const Watch& watch) {
  static SharedHomes homes;
  struct stat info = {};
  if (::stat(archive.path().c_str(), &info) != 0) return fail(os_error("cannot open"));
  const std::string key =
      fmt::format("{} {} {} {}.{} {} {}", info.st_dev, info.st_ino, info.st_size,
                  info.st_mtim.tv_sec, info.st_mtim.tv_nsec, limits.free_bytes, limits.max_ratio);
  return homes.home(
      key, [&] { return is_wanted(archive, watch); },
      [&] { return home_of(archive, packing, limits, watch); });
}

// Returns the archive's file or folder of this name; without one: its only file, or the folder of
// all.
Result<std::filesystem::path> place_in(const Home& home, const std::filesystem::path& name) {
  namespace fs = std::filesystem;
  const fs::path root = root_of(home->folder.path());
  if (name.empty()) {
    WEFT_TRY_ASSIGN(const std::vector<FolderFile> files, files_below(root));
    if (files.empty()) return fail("is an archive without files");
    return files.size() == 1 ? root / files.front().name : root;
  }
  std::error_code ignored;
  for (const fs::path& path : {home->folder.path() / name, root / name}) {
    if (*name.begin() == "..") break;
    if (fs::exists(path, ignored) || file_on(path) != path) return path;
  }
  return fail("is not in the archive");
}

Result<std::unique_ptr<Source>> open_archive(Source& archive, Packing packing, SourceLimits limits,
                                             const Watch& watch, int depth,
                                             const std::filesystem::path& name) {
  constexpr int kMostDepth = 2;
  if (depth >= kMostDepth) return fail("is an archive within archives: unpack it first");
  WEFT_TRY_ASSIGN(const Home home,
                  (name.empty() ? home_of : shared_home_of)(archive, packing, limits, watch));
  WEFT_TRY_ASSIGN(const std::filesystem::path path, place_in(home, name));
  WEFT_TRY_ASSIGN(
      std::unique_ptr<Source> inner,
      open_at(path, limits, {.on_block = watch.on_block, .unpack = watch.unpack}, depth + 1));
  return std::make_unique<UnpackedSource>(home, path, std::move(inner), packing == Packing::kPage);
}

// Opens the decoded bytes; for an archive, its content under `name`.
Result<std::unique_ptr<Source>> source_of(const std::filesystem::path& path, Stream stream,
                                          SourceLimits limits, const Watch& watch, int depth,
                                          const std::filesystem::path& name) {
  WEFT_TRY(stream.choose_decoders(limits));
  auto source = std::make_unique<FileSource>(path, std::move(stream), watch);
  source->skip_mark();
  const auto begin = source->peek(kHeadBytes);  // an error comes again with the first read
  if (begin && begins_archive(*begin)) {
    return open_archive(*source, Packing::kArchive, limits, watch, depth, name);
  }
  if (begin && begins_page(*begin)) {
    return open_archive(*source, Packing::kPage, limits, watch, depth, name);
  }
  if (!name.empty()) return fail("is in no archive: what is before it is a file");
  return source;
}

// The bytes of a file as they are.
Result<Stream> stream_of(const std::filesystem::path& path, const OnWait& on_wait) {
  WEFT_TRY_ASSIGN(FileDescriptor fd, open_path(path));
  struct stat info = {};
  if (::fstat(fd.get(), &info) != 0) return fail(os_error("cannot open"));
  if (path != "-" && kind_of(info.st_mode) != nullptr) return fail(kind_of(info.st_mode));

  std::vector<std::byte> head;
  if (S_ISFIFO(info.st_mode) && path != "-") {
    WEFT_TRY_ASSIGN(head, first_bytes_of_pipe(fd.get(), on_wait));
  }
  if (path != "-") ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) & ~O_NONBLOCK);

  const bool is_sized = S_ISREG(info.st_mode);
  RawInput input(std::move(fd), !is_sized, on_wait, head.size());
  return Stream(std::move(input), std::move(head),
                is_sized ? static_cast<uint64_t>(info.st_size) : 0, on_wait != nullptr);
}

Result<std::unique_ptr<Source>> open_raw_at(const std::filesystem::path& path) {
  WEFT_TRY_ASSIGN(Stream stream, stream_of(path, {}));
  return std::make_unique<FileSource>(path, std::move(stream), Watch());
}

// Opens a file; of an archive, what lies in it under `name`.
Result<std::unique_ptr<Source>> open_file_at(const std::filesystem::path& path, SourceLimits limits,
                                             const Watch& watch, int depth,
                                             const std::filesystem::path& name) {
  WEFT_TRY_ASSIGN(Stream stream, stream_of(path, watch.on_wait));
  return source_of(path, std::move(stream), limits, watch, depth, name);
}

Result<std::unique_ptr<Source>> open_at(const std::filesystem::path& path, SourceLimits limits,
                                        const Watch& watch, int depth) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    WEFT_TRY_ASSIGN(std::vector<FolderFile> files, files_below(path));
    return std::make_unique<FolderSource>(path, std::move(files), limits, watch.unpack, depth);
  }
  const std::filesystem::path file = file_on(path);
  if (file == path) return open_file_at(path, limits, watch, depth, {});
  return open_file_at(file, limits, watch, depth, path.lexically_relative(file).lexically_normal());
}

}  // namespace

Shortfall shortfall_of(const Source& source) {
  const auto* const unpacked = dynamic_cast<const UnpackedSource*>(&source);
  return unpacked == nullptr ? Shortfall() : unpacked->shortfall();
}

Result<std::unique_ptr<Source>> Source::open(const std::filesystem::path& path,
                                             SourceLimits limits) {
  return open_at(path, limits, {}, 0);
}

Result<std::unique_ptr<Source>> open_watched(const std::filesystem::path& path,
                                             const Watch& watch) {
  return open_at(path, {}, watch, 0);
}

Result<std::unique_ptr<Source>> open_pipe(FileDescriptor pipe, uint64_t bytes_total,
                                          const Watch& watch) {
  RawInput input(std::move(pipe), /*is_paced=*/true, watch.on_wait, 0);
  Stream stream(std::move(input), {}, bytes_total, watch.on_wait != nullptr);
  return source_of("-", std::move(stream), {}, watch, 0, {});
}

bool can_be_reopened(const Source& source) {
  std::error_code ignored;
  return source.path() != "-" && std::filesystem::is_regular_file(source.path(), ignored);
}

size_t mark_bytes(std::span<const std::byte> head) {
  constexpr std::array kMark = {std::byte{0xEF}, std::byte{0xBB}, std::byte{0xBF}};
  return std::ranges::mismatch(head, kMark).in2 == kMark.end() ? kMark.size() : 0;
}

std::optional<Time> last_change(const std::filesystem::path& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  return Time{saturated(Wide{info.st_mtim.tv_sec} * kNsPerSecond + info.st_mtim.tv_nsec)};
}

std::filesystem::path file_on(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (fs::path at = path; at.has_relative_path(); at = at.parent_path()) {
    if (fs::is_regular_file(at, ignored)) return at;
    if (fs::exists(at, ignored)) break;
  }
  return path;
}

std::filesystem::path path_beside(const std::filesystem::path& path) {
  const std::filesystem::path file = file_on(path);
  if (file == path) return path;
  std::string name = path.lexically_relative(file).generic_string();
  std::ranges::replace(name, '/', '.');
  return file.native() + "." + name;
}

std::filesystem::path without_compression(const std::filesystem::path& path) {
  constexpr std::string_view kEndings[] = {".gz", ".zst", ".xz", ".bz2", ".lz4"};
  const bool is_compressed =
      std::ranges::find(kEndings, path.extension().string()) != std::end(kEndings);
  return is_compressed ? path.parent_path() / path.stem() : path;
}

Result<std::unique_ptr<Source>> Source::open_file(const std::string& name) const {
  return open(path() / name);
}

Result<std::unique_ptr<Source>> Source::open_raw_file(const std::string& name) const {
  return open_raw_at(path() / name);
}

Result<std::unique_ptr<Source>> Source::open_folder() const {
  std::filesystem::path folder = path().parent_path();
  if (folder.empty()) folder = ".";
  WEFT_TRY_ASSIGN(std::vector<FolderFile> files, files_below(folder));
  return std::make_unique<FolderSource>(std::move(folder), std::move(files), SourceLimits(),
                                        unpack_here, 0, path().filename().string());
}

}  // namespace weft::io
