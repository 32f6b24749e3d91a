// When exactly a reading is stopped: what is read until then is kept, and nothing else is said.
// covers B-19
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "app/opening/open.h"
#include "core/formats/formats.h"
#include "tests/app/sample_trace.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

// A type of a trace whose first event comes when the test says so.
struct LateType {
  static constexpr std::string_view kMark = "LATE";

  size_t bytes_before = kMark.size();  // that are read before the event; more than come: all
  std::atomic<bool> has_read = false;  // so many, or the end
  std::atomic<bool> may_go_on = false;
  size_t bytes_after = 0;

  explicit LateType(size_t bytes) : bytes_before(bytes) {
    formats::Format row;
    row.id = "late";
    row.name = "Late";
    row.sniff = [](std::span<const std::byte> head) {
      const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
      return text.starts_with(kMark) ? 100 : 0;
    };
    row.read = [this](io::Source& source, trace::EventSink& sink, const formats::ReadContext&) {
      return read(source, sink);
    };
    EXPECT_TRUE(formats::add_format(std::move(row)));
  }

  Status read(io::Source& source, trace::EventSink& sink) {
    std::byte byte{};
    const auto has_byte = [&] { return source.read(std::span(&byte, 1)).value_or(0) > 0; };
    for (size_t i = 0; i < bytes_before && has_byte();) ++i;
    has_read = true;
    while (!may_go_on) std::this_thread::yield();
    const trace::PunctualEvent event{.time = {1},
                                     .lane = sink.add_lane({.name = "lane"}),
                                     .type = sink.type(trace::Category::kPunctual, "event", "")};
    sink.punctuals({&event, 1});
    while (sink.keep_going() && has_byte()) ++bytes_after;
    return {};
  }
};

class StopTest : public ::testing::Test {
 protected:
  std::unique_ptr<Opening> open() {
    OpenOptions options;
    options.may_be_stopped = true;
    return Opening::start(pipe_.path(), std::move(options), pool_);
  }

  testing::ScratchFolder folder_;
  test::LivePipe pipe_{folder_.path() / "pipe"};
  ThreadPool pool_{2};
};

// And the pipe never pauses, which would end it.
TEST_F(StopTest, AStopIsObeyedWhereTheFirstEventComesBeforeTheNextBlock) {
  LateType late(LateType::kMark.size());
  pipe_.write(LateType::kMark);
  const auto opening = open();
  while (!late.has_read) std::this_thread::yield();
  pipe_.write(std::string(1000, '.'));
  opening->cancel();
  late.may_go_on = true;
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 1u);
  EXPECT_LT(late.bytes_after, 10u);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, "the rest, for reading was stopped");
}

TEST_F(StopTest, OfWhatWasReadToItsEndNothingIsSaidToBeStopped) {
  LateType late(std::numeric_limits<size_t>::max());
  pipe_.write(LateType::kMark);
  const auto opening = open();
  while (opening->format().empty() && !opening->is_done()) std::this_thread::yield();
  pipe_.close();
  while (!late.has_read) std::this_thread::yield();
  opening->cancel();
  late.may_go_on = true;
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 1u);
  EXPECT_TRUE((*trace)->dictionary().report.losses().empty());
}

TEST_F(StopTest, OfWhatIsNotReadToItsEndTheRestIsALoss) {
  LateType late(std::numeric_limits<size_t>::max());
  const auto file = folder_.path() / "followed";
  std::ofstream(file) << LateType::kMark;
  late.may_go_on = true;
  for (const std::filesystem::path& path : {pipe_.path(), file}) {
    if (path != file) pipe_.write(LateType::kMark);
    OpenOptions options;
    options.may_be_stopped = true;
    options.type.follows = path == file;
    const auto opening = Opening::start(path, std::move(options), pool_);
    while (opening->format().empty() && !opening->is_done()) std::this_thread::yield();
    opening->cancel();
    const auto trace = opening->wait();
    ASSERT_TRUE(trace) << trace.error().message;
    const auto& losses = (*trace)->dictionary().report.losses();
    ASSERT_EQ(losses.size(), 1u) << path;
    EXPECT_EQ(losses[0].kind, "the rest, for reading was stopped");
  }
}

// What a cache's disk had no room for is read again; meanwhile, and whatever comes of it, what was
// read first is shown.
class ReadAgainTest : public ::testing::Test {
 protected:
  static constexpr int kSkipped = 77;

  // Whether there is such a disk now: only of this process and its children.
  bool mount(const char* name, const char* size) const {
    const auto at = folder_.path() / name;
    std::filesystem::create_directory(at);
    return ::mount("tmpfs", at.c_str(), "tmpfs", 0, size) == 0;
  }
  void write_trace() const {
    constexpr int kEvents = 300'000;
    std::ofstream file(path_);
    file << "[";
    for (int i = 0; i < kEvents; ++i)
      file << R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":)" << 2 * i << R"(,"dur":1},)" << '\n';
  }
  void read_again() const {
    ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    ::setenv("TMPDIR", (folder_.path() / "temporary").c_str(), 1);
    write_trace();
    ThreadPool pool(2);
    OpenOptions options;
    options.is_watched = true;
    const auto opening = Opening::start(path_, options, pool);
    const auto trace = opening->wait();
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_GT((*trace)->counts().total(), 0u);
    EXPECT_TRUE(opening->shortfall().starts_with("it could not be written: "))
        << opening->shortfall();
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path() / "temporary"));
  }
  void expect_kept(const char* room_elsewhere) const {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::unshare(CLONE_NEWNS) != 0 ||
          ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
          !mount("cache", "size=1m") || !mount("temporary", room_elsewhere))
        ::_exit(kSkipped);
      read_again();
      ::_exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    if (WEXITSTATUS(status) == kSkipped) GTEST_SKIP() << "no file system can be mounted here";
    EXPECT_EQ(status, 0);
  }

  testing::ScratchFolder folder_;
  std::filesystem::path path_ = folder_.path() / "trace.json";
};

TEST_F(ReadAgainTest, AFullDiskElsewhereLeavesWhatIsShown) { expect_kept("size=64k"); }

}  // namespace
}  // namespace weft::app
