#include "app/base/fuzzy.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <vector>

#include "core/base/ascii.h"

namespace weft::app {
namespace {

constexpr int kLetter = 1;
constexpr int kWordBegin = 8;  // more for a letter that begins a word
constexpr int kRun = 5;        // more for a letter right after the last one
constexpr int kNone = std::numeric_limits<int>::min() / 2;

bool begins_word(std::string_view text, size_t i) {
  return i == 0 || !is_alphanumeric(text[i - 1]);
}

// best[i]: of the letters so far, the last of which is text[i].
std::optional<int> word_score(std::string_view word, std::string_view text) {
  std::vector<int> best(text.size(), kNone), next(text.size());
  for (size_t w = 0; w < word.size(); ++w) {
    int before = kNone;  // the best that ends before text[i - 1]
    for (size_t i = 0; i < text.size(); ++i) {
      const int in_run = w > 0 && i > 0 ? best[i - 1] + kRun : kNone;
      const int start = w == 0 ? 0 : before;
      next[i] = kNone;
      if (to_lower(text[i]) == to_lower(word[w])) {
        next[i] = std::max(in_run, start) + kLetter + (begins_word(text, i) ? kWordBegin : 0);
      }
      if (i > 0) before = std::max(before, best[i - 1]);
    }
    std::swap(best, next);
  }
  const int score = best.empty() ? kNone : *std::ranges::max_element(best);
  return score < 0 ? std::nullopt : std::optional(score);
}

}  // namespace

std::vector<std::string> small_words(std::string_view query) {
  std::vector<std::string> words;
  for (const auto part : std::views::split(query, ' ')) {
    std::string word(part.begin(), part.end());
    std::ranges::transform(word, word.begin(), to_lower);
    if (!word.empty()) words.push_back(std::move(word));
  }
  return words;
}

std::optional<int> fuzzy_score(std::string_view query, std::string_view text) {
  int sum = 0;
  for (const auto part : std::views::split(query, ' ')) {
    const std::string_view word(part.begin(), part.end());
    if (word.empty()) continue;
    const auto score = word_score(word, text);
    if (!score) return std::nullopt;
    sum += *score;
  }
  return sum;
}

}  // namespace weft::app
