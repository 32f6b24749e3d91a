// Questions about a trace that grows are answered one after another.
#include "app/panels/steady_question.h"

#include <gtest/gtest.h>

#include <atomic>
#include <semaphore>

#include "tests/app/sample_trace.h"
#include "tests/core/base/eventually.h"

namespace weft::app {
namespace {

using test::eventually;

struct Key {
  store::TracePtr trace;
  int range = 0;
  bool operator==(const Key&) const = default;
};

class SteadyQuestionTest : public ::testing::Test {
 protected:
  using Answers = Latest<Key, Key>;

  store::TracePtr snapshot() { return testing::opened(testing::write_sample(folder_.path())); }
  Answers::Found find(const Key& key) { return question_.find(answers_, trace_, key); }
  void TearDown() override { may_answer_.release(100); }  // wherever the test has ended
  // Lets the worker answer, and waits for it.
  void answer() {
    const int before = made_;
    may_answer_.release();
    ASSERT_TRUE(eventually([&] { return made_ > before; }));
  }

  testing::ScratchFolder folder_;
  const store::TracePtr first_ = snapshot(), second_ = snapshot(), third_ = snapshot();
  OpenTrace trace_{"growing.json", first_};
  std::counting_semaphore<> may_answer_{0};
  std::atomic<int> made_ = 0, asked_ = 0;
  Answers answers_{[this](const Key& key) {
                     ++asked_;
                     may_answer_.acquire();
                     return key;
                   },
                   [this] { ++made_; }};
  SteadyQuestion<Key> question_;
};

TEST_F(SteadyQuestionTest, WaitsForItsAnswerWhileSnapshotsCome) {
  EXPECT_TRUE(find({first_}).is_stale);
  EXPECT_TRUE(find({second_}).is_stale);
  EXPECT_EQ(question_.asked(), Key{first_});
  answer();
  ASSERT_TRUE(eventually([&] { return find({third_}).value != nullptr; }));
  const auto found = find({third_});
  EXPECT_EQ(*found.value, Key{first_});
  EXPECT_TRUE(found.is_stale);
  EXPECT_TRUE(question_.is_of_this(found.value->trace));
  EXPECT_EQ(question_.asked(), Key{third_}) << "the second is asked no more";
  answer();
  ASSERT_TRUE(eventually([&] { return !find({third_}).is_stale; }));
  EXPECT_EQ(*find({third_}).value, Key{third_});
  EXPECT_EQ(asked_, 2);
}

TEST_F(SteadyQuestionTest, WaitsForItsAnswerWhileAFilterIsCompiledForEachSnapshot) {
  // The range stands for the filter: each snapshot has one of its own, and 0 until it is compiled.
  const auto pending = [&](const Key& key) {
    return question_.find(answers_, trace_, key, /*is_pending=*/true);
  };
  (void)find({first_, 1});
  EXPECT_TRUE(pending({second_}).is_stale);
  EXPECT_TRUE(find({second_, 2}).is_stale);
  EXPECT_EQ(question_.asked(), (Key{first_, 1})) << "that it is compiled asks nothing else";
  answer();
  ASSERT_TRUE(eventually([&] { return pending({third_}).value != nullptr; }));
  EXPECT_TRUE(pending({third_}).is_stale);
  EXPECT_EQ(question_.asked(), (Key{first_, 1})) << "not without the filter";
  (void)find({third_, 3});
  EXPECT_EQ(question_.asked(), (Key{third_, 3}));
  answer();
  ASSERT_TRUE(eventually([&] { return !find({third_, 3}).is_stale; }));
  EXPECT_EQ(asked_, 2);
}

TEST_F(SteadyQuestionTest, IsAskedAnewIfTheUserWantsSomethingElse) {
  (void)find({first_, 1});
  (void)find({first_, 2});
  EXPECT_EQ(question_.asked(), (Key{first_, 2}));
  may_answer_.release(2);
  ASSERT_TRUE(eventually([&] { return !find({first_, 2}).is_stale; }));
}

TEST_F(SteadyQuestionTest, OfAnotherTraceForgetsWhatWasAsked) {
  (void)find({first_});
  OpenTrace other("other.json", second_);
  may_answer_.release(2);
  ASSERT_TRUE(eventually([&] { return !question_.find(answers_, other, {second_}).is_stale; }));
  EXPECT_FALSE(question_.is_of_this(first_));
  EXPECT_TRUE(question_.is_of_this(second_));
}

}  // namespace
}  // namespace weft::app
