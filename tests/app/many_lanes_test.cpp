// The sequence diagram of many lanes, and at its edges: what it writes can be read.
// covers TM-02
#include <gtest/gtest.h>

#include <fstream>
#include <regex>

#include "tests/app/offscreen_test.h"

namespace weft::app {
namespace {

class SequencePlace : public testing::OffscreenTest {
 protected:
  static constexpr int kWidth = 1000;
  static constexpr int kHeight = 600;
  // Shows only the diagram; false if there is no offscreen OpenGL.
  bool show_sequence() {
    start(sized(kWidth, kHeight));
    if (IsSkipped()) return false;
    EXPECT_TRUE(run("panel.open", {{"panel", "sequence"}}));
    host_->workbench().show_only("sequence");
    return true;
  }
  void open(const std::filesystem::path& log) {
    ASSERT_TRUE(run("open", {{"path", log.string()}}));
    ASSERT_TRUE(host_->workbench().wait_until_loaded());
    ASSERT_TRUE(host_->settle());
  }
  void show(int from, int to) {
    ASSERT_TRUE(run("view.set", {{"from", from}, {"to", to}}));
    ASSERT_TRUE(host_->settle());
  }
};

// Also where its arrow lies at the edge of the picture.
TEST_F(SequencePlace, ACountIsNotCut) {
  if (!show_sequence()) return;
  const auto log = folder_.path() / "pairs.btrace";
  std::ofstream out(log);
  out << "# time_base: us\n";
  for (int i = 0; i < 2000; ++i) {
    const int at = i / 2 * 5000 + i % 2;  // two at a time
    const std::string ends = "Uid:" + std::to_string(i) + "\tSender:0x1\tReceiver:0x2";
    out << at << "\tMESSAGE_SEND\t" << ends << "\tType:0x7\n"
        << at + 10 << "\tMESSAGE_RECEIVE\t" << ends << '\n';
  }
  out.close();
  open(log);
  const std::regex count("y=\"([0-9.]+)\"[^>]*>×");
  float lowest = 0;
  for (int to = 60'000; to < 64'000; to += 100) {
    show(0, to);
    const std::string text = shown_text();
    for (std::sregex_iterator at(text.begin(), text.end(), count), end; at != end; ++at)
      lowest = std::max(lowest, std::stof((*at)[1]));
  }
  constexpr float kBelowBaseline = 2;      // of a letter
  constexpr float kBottom = kHeight - 22;  // there the line about messages begins
  EXPECT_GT(lowest, kBottom - 20);
  EXPECT_LE(lowest, kBottom - kBelowBaseline);
}

// Hundreds of lanes, each of which sends a message to the next.
class ManyLanes : public SequencePlace {
 protected:
  static constexpr int kLanes = 200;
  void SetUp() override {
    if (!show_sequence()) return;
    const auto log = folder_.path() / "many.btrace";
    std::ofstream out(log);
    out << "# time_base: us\n";
    for (int i = 0; i + 1 < kLanes; ++i) {
      const std::string ends =
          "Uid:" + std::to_string(i) + "\tSender:" + name(i) + "\tReceiver:" + name(i + 1);
      out << 1000 + i * 10 << "\tMESSAGE_SEND\t" << ends << "\tType:0x7\n"
          << 1005 + i * 10 << "\tMESSAGE_RECEIVE\t" << ends << '\n';
    }
    out.close();
    open(log);
  }
  static std::string name(int i) {
    const std::string number = std::to_string(i);
    return number + (i == 3 ? "-whose-name-is-much-longer-than-those-of-others" : "-worker");
  }
  // The point at which lane `i` meets the header's foot.
  static ImVec2 foot(int i) { return {94.5F + 20 * static_cast<float>(i), foot_y()}; }
  static float foot_y() { return 150; }
};

// covers TM-02
TEST_F(ManyLanes, NamesAreSlantedAndWhole) {
  const std::string text = shown_text();
  EXPECT_NE(text.find("rotate(-45)"), std::string::npos);
  for (const int i : {0, 1, 20, 40}) EXPECT_NE(text.find(">" + name(i) + "<"), std::string::npos);
  EXPECT_EQ(text.find(">" + name(3) + "<"), std::string::npos);
}

TEST_F(ManyLanes, NamesOfThoseThatTakeNoPartAreDim) {
  const auto color_of = [&](int i) {
    const std::regex of(" fill=\"([^\"]*)\">" + name(i) + "<");
    const std::string text = shown_text();
    std::smatch found;
    return std::regex_search(text, found, of) ? found[1].str() : "";
  };
  EXPECT_EQ(color_of(5), color_of(30));
  show(1000, 1101);
  EXPECT_NE(color_of(5), "");
  EXPECT_EQ(color_of(5), color_of(9));
  EXPECT_NE(color_of(5), color_of(30));
  EXPECT_EQ(color_of(20), color_of(30));
}

TEST_F(ManyLanes, TheNameOfTheLaneUnderThePointerIsNotCut) {
  ASSERT_FALSE(find_text(name(3) + "<"));
  at(foot(3).x + 2, 400);
  EXPECT_TRUE(find_text(name(3) + "<"));
  at(foot(20).x, 400);
  EXPECT_FALSE(find_text(name(3) + "<"));
}

TEST_F(ManyLanes, ANameIsPointedAtWhereItStands) {
  const auto hints = [&](int i) {
    const std::regex level("font-size=\"[0-9.]+\" fill=\"[^\"]*\">[^<]*" + name(i) + "<");
    const std::string text = shown_text();
    return std::regex_search(text, level);
  };
  ASSERT_FALSE(hints(20));
  const auto header = find_text(name(20));
  ASSERT_TRUE(header);
  at(foot(20).x + 50, foot_y() - 58);
  at(foot(20).x + 50, foot_y() - 58);
  EXPECT_TRUE(hints(20)) << shown_text();
}

TEST_F(ManyLanes, TheStripLeadsToOtherLanes) {
  const auto scroll = [&] {
    const auto* panel = session().desk.layout.first_of("sequence");
    return panel->options.value("scroll", 0.0);
  };
  EXPECT_EQ(scroll(), 0);
  at(kWidth - 4, 300);
  at(kWidth - 4, 300, true);
  at(kWidth - 4, 300);
  ASSERT_TRUE(host_->settle());
  EXPECT_GT(scroll(), 2000);
  EXPECT_TRUE(find_text(name(kLanes - 1)));
}

}  // namespace
}  // namespace weft::app
