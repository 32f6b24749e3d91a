// Opening in the background: how far it is, what is there already, and stopping it.
// covers B-19
#include "app/opening/open.h"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "app/session/commands.h"
#include "app/session/session.h"
#include "app/session/trace_export.h"
#include "core/io/file_descriptor.h"
#include "core/store/builder.h"
#include "tests/app/sample_trace.h"
#include "tests/core/io/live_pipe.h"

namespace weft::app {
namespace {

using testing::events_of;

constexpr uint64_t kEvents = 400'000;

class OpeningTest : public ::testing::Test {
 protected:
  OpeningTest() : path_(folder_.path() / "trace.json") { write(kEvents); }
  void write(uint64_t events) const {
    std::ofstream file(path_);
    file << "[";
    for (uint64_t i = 0; i < events; ++i) {
      file << R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":)" << 2 * i << R"(,"dur":1},)" << '\n';
    }
  }
  std::unique_ptr<Opening> open(bool follows = false) {
    OpenOptions options;
    options.type.follows = follows;
    options.use_cache = false;
    options.is_watched = true;
    return Opening::start(path_, std::move(options), pool_);
  }
  static void kill_children() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
      std::ifstream children(task.path() / "children");
      for (pid_t child = 0; children >> child;) ::kill(child, SIGKILL);
    }
  }

  testing::ScratchFolder folder_;
  std::filesystem::path path_;
  ThreadPool pool_{2};
};

// covers B-18
TEST(OpenTrace, OfStandardInputIsCalledSo) {
  const testing::ScratchFolder folder;
  const auto sample = testing::write_sample(folder.path());
  EXPECT_EQ(OpenTrace("-", testing::opened(sample)).name(), "standard input");
  EXPECT_EQ(OpenTrace(sample, testing::opened(sample)).name(), sample.filename());
}

TEST_F(OpeningTest, AFolderHasItsNameHoweverItIsWritten) {
  Session session;
  std::vector<std::filesystem::path> opened;
  session.host.open_file = [&](const std::filesystem::path& path, const TypeChoice&) {
    opened.push_back(path);
    return open();
  };
  for (const char* written : {"/a/traces/", "/a/traces/.", "/a/traces/run/.."})
    ASSERT_TRUE(apply_command(session, {"open", {{"path", written}}}));
  for (const auto& path : opened) EXPECT_EQ(path, "/a/traces");
  EXPECT_EQ(absolute_path("/a/traces/"), "/a/traces");
}

TEST_F(OpeningTest, AFileThatHasChangedIsReadAgain) {
  const auto write = [&](int events) {
    std::ofstream file(path_);
    file << "[";
    for (int i = 0; i < events; ++i)
      file << R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":)" << 2 * i << R"(,"dur":1},)";
  };
  Session session;
  session.host.open_file = [&](const std::filesystem::path&, const TypeChoice&) { return open(); };
  session.host.on_close = [&](const OpenTrace& trace) { EXPECT_TRUE(trace.trace()); };
  const auto wait = [&] {
    ASSERT_TRUE(session.trace()->opening()->wait());
    session.refresh();
  };
  write(2);
  ASSERT_TRUE(apply_command(session, {"open", {{"path", path_.string()}}, 0}));
  wait();
  EXPECT_EQ(session.trace()->trace()->counts().total(), 2u);
  session.notice_changed_files();
  EXPECT_EQ(session.messages.last.text, "");

  write(3);
  std::filesystem::last_write_time(
      path_, std::filesystem::last_write_time(path_) + std::chrono::seconds(1));
  session.notice_changed_files();
  EXPECT_EQ(session.messages.last.text, "trace.json has changed since it was read");
  ASSERT_TRUE(session.messages.last.offer);
  const Offer offer = *session.messages.last.offer;
  ASSERT_TRUE(apply_command(session, {offer.command, offer.args, 0}));
  ASSERT_EQ(session.traces.size(), 1u);
  wait();
  EXPECT_EQ(session.trace()->trace()->counts().total(), 3u);

  std::filesystem::remove(path_);
  session.notice_changed_files();  // what was read stays
  const Status gone = apply_command(session, {"reload", Json::object(), 0});
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().message, "reload: " + path_.string() + " is not there any more");
  EXPECT_EQ(session.trace()->trace()->counts().total(), 3u);
}

// covers FS-40
TEST_F(OpeningTest, AFileThatIsOpenIsShownNotOpenedAgain) {
  write(3);
  const auto other = folder_.path() / "other.json";
  std::filesystem::copy_file(path_, other);
  Session session;
  session.host.open_file = [&](const std::filesystem::path& path, const TypeChoice& type) {
    OpenOptions options;
    options.type = type;
    options.use_cache = false;
    return Opening::start(path, std::move(options), pool_);
  };
  const auto opens = [&](const std::filesystem::path& path, Json args = Json::object()) {
    args["path"] = path.string();
    const size_t before = session.traces.size();
    EXPECT_TRUE(apply_command(session, {"open", std::move(args)}));
    EXPECT_TRUE(session.trace()->opening()->wait());
    session.refresh();
    return session.traces.size() > before;
  };
  EXPECT_TRUE(opens(path_));
  EXPECT_TRUE(opens(other));
  EXPECT_FALSE(opens(folder_.path() / "." / "trace.json"));
  EXPECT_EQ(session.trace()->path(), path_);
  EXPECT_EQ(session.messages.last.text, "trace.json is open already");
  ASSERT_TRUE(session.messages.last.offer);
  EXPECT_EQ(session.messages.last.offer->command, "reload");
  EXPECT_EQ(session.messages.last.offer->args, (Json{{"index", 0}}));
  // What would be another trace is opened beside it.
  EXPECT_TRUE(opens(path_, {{"format", "chrome-json"}}));
  std::filesystem::last_write_time(
      other, std::filesystem::last_write_time(other) + std::chrono::seconds(1));
  EXPECT_TRUE(opens(other));
  // From now on, that is the one to show; the older one still says that it is.
  EXPECT_FALSE(opens(other));
  EXPECT_EQ(session.trace(), session.traces.back().get());
  session.notice_changed_files();
  EXPECT_EQ(session.messages.last.text, "other.json has changed since it was read");
  ASSERT_TRUE(session.messages.last.offer);
  EXPECT_EQ(session.messages.last.offer->args, (Json{{"index", 1}}));
  EXPECT_FALSE(opens(other)) << "also once that has been said";
  EXPECT_EQ(session.trace(), session.traces.back().get());
}

TEST_F(OpeningTest, AFileThatIsFollowedIsNotSaidToHaveChanged) {
  std::ofstream(path_) << R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":2,"dur":1},)";
  Session session;
  session.host.open_file = [&](const std::filesystem::path&, const TypeChoice&) {
    return open(/*follows=*/true);
  };
  ASSERT_TRUE(apply_command(session, {"open", {{"path", path_.string()}}, 0}));
  std::filesystem::last_write_time(
      path_, std::filesystem::last_write_time(path_) + std::chrono::seconds(1));
  session.notice_changed_files();  // before it is known that it comes through a pipe
  EXPECT_EQ(session.messages.last.text, "");
  ASSERT_TRUE(apply_command(session, {"load.cancel"}));
  (void)session.trace()->opening()->wait();
}

TEST(OpenTrace, ShowsAllOfATraceOfAnyLength) {
  const testing::ScratchFolder folder;
  ThreadPool pool(1);
  for (const int64_t ticks : {0L, 57L, 315'576'000'000'000'001L}) {  // the last: ten years
    auto builder = store::StoreBuilder::create({folder.path() / "t.weft", "test"}, pool);
    ASSERT_TRUE(builder);
    trace::EventSink& sink = **builder;
    const LaneId lane = sink.add_lane({"lane"});
    const EventTypeId type = sink.type(trace::Category::kState, "work", "");
    sink.states({{{{3}, {ticks}, ParamsId::none(), lane, type}}});
    OpenTrace trace("t.weft", (*builder)->finish().value());
    EXPECT_TRUE(trace.shows_all()) << ticks;
    View closer = trace.view();
    closer.window.length /= 2;
    trace.navigate(closer, 0);
    EXPECT_FALSE(trace.shows_all()) << ticks;
    trace.fit(0);
    EXPECT_TRUE(trace.shows_all()) << ticks;
  }
}

// covers B-16, C-27
TEST(OpenTrace, APartShowsTheRangeThatItIsOf) {
  const testing::ScratchFolder folder;
  const auto whole = testing::opened(testing::write_sample(folder.path()));
  TraceExport what{whole, query::Selection::all(*whole), "weft", folder.path() / "part.weft"};
  what.selection.range = {{1500}, {2500}};  // a message of it arrives at 2900
  ThreadPool pool(1);
  Job::Progress progress;
  ASSERT_TRUE(export_trace(what, pool, progress));
  OpenTrace part(what.file, testing::opened(what.file));
  EXPECT_GT(part.range().end, Time{2900});
  EXPECT_EQ(part.view().window, TimeWindow::from_range({{1500}, {2500}}));
  OpenOptions options;
  OpenTrace read(Opening::start(what.file, std::move(options), pool));
  (void)read.opening()->wait();
  (void)read.refresh();
  EXPECT_EQ(read.view().window, TimeWindow::from_range({{1500}, {2500}}));
  EXPECT_FALSE(read.shows_all());
  read.fit(0);
  EXPECT_TRUE(read.shows_all());
}

TEST_F(OpeningTest, WhatIsStoppedIsKeptAndCanBeUsed) {
  const auto opening = open();
  while (events_of(*opening) == 0 && !opening->is_done()) std::this_thread::yield();
  const uint64_t seen = events_of(*opening);
  EXPECT_GT(seen, 0U);
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_GE((*trace)->counts().total(), seen);
  EXPECT_LE((*trace)->counts().total(), kEvents);
  EXPECT_EQ(events_of(*opening), (*trace)->counts().total());
}

// Not even for a moment, in which the program may be killed.
TEST_F(OpeningTest, WhatIsStoppedIsNeverInTheCache) {
  ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  write(4 * kEvents);
  const auto imports = folder_.path() / "cache/weftscope/imports";
  std::filesystem::create_directories(imports);
  const io::FileDescriptor watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  ASSERT_GE(::inotify_add_watch(watch.get(), imports.c_str(), IN_CREATE | IN_MOVED_TO), 0);
  OpenOptions options;
  options.is_watched = true;
  const auto opening = Opening::start(path_, options, pool_);
  while (events_of(*opening) == 0 && !opening->is_done()) std::this_thread::yield();
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  ASSERT_LT((*trace)->counts().total(), 4 * kEvents);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_EQ(losses.size(), 1u);
  EXPECT_EQ(losses[0].kind, "the rest, for reading was stopped");
  EXPECT_FALSE(losses[0].is_damage);
  alignas(inotify_event) std::array<char, 16 << 10> seen{};
  const ssize_t size = ::read(watch.get(), seen.data(), seen.size());
  for (ssize_t at = 0; at < size;) {
    const auto* const event = reinterpret_cast<const inotify_event*>(seen.data() + at);
    EXPECT_TRUE(std::string_view(event->name).starts_with('.')) << event->name;
    at += static_cast<ssize_t>(sizeof *event + event->len);
  }
  EXPECT_TRUE(std::filesystem::is_empty(imports));
}

TEST_F(OpeningTest, WhatIsClosedWhileItIsReadIsNotFinished) {
  write(4 * kEvents);
  const auto output = folder_.path() / "out.weft";
  OpenOptions options;
  options.output = output;
  options.is_watched = true;
  auto opening = Opening::start(path_, options, pool_);
  while (events_of(*opening) == 0 && !opening->is_done()) std::this_thread::yield();
  ASSERT_FALSE(opening->is_done());
  opening.reset();
  EXPECT_FALSE(std::filesystem::exists(output));
}

// A document that is understood once it is there as a whole.
TEST_F(OpeningTest, OfAPipeThatIsTakenAsAWholeWhatCameIsRead) {
  test::LivePipe pipe(folder_.path() / "chart");
  pipe.write("msc {\n  a, b;\n");
  OpenOptions options;
  options.is_watched = true;
  const auto opening = Opening::start(pipe.path(), options, pool_);
  while (opening->format().empty() && !opening->is_done()) std::this_thread::yield();
  pipe.write("  a -> b [ label = \"ask\" ];\n");
  while (!pipe.is_read()) std::this_thread::yield();
  opening->cancel();
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), 1u);
  const auto& losses = (*trace)->dictionary().report.losses();
  ASSERT_FALSE(losses.empty());
  EXPECT_EQ(losses.back().kind, "the rest, for reading was stopped");
}

// covers R10
TEST_F(OpeningTest, WhatAReaderLeftThatWasKilledIsShownAndNotKept) {
  ::setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
  constexpr uint64_t kMany = 4 * kEvents;  // so that there is time to kill it
  write(kMany);
  OpenOptions options;
  options.is_watched = true;
  Session session;
  session.traces.push_back(std::make_unique<OpenTrace>(Opening::start(path_, options, pool_)));
  const Opening& opening = *session.trace()->opening();
  while (events_of(opening) == 0 && !opening.is_done()) std::this_thread::yield();
  kill_children();
  while (!opening.is_done()) std::this_thread::yield();
  // Whatever else is to be said of it: that there are no names.
  session.trace()->set_symbols({folder_.path() / "missing"}, nullptr);
  while (session.messages.all.size() < 2) {
    session.refresh();
    std::this_thread::yield();
  }
  EXPECT_EQ(session.messages.all[0].text,
            "trace.json: its reader stopped: Killed. What came before that is shown");
  EXPECT_TRUE(session.messages.all[1].text.starts_with("symbols: "));
  ASSERT_TRUE(session.trace()->trace());
  EXPECT_LT(events_of(opening), kMany);

  const auto again = Opening::start(path_, options, pool_);
  ASSERT_TRUE(again->wait());
  EXPECT_EQ(events_of(*again), kMany);
  EXPECT_EQ(again->shortfall(), "");
}

TEST_F(OpeningTest, HowFarItIsIsAShareOfTheFile) {
  const auto opening = open();
  uint64_t last = 0;
  while (!opening->is_done()) {
    const uint64_t done = opening->bytes_done();
    EXPECT_GE(done, last);
    EXPECT_LE(done, std::filesystem::file_size(path_));
    last = done;
    std::this_thread::yield();
  }
  const auto trace = opening->wait();
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->counts().total(), kEvents);
  EXPECT_EQ(opening->bytes_total(), std::filesystem::file_size(path_));
  EXPECT_EQ(opening->bytes_done(), opening->bytes_total());
}

// Whatever its reader reported last, and however it is packed.
TEST_F(OpeningTest, WhatIsReadToItsEndIsAllOfTheFile) {
  const auto text = folder_.path() / "trace.txt";
  std::ofstream(text) << "# tracer: nop\n#\n"
                         "          <idle>-0     [000] d..2.  1.000100: sched_waking: comm=a pid=7 "
                         "prio=120 target_cpu=000\n"
                         "# and a long end without events\n";
  for (const std::filesystem::path& path :
       {text, std::filesystem::path(WEFT_SOURCE_DIR "/samples/queues.btrace.gz"),
        std::filesystem::path(WEFT_SOURCE_DIR "/samples/clang.json.gz"),
        std::filesystem::path(WEFT_SOURCE_DIR "/samples/board.nexuslite")}) {
    OpenOptions options;
    options.use_cache = false;
    const auto opening = Opening::start(path, std::move(options), pool_);
    ASSERT_TRUE(opening->wait()) << path;
    EXPECT_EQ(opening->bytes_done(), opening->bytes_total()) << path;
  }
}

}  // namespace
}  // namespace weft::app
