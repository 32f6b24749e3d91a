// Small traces for tests, built through the real store.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "tests/core/io/scratch_folder.h"

namespace weft::render {

class SmallTrace {
 public:
  SmallTrace() {
    auto builder = store::StoreBuilder::create({.path = path(), .format = "test"}, pool_);
    EXPECT_TRUE(builder) << builder.error().message;
    builder_ = std::move(*builder);
  }

  LaneId lane(const std::string& name, LaneId parent = LaneId::none()) {
    return builder_->add_lane({.name = name, .parent = parent, .kind = trace::LaneKind::kThread});
  }
  LaneId wire(const std::string& name) {
    return builder_->add_lane({.name = name, .kind = trace::LaneKind::kCounter});
  }
  void state(LaneId lane, const std::string& type, int64_t begin, int64_t duration) {
    const trace::StateEvent event{.begin = {begin},
                                  .duration = {duration},
                                  .lane = lane,
                                  .type = builder_->type(trace::Category::kState, type, "")};
    builder_->states({&event, 1});
  }
  void punctual(LaneId lane, const std::string& type, int64_t time) {
    const trace::PunctualEvent event{
        .time = {time}, .lane = lane, .type = builder_->type(trace::Category::kPunctual, type, "")};
    builder_->punctuals({&event, 1});
  }
  void sample(LaneId lane, const std::string& variable, int64_t time, double value,
              std::string_view group = "") {
    const trace::VariableSample sample{
        .time = {time},
        .value = value,
        .lane = lane,
        .type = builder_->type(trace::Category::kVariable, variable, group)};
    builder_->variables({&sample, 1});
  }
  void link(LaneId source, int64_t send, LaneId target, int64_t receive) {
    const trace::LinkEvent link{.send = {send},
                                .receive = {receive},
                                .source = source,
                                .target = target,
                                .type = builder_->type(trace::Category::kLink, "message", "")};
    builder_->links({&link, 1});
  }

  // The path of the file, valid while this object exists.
  std::filesystem::path path() const { return folder_.path() / "small.weft"; }

  store::TracePtr finish() {
    auto trace = builder_->finish();
    EXPECT_TRUE(trace) << trace.error().message;
    return *trace;
  }

 private:
  test::ScratchFolder folder_;
  ThreadPool pool_{2};
  std::unique_ptr<store::StoreBuilder> builder_;
};

// Bursts of tiny states, long ones, nested ones, gaps, instants, samples and messages.
inline store::TracePtr random_trace(uint32_t seed, int lanes, int events) {
  SmallTrace trace;
  std::mt19937 random(seed);
  std::vector<LaneId> ids;
  const LaneId process = trace.lane("process");
  for (int i = 0; i < lanes; ++i) ids.push_back(trace.lane("thread " + std::to_string(i), process));
  for (const LaneId lane : ids) {
    int64_t t = 1'000'000 + static_cast<int64_t>(random() % 1000);
    for (int i = 0; i < events; ++i) {
      const int64_t scale = int64_t{1} << random() % 14;
      const int64_t length = random() % 5 == 0 ? 0 : static_cast<int64_t>(random() % scale);
      const std::string type = "type " + std::to_string(random() % 12);
      trace.state(lane, type, t, length);
      if (length > 8) trace.state(lane, type + " inner", t + length / 4, length / 3);
      if (i % 5 == 0) trace.punctual(lane, "tick " + std::to_string(random() % 3), t + length / 2);
      if (i % 7 == 0) trace.sample(lane, "load", t, static_cast<double>(random() % 100));
      if (i % 11 == 0) trace.link(lane, t, ids[random() % ids.size()], t + 2 * scale);
      t += length + static_cast<int64_t>(random() % scale);
    }
  }
  return trace.finish();
}

}  // namespace weft::render
