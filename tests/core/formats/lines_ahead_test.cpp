#include "core/formats/base/lines_ahead.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <random>
#include <string>

#include "core/base/thread_pool.h"
#include "core/io/memory_source.h"
#include "core/trace/event_counter.h"

namespace weft::formats {
namespace {

// Numbers to be added up, one a line; "=3" multiplies those behind it by three.
struct Sums {
  struct Parsed {
    std::vector<int64_t> numbers;
    std::optional<int64_t> factor;
    void clear() {
      numbers.clear();
      factor.reset();
    }
  };

  int64_t factor = 1;

  static int64_t number_of(std::string_view text) {
    int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }
  void parse(const io::Line& line, Parsed& parsed) const {
    if (line.text.front() == '=') {
      parsed.factor = number_of(line.text.substr(1));
    } else {
      parsed.numbers.push_back(factor * number_of(line.text));
    }
  }
  bool changes(std::string_view lines) const { return lines.find('=') != std::string_view::npos; }
};

struct Played {
  std::vector<int64_t> numbers;
  uint64_t lost = 0;
};

Played play(std::string_view text, ThreadPool& pool, size_t most = SIZE_MAX) {
  Played played;
  struct Sink final : trace::EventCounter {
    bool keep_going() const override { return !is_enough; }
    bool is_enough = false;
  } sink;
  io::MemorySource source(std::as_bytes(std::span(text)));
  Sums sums;
  LinesAhead(source, sink, pool, sums).play([&](const Sums::Parsed& parsed) {
    played.numbers.insert(played.numbers.end(), parsed.numbers.begin(), parsed.numbers.end());
    if (parsed.factor) sums.factor = *parsed.factor;
    sink.is_enough = played.numbers.size() >= most;
  });
  played.lost = sink.lost;
  return played;
}

std::string lines_of(std::mt19937_64& random, int count, uint64_t change_one_in) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    if (random() % change_one_in == 0) text += '=';
    text += std::to_string(random() % 1000) + '\n';
    if (random() % 100 == 0) text += '\n';
  }
  return text;
}

// A plain loop over the lines.
std::vector<int64_t> numbers_of(std::string_view text) {
  std::vector<int64_t> numbers;
  int64_t factor = 1;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (line.empty()) continue;
    if (line.front() == '=') {
      factor = Sums::number_of(line.substr(1));
    } else {
      numbers.push_back(factor * Sums::number_of(line));
    }
  }
  return numbers;
}

TEST(LinesAhead, AreThoseOfAPlainLoop) {
  std::mt19937_64 random(7);
  ThreadPool pool(3);
  for (const uint64_t change_one_in : {1000u, 30000u, 1u << 31}) {
    const std::string text = lines_of(random, 200000, change_one_in);
    EXPECT_EQ(play(text, pool).numbers, numbers_of(text)) << change_one_in;
  }
}

TEST(LinesAhead, NeedNoWorkerThatIsFree) {
  std::mt19937_64 random(8);
  const std::string text = lines_of(random, 50000, 10000);
  ThreadPool pool(1);
  std::vector<int64_t> numbers;
  pool.for_each(2, [&](size_t i) {  // the pool's only worker and this thread
    if (i == 0) numbers = play(text, pool).numbers;
  });
  EXPECT_EQ(numbers, numbers_of(text));
}

TEST(LinesAhead, StopWhereTheSinkWantsNoMore) {
  std::mt19937_64 random(9);
  ThreadPool pool(2);
  const std::string text = lines_of(random, 300000, 1u << 31);
  const std::vector<int64_t> all = numbers_of(text), some = play(text, pool, 1000).numbers;
  ASSERT_GE(some.size(), 1000u);
  ASSERT_LT(some.size(), all.size() / 2);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
}

TEST(LinesAhead, LinesThatAreTooLongAreLossesAndNothingElse) {
  ThreadPool pool(2);
  const std::string long_line(3 << 20, '1');
  const Played played = play("1\n" + long_line + "\n2\n=2\n" + long_line + "\n3\n", pool);
  EXPECT_EQ(played.numbers, (std::vector<int64_t>{1, 2, 6}));
  EXPECT_EQ(played.lost, 2u);
}

TEST(LinesAhead, ALastLineWithoutItsEndIsNoted) {
  ThreadPool pool(2);
  const Played whole = play("1\n2\n", pool), open = play("1\n2", pool);
  EXPECT_EQ(whole.numbers, open.numbers);
  EXPECT_EQ(whole.lost, 0u);
  EXPECT_EQ(open.lost, 1u);
  EXPECT_EQ(play("1\n2\n \t", pool).lost, 0u);
}

}  // namespace
}  // namespace weft::formats
