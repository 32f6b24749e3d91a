// covers B-20: the whole process keeps to its limit while answers are worked out
#include <gtest/gtest.h>

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/base/thread_pool.h"
#include "core/store/builder.h"
#include "core/trace/workload.h"
#include "tests/app/cli/program.h"

namespace weft::cli {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

class MemoryLimit : public ProgramTest {
 protected:
  // Stacks of which many are unlike all others.
  std::string states(uint64_t count) const {
    trace::Workload::Options options;
    options.states = count;
    ThreadPool pool;
    const std::string file = folder_ / "states.weft";
    const auto builder =
        store::StoreBuilder::create({.path = file, .format = "workload"}, pool).value();
    for (uint32_t i = 0; i < options.lanes; ++i)
      builder->add_lane({fmt::format("lane {}", i), LaneId::none(), trace::LaneKind::kThread, 0});
    for (uint32_t i = 0; i < options.names; ++i)
      builder->type(trace::Category::kState, trace::Workload::name_of(i), "");
    trace::Workload workload(options);
    trace::Workload::State s;
    while (workload.next(s)) {
      const trace::StateEvent event{{s.begin},      {s.end - s.begin},   ParamsId::none(),
                                    LaneId(s.lane), EventTypeId(s.name), 0};
      builder->states(std::span(&event, 1));
    }
    EXPECT_TRUE(builder->finish());
    return file;
  }

  // The most that the program had for itself while it replayed the commands.
  uint64_t peak_bytes(const std::vector<std::string>& commands, const std::string& file) const {
    std::string journal;
    for (const std::string& command : commands) journal += command + "\n";
    const pid_t child = start({"replay", folder_.write("commands.journal", journal), file});
    uint64_t peak = 0;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
      peak = std::max(peak, own_bytes(child));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    EXPECT_EQ(status, 0) << test::content_of(folder_ / ".err");
    return peak;
  }

 private:
  static uint64_t own_bytes(pid_t process) {
    std::ifstream in(fmt::format("/proc/{}/status", process));
    uint64_t kib = 0;
    for (std::string name; in >> name;) {
      uint64_t value = 0;
      if ((name == "RssAnon:" || name == "RssShmem:") && in >> value) kib += value;
      in.ignore(4096, '\n');
    }
    return kib << 10;
  }
};

TEST_F(MemoryLimit, IsKeptByAllThatIsShownAndWritten) {
  const uint64_t peak = peak_bytes(
      {R"({"command":"set","args":{"name":"memory_limit","value":"256M"}})",
       R"({"command":"panel.open","args":{"panel":"events"}})",
       R"({"command":"panel.open","args":{"panel":"flame"}})",
       R"({"command":"panel.move","args":{"panel":"events","beside":"gantt","side":"right"}})",
       R"({"command":"table.sort","args":{"panel":"events","column":"-duration"}})",
       R"({"command":"select.range","args":{"from":"0%","to":"50%"}})",
       R"({"command":"flame.compare","args":{"b_of":"window","by":"share"}})",
       R"({"command":"filter.set","args":{"text":"dur > 1us && type =~ /render/","mode":"hide"}})",
       R"({"command":"filter.mode","args":{"mode":"dim"}})",
       R"({"command":"table.sort","args":{"panel":"events","column":"type"}})",
       R"({"command":"trace.export","args":{"file":")" + (folder_ / "part.weft").string() +
           R"("}})",
       R"({"command":"filter.clear"})"},
      states(3'000'000));
  EXPECT_GT(peak, 32 * kMiB) << "it was seen";
  EXPECT_LT(peak, 256 * kMiB);
}

}  // namespace
}  // namespace weft::cli
