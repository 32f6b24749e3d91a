// The demo is run, its log is read, and what the trace says of causes is held against what the demo
// knows: a log with known causes.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/formats/formats.h"
#include "core/query/event_stream.h"
#include "core/query/messages/causality.h"
#include "core/store/builder.h"
#include "tests/core/io/scratch_folder.h"

namespace weft {
namespace {

using nlohmann::json;

class DemoTest : public testing::Test {
 protected:
  void SetUp() override {
    const std::string command = std::string(WEFT_DEMO) + " '" + (folder_ / "log").string() + "' '" +
                                (folder_ / "causes").string() + "' 300";
    ASSERT_EQ(std::system(command.c_str()), 0);
    uint64_t uid = 0, cause = 0;
    for (std::ifstream in(folder_ / "causes"); in >> uid >> cause;) causes_[uid] = cause;
    import();
  }

  uint64_t uid_of(ParamsId params) const {
    return json::parse(trace_->params(params).json)["uid"].get<uint64_t>();
  }

  test::ScratchFolder folder_;
  std::map<uint64_t, uint64_t> causes_;
  store::TracePtr trace_;

 private:
  void import();
};

void DemoTest::import() {
  ThreadPool pool(2);
  const auto source = io::Source::open(folder_ / "log");
  ASSERT_TRUE(source) << source.error().message;
  const auto format = formats::recognise(**source);
  ASSERT_TRUE(format) << format.error().message;
  EXPECT_EQ((*format)->id, "btrace");
  const auto builder = store::StoreBuilder::create(
      {.path = folder_ / "t.weft", .format = std::string((*format)->id)}, pool);
  ASSERT_TRUE(builder) << builder.error().message;
  formats::ReadContext context{pool, 64 << 20, {}};
  ASSERT_TRUE((*format)->read(**source, **builder, context));
  auto trace = (*builder)->finish();
  ASSERT_TRUE(trace) << trace.error().message;
  trace_ = std::move(*trace);
}

TEST_F(DemoTest, EveryMessageIsThereAndItsCauseIsFound) {
  ASSERT_GT(causes_.size(), 100u);
  const query::Elements elements(trace_);
  const query::Causality causality(elements);
  query::EventStream events(trace_, query::Selection::all(*trace_));
  std::set<uint64_t> seen;
  for (query::Event event{}; events.next(event);) {
    if (!query::is_link(event.row->kind)) continue;
    const auto link = query::ends_of(event.row->kind, event.row->lane, *event.record);
    ASSERT_TRUE(link.is_sent());
    const uint64_t uid = uid_of(event.record->params);
    ASSERT_TRUE(seen.insert(uid).second);
    const auto causes = causality.causes_at(link.source, link.send, 10).all;
    ASSERT_LE(causes.size(), 1u) << uid;
    const uint64_t cause =
        causes.empty() ? 0 : uid_of(causality.message_at(causes[0]).record.params);
    EXPECT_EQ(cause, causes_.at(uid)) << uid;
    const auto places = query::messages_with_id(*trace_, uid, 2);
    ASSERT_EQ(places.size(), 1u) << uid;
    EXPECT_EQ(uid_of(causality.message_at(places[0]).record.params), uid);
  }
  EXPECT_EQ(seen.size(), causes_.size());
}

TEST_F(DemoTest, LosesWhatItIsBuiltToLose) {
  std::map<std::string, uint64_t> counts;
  for (const auto& row : trace_->rows()) {
    if (row.kind != store::RowKind::kPunctual) continue;
    for (uint64_t i = 0; i < row.count; ++i)
      ++counts[std::string(trace_->dictionary().type(trace_->record(row, i).type).name)];
  }
  // How often depends on how busy the machine is: of a burst of 32 what the short queue does not
  // hold.
  EXPECT_GT(counts["message dropped"], 1u);
  EXPECT_GT(counts["TIMER_FIRED"], 5u);
  EXPECT_FALSE(trace_->dictionary().report.has_damage());
}

}  // namespace
}  // namespace weft
