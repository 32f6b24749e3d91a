// When exactly a reading is stopped: what is read until then is kept, and nothing else is said.
// covers B-19
#include <gtest/gtest.h>

#include <atomic>
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

}  // namespace
}  // namespace weft::app
