#include "core/query/filter/filter_completion.h"

#include <gtest/gtest.h>

#include "core/base/thread_pool.h"
#include "core/query/filter/filter_words.h"
#include "core/store/builder.h"
#include "tests/core/store/random_trace.h"

namespace weft::query {
namespace {

class FilterCompletionTest : public testing::Test {
 protected:
  FilterCompletionTest() {
    dictionary_.lanes = {{"machine"}, {"CPU 1", LaneId(0)}, {"CPU 2", LaneId(0)}};
    dictionary_.types.push_back({"irq", "kernel", trace::Category::kState});
    dictionary_.types.push_back({"soft irq", "kernel", trace::Category::kState});
    dictionary_.types.push_back({"and", "", trace::Category::kPunctual});
  }

  // The texts that are offered where '|' stands, and the text that the first would give.
  std::string offered(std::string text) const {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const Completions found =
        complete_filter(text, cursor, dictionary_, {"params.size", "params.pos.x"});
    std::string items;
    for (const Completion& item : found.items) items += (items.empty() ? "" : " ") + item.text;
    return items;
  }
  std::string completed(std::string text) const {
    const size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const Completions found =
        complete_filter(text, cursor, dictionary_, {"params.size", "params.pos.x"});
    if (found.items.empty()) return text;
    return text.replace(found.span.begin, found.span.end - found.span.begin,
                        found.items.front().text);
  }

  trace::Dictionary dictionary_;
};

TEST_F(FilterCompletionTest, OffersFieldsParametersAndNamesWhereAConditionBegins) {
  const std::string all = offered("|");
  for (const FieldWord& word : field_words()) EXPECT_TRUE(all.contains(word.name)) << word.name;
  EXPECT_EQ(offered("du|"), "dur");
  EXPECT_EQ(offered("params.s|"), "params.size");
  EXPECT_EQ(offered("dur > 5ms && !(iR|"), "irq \"soft irq\"");
  EXPECT_EQ(offered("and|"), "\"and\"");
}

TEST_F(FilterCompletionTest, AWordMayBecomeAFieldWhereAConditionBegins) {
  for (const char* text : {"n", "name", "dur > 5ms && !(ty", "irq or pa", "params.si", "cause_"})
    EXPECT_TRUE(may_become_field(text)) << text;
  for (const char* text : {"", "render", "N", "n ", "\"n\"", "type == n", "type in [n", "dur n",
                           "n && 5", "/n/", "named", "\"n"})
    EXPECT_FALSE(may_become_field(text)) << text;
}

TEST_F(FilterCompletionTest, OffersTheComparisonsThatAFieldHas) {
  EXPECT_EQ(offered("dur |"), "== != < <= > >= in");
  EXPECT_EQ(offered("type |"), "== != =~ !~ contains matches in");
  EXPECT_EQ(offered("params.size |"), "== != < <= > >= =~ !~ contains matches in");
  EXPECT_EQ(offered("type con|"), "contains");
}

TEST_F(FilterCompletionTest, OffersTheNamesThatAFieldIsComparedWith) {
  EXPECT_EQ(offered("lane == |"), "machine \"CPU 1\" \"CPU 2\"");
  EXPECT_EQ(offered("lane in [\"CPU 1\", \"CPU 2|"), "\"CPU 2\"");
  EXPECT_EQ(offered("category != s|"), "state");
  EXPECT_EQ(offered("group == |"), "kernel");
  EXPECT_EQ(offered("dur > |"), "");
  EXPECT_EQ(offered("type =~ /irq/|"), "");  // what is closed is whole
  EXPECT_EQ(offered("type == \"irq\"|"), "");
  EXPECT_EQ(offered("irq |"), "&& ||");
  EXPECT_EQ(offered("lane in |"), "[");
  EXPECT_EQ(offered("lane in [a |"), ", ]");
}

TEST_F(FilterCompletionTest, ReplacesTheWordAtTheCursor) {
  EXPECT_EQ(completed("type == \"sof| && dur > 3"), "type == \"soft irq\" && dur > 3");
  EXPECT_EQ(completed("la| == x"), "lane == x");
  EXPECT_EQ(completed("lane == c|"), "lane == \"CPU 1\"");  // before "machine", which holds it
}

TEST_F(FilterCompletionTest, OffersNoMoreThanItIsAskedFor) {
  EXPECT_EQ(complete_filter("", 0, dictionary_, {}, 3).items.size(), 3u);
  EXPECT_EQ(complete_filter("x", 99, dictionary_, {}, 3).span.end, 1u);
}

TEST(ParamNames, AreThoseOfASampleOfTheTrace) {
  const testing_traces::ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder / "t.weft", "test", 400 << 20, false}, pool);
  ASSERT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId lane = sink.add_lane({"lane"});
  const EventTypeId type = sink.type(trace::Category::kPunctual, "tick");
  const ParamsId a = sink.params(R"({"size":1,"pos":{"x":2,"y":[1,{"a b":3}]}})");
  const ParamsId b = sink.params(R"({"size":1,"late":)");
  for (int i = 0; i < 1000; ++i) {
    sink.give(trace::PunctualEvent{{i}, i % 2 == 0 ? a : b, lane, type});
  }
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace);
  EXPECT_EQ(param_names(**trace, 100, {}),
            (std::vector<std::string>{"params.pos.x", "params.pos.y.0", "params.pos.y.1.\"a b\"",
                                      "params.size"}));
}

}  // namespace
}  // namespace weft::query
