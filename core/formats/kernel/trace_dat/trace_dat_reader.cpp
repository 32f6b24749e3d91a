#include "core/formats/kernel/trace_dat/trace_dat_reader.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/os_error.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/trace_dat/cut_recording.h"
#include "core/formats/kernel/trace_dat/libtracecmd.h"
#include "core/formats/kernel/trace_dat/older_options.h"
#include "core/formats/kernel/trace_dat/records.h"
#include "core/io/file_descriptor.h"
#include "core/io/mapped_file.h"
#include "core/io/redirect.h"
#include "core/io/temporary_file.h"

namespace weft::formats {
namespace {

constexpr std::string_view kMagic = "\x17\x08\x44tracing";

bool is_trace_dat(std::string_view head) { return head.starts_with(kMagic); }

struct Close {
  void operator()(tracecmd_input* handle) const { tracecmd_close(handle); }
};
using Handle = std::unique_ptr<tracecmd_input, Close>;

// A descriptor in which the library can seek: of the file itself, or of a copy without a name.
Result<io::FileDescriptor> seekable(io::Source& source) {
  io::FileDescriptor file(::open(source.path().c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, kMagic.size()> head{};
  if (file.is_open() && ::pread(file.get(), head.data(), head.size(), 0) == std::ssize(head) &&
      is_trace_dat({head.data(), head.size()}))
    return file;
  WEFT_TRY_ASSIGN(const io::Copy copy, io::copy_of(source));
  if (copy.cut) return fail(*copy.cut);  // what it needs stands at the end, too
  return io::FileDescriptor(::fcntl(::fileno(copy.file.get()), F_DUPFD_CLOEXEC, 0));
}

// libtracecmd says on standard output, whatever its log level, that a file is cut: there it finds
// what takes no writing.
int init_data_silently(tracecmd_input* handle) {
  const io::FileDescriptor nowhere(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const io::Redirect silent(stdout, nowhere.get());
  return tracecmd_init_data(handle);
}

// Null where the data are not where the head says.
Result<Handle> open(const io::FileDescriptor& file) {
  // tracecmd_open_fd() would crash where the data cannot be read.
  const std::string name = fmt::format("/proc/self/fd/{}", file.get());
  Handle handle(tracecmd_open_head(name.c_str(), TRACECMD_FL_LOAD_NO_PLUGINS));
  if (handle == nullptr) return fail("is a trace.dat whose head cannot be read: was it cut?");
  if (init_data_silently(handle.get()) >= 0) return handle;
  (void)handle.release();  // nor can it be closed then
  return Handle();
}

Result<io::TemporaryFile> copied(const io::FileDescriptor& file, uint64_t size) {
  constexpr uint64_t kStep = 1 << 20;
  WEFT_TRY_ASSIGN(io::TemporaryFile copy, io::temporary_file());
  std::vector<char> bytes(kStep);
  for (uint64_t at = 0; at < size;) {
    const ssize_t read = ::pread(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (read <= 0 || ::pwrite(::fileno(copy.get()), bytes.data(), static_cast<size_t>(read),
                              static_cast<off_t>(at)) != read)
      return std::unexpected(os_error("cannot write a temporary file"));
    at += static_cast<uint64_t>(read);
  }
  return copy;
}

io::FileDescriptor descriptor_of(const io::TemporaryFile& file) {
  return io::FileDescriptor(::fcntl(::fileno(file.get()), F_DUPFD_CLOEXEC, 0));
}

// A copy that goes on in zeros, which are pages without records: the library reads nothing of a
// file that is cut. How many there would be is not trusted beyond some times of what there is.
Result<io::FileDescriptor> prolonged(const io::FileDescriptor& file, uint64_t size) {
  constexpr uint64_t kTimes = 16, kLeastBytes = 64 << 20;
  WEFT_TRY_ASSIGN(const io::TemporaryFile copy, copied(file, size));
  const uint64_t whole = std::max(kTimes * size, kLeastBytes);
  if (::ftruncate(::fileno(copy.get()), static_cast<off_t>(whole)) != 0)
    return std::unexpected(os_error("cannot write a temporary file"));
  return descriptor_of(copy);
}

// A copy that the library reads.
Result<io::FileDescriptor> mended(const io::FileDescriptor& file, uint64_t size,
                                  std::span<const trace_dat::Patch> patches) {
  WEFT_TRY_ASSIGN(const io::TemporaryFile copy, copied(file, size));
  for (const auto& [at, bytes] : patches) {
    if (::pwrite(::fileno(copy.get()), bytes.data(), bytes.size(), static_cast<off_t>(at)) !=
        std::ssize(bytes))
      return std::unexpected(os_error("cannot write a temporary file"));
  }
  return descriptor_of(copy);
}

constexpr uint64_t kNoEndKnown = std::numeric_limits<uint64_t>::max();
constexpr std::string_view kDataElsewhere =
    "is a trace.dat whose data is not where its head says: was it cut?";
constexpr std::string_view kEndsEarly = "input ends before the data of all CPUs";

// A recording that can be read.
struct Opened {
  Handle handle;
  // From where on records are not the file's: of version 6, where what was put behind it begins.
  // Those of compressed data have places in what was unpacked, beyond the file.
  uint64_t end = kNoEndKnown;
};

// The library crashes on some recordings of version 7 that are cut.
Result<Opened> open_version_7(const io::FileDescriptor& file, uint64_t size,
                              trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(const io::MappedFile map, io::MappedFile::map(file.get(), 0, size));
  WEFT_TRY_ASSIGN(const trace_dat::Remains remains, trace_dat::remains_of(as_chars(map.bytes())));
  io::FileDescriptor copy;
  if (!remains.is_whole) {
    WEFT_TRY_ASSIGN(copy, mended(file, size, remains.patches));
    sink.loss(kEndsEarly, size);
    if (!remains.has_all_cpus)
      sink.note("which CPU is which is cut off: numbered in the order of their data",
                trace::LossPlace::nowhere());
  }
  WEFT_TRY_ASSIGN(Handle handle, open(remains.is_whole ? file : copy));
  if (handle == nullptr) return fail(std::string(kDataElsewhere));
  return Opened{.handle = std::move(handle)};
}

Result<Opened> open_version_6(const io::FileDescriptor& file, uint64_t size,
                              trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(Handle handle, open(file));
  if (handle != nullptr) return Opened{.handle = std::move(handle)};
  WEFT_TRY_ASSIGN(const io::FileDescriptor longer, prolonged(file, size));
  WEFT_TRY_ASSIGN(handle, open(longer));
  if (handle == nullptr) return fail(std::string(kDataElsewhere));
  sink.loss(kEndsEarly, size);
  return Opened{.handle = std::move(handle), .end = size};
}

Result<Opened> open_what_is_there(const io::FileDescriptor& file, uint64_t size,
                                  trace::EventSink& sink) {
  std::vector<trace_dat::Patch> patches;
  {
    WEFT_TRY_ASSIGN(const io::MappedFile map, io::MappedFile::map(file.get(), 0, size));
    if (trace_dat::is_version_7(as_chars(map.bytes()))) return open_version_7(file, size, sink);
    patches = trace_dat::patches_of_older_options(as_chars(map.bytes()));
  }
  if (patches.empty()) return open_version_6(file, size, sink);
  sink.note("option of an older trace-cmd that is not understood", patches[0].at, patches.size());
  WEFT_TRY_ASSIGN(const io::FileDescriptor copy, mended(file, size, patches));
  return open_version_6(copy, size, sink);
}

struct Reading {
  trace::EventSink& sink;
  trace_dat::Records records;
  uint64_t bytes_total;
  uint64_t end;  // see Opened
  uint64_t bytes_done = 0;
  uint32_t count = 0;
};

int add_record(tracecmd_input* handle, tep_record* record, int, void* data) {
  constexpr uint32_t kRecordsBetweenLooks = 4096;
  auto& reading = *static_cast<Reading*>(data);
  const auto size = static_cast<uint64_t>(std::max(record->size, 0));
  if (record->offset >= reading.end || size > reading.end - record->offset) return 0;
  reading.bytes_done += static_cast<uint64_t>(record->record_size);
  reading.records.add(*tracecmd_get_tep(handle), *record);
  if (++reading.count % kRecordsBetweenLooks != 0) return 0;
  // Compressed records are more than the file.
  reading.sink.progress(std::min(reading.bytes_done, reading.bytes_total), reading.bytes_total);
  return reading.sink.keep_going() ? 0 : 1;
}

}  // namespace

int sniff_trace_dat(std::span<const std::byte> head) {
  return is_trace_dat(as_chars(head)) ? 100 : 0;
}

Status read_trace_dat(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  tracecmd_set_loglevel(TEP_LOG_NONE);
  tep_set_loglevel(TEP_LOG_NONE);
  WEFT_TRY_ASSIGN(const io::FileDescriptor descriptor, seekable(source));
  const off_t size = ::lseek(descriptor.get(), 0, SEEK_END);
  if (size < 0) return std::unexpected(os_error("cannot be sought in"));
  WEFT_TRY_ASSIGN(const Opened opened,
                  open_what_is_there(descriptor, static_cast<uint64_t>(size), sink));
  tracecmd_input* const first = opened.handle.get();
  std::vector<Handle> instances;
  std::vector<tracecmd_input*> handles = {first};
  for (int i = 0; i < tracecmd_buffer_instances(first); ++i) {
    Handle instance(tracecmd_buffer_instance_handle(first, i));
    if (instance == nullptr) {
      sink.loss("buffer that cannot be read", trace::LossPlace::nowhere());
      continue;
    }
    handles.push_back(instance.get());
    instances.push_back(std::move(instance));
  }
  Reading reading{.sink = sink,
                  .records = trace_dat::Records(sink),
                  .bytes_total = source.disk_bytes_total(),
                  .end = opened.end};
  sink.set_time_base(TimeBase::kNanoseconds);
  if (const char* const system = tracecmd_get_uname(first)) {
    std::string_view text = system;  // "Linux host 6.1.0 x86_64"
    reading.records.set_architecture(take_last_word(text));
    reading.records.set_release(take_last_word(text));
  }
  tracecmd_iterate_events_multi(handles.data(), static_cast<int>(handles.size()), add_record,
                                &reading);
  reading.records.finish();
  sink.progress(reading.bytes_total, reading.bytes_total);
  return {};
}

}  // namespace weft::formats
