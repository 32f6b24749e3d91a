#include "core/formats/profiles/flame_svg/flame_page_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/stack_output.h"

namespace weft::formats {
namespace {

constexpr std::string_view kRoot = "'all'";

// "'a\'b'": what a text of JavaScript says, in one line. Nothing if it is none.
std::optional<std::string> text_of(std::string_view literal) {
  if (literal.size() < 2 || literal.front() != '\'' || literal.back() != '\'') return std::nullopt;
  literal = literal.substr(1, literal.size() - 2);
  std::string text;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '\\' && i + 1 < literal.size()) ++i;
    text += literal[i];
  }
  return text;
}

class FlamePageReader {
 public:
  FlamePageReader(trace::EventSink& sink, uint64_t memory_bytes)
      : most_name_bytes_(memory_bytes / 4), output_(sink), tree_(output_) {
    sink.set_time_base(TimeBase::kTicks);
  }

  void add(const io::Line& line) {
    std::string_view text = trimmed(line.text);
    if (text.empty()) return;
    if (text.front() == '\'') return add_name(text, line.offset);
    if (take_prefix(text, "f(")) return add_frame(text, Place::kSaid, line.offset);
    if (take_prefix(text, "u(")) return add_frame(text, Place::kAbove, line.offset);
    if (take_prefix(text, "n(")) return add_frame(text, Place::kBeside, line.offset);
    // The mark of the root's line stands before what is left of the page.
    if (!has_frames_ && is_digit(text.front())) {
      const std::string root = "0,0," + std::string(text);
      add_frame(root, Place::kSaid, line.offset);
    }
  }

  Status finish() {
    if (!has_frames_)
      return fail("is a page of async-profiler without the frames of a flame graph");
    tree_.begin("stacks");  // all are over
    output_.finish();
    return {};
  }

 private:
  enum class Place : uint8_t { kSaid, kAbove, kBeside };

  // Names follow each other in order, so that most share their begin with the one before.
  void add_name(std::string_view text, uint64_t offset) {
    if (text.ends_with(',')) text.remove_suffix(1);
    auto name = text_of(text);
    if (!name) return output_.sink().loss("name that is none", offset);
    if (!types_.empty()) {
      constexpr char kNone = ' ';
      const auto shared = name->empty() ? 0 : std::max(0, name->front() - kNone);
      name->replace(0, 1, last_name_.substr(0, static_cast<size_t>(shared)));
    }
    if ((name_bytes_ += name->size()) > most_name_bytes_)
      return output_.sink().loss("names beyond the memory", offset);
    types_.push_back(output_.type_of({*name}));
    last_name_ = *std::move(name);
  }

  void add_frame(std::string_view text, Place place, uint64_t offset) {
    constexpr size_t kMostNumbers = 8;
    std::array<int64_t, kMostNumbers> numbers{};
    size_t count = 0;
    while (count < kMostNumbers) {
      const auto number = take_number<int64_t>(text);
      if (!number) break;
      numbers[count++] = *number;
      if (!take_prefix(text, ",")) break;
    }
    const bool is_right = types_.empty() ? add_named(numbers, count, text)
                                         : add_numbered(numbers, count, place, text);
    has_frames_ |= is_right;
    if (!is_right) output_.sink().loss("frame that is none, or has no caller", offset);
  }

  // Level, left end, samples, kind and name.
  bool add_named(const auto& numbers, size_t count, std::string_view rest) {
    constexpr size_t kBeforeName = 4;
    const size_t end = rest.rfind('\'');
    if (count != kBeforeName || end == std::string_view::npos || numbers[0] < 0) return false;
    const auto name = text_of(rest.substr(0, end + 1));
    return name && tree_.add(static_cast<size_t>(numbers[0]), output_.type_of({*name}), numbers[2],
                             std::nullopt);
  }

  bool add_numbered(const auto& numbers, size_t count, Place place, std::string_view rest) {
    constexpr int kKindBits = 3;
    const bool is_said = place == Place::kSaid;
    const size_t before_width = is_said ? 3 : 1;
    if (count < before_width || !rest.starts_with(')')) return false;
    const auto name = static_cast<uint64_t>(numbers[0]) >> kKindBits;
    const int64_t level = is_said ? numbers[1] : level_ + (place == Place::kAbove ? 1 : 0);
    if (name >= types_.size() || level < 0) return false;
    level_ = level;
    if (count > before_width && numbers[before_width] > 0) width_ = numbers[before_width];
    return tree_.add(static_cast<size_t>(level), types_[name], width_, std::nullopt);
  }

  uint64_t most_name_bytes_, name_bytes_ = 0;
  stack_text::StackOutput output_;
  stack_text::CallTree tree_;
  std::vector<EventTypeId> types_;  // by the number of their name
  std::string last_name_;
  int64_t level_ = 0, width_ = 0;  // of the last frame
  bool has_frames_ = false;
};

}  // namespace

int sniff_flame_page(std::span<const std::byte> head) {
  constexpr int kSure = 90;
  std::string_view text = trimmed(as_chars(head));
  if (text.starts_with(kRoot)) return kSure;  // then names
  const std::string_view line = trimmed(take_to(text, '\n'));
  const size_t name = line.find(kRoot);
  const bool has_numbers =
      name != std::string_view::npos && name > 0 &&
      std::ranges::all_of(line.substr(0, name), [](char c) { return is_digit(c) || c == ','; });
  return has_numbers && trimmed(text).starts_with("f(") ? kSure : 0;
}

Status read_flame_page(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  FlamePageReader reader(sink, context.memory_bytes);
  for_each_line(source, sink, [&](const io::Line& line) { reader.add(line); });
  return reader.finish();
}

}  // namespace weft::formats
