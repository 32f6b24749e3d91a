#include "core/formats/hpc/paraver/paraver_labels.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/io/source.h"

namespace weft::formats::paraver {
namespace {

// A number and the space behind it.
std::optional<int64_t> take_label(std::string_view& text) {
  const auto number = take_number<int64_t>(text);
  text = trimmed(text);
  return number;
}

// "{117,195,255}", "{  0, 130, 200}"
std::optional<uint32_t> parse_color(std::string_view text) {
  uint32_t rgb = 0;
  for (int i = 0; i < 3; ++i) {
    if (text.empty()) return std::nullopt;
    text = trimmed(text.substr(1));
    const auto part = take_label(text);
    if (!part || *part < 0 || *part > 255) return std::nullopt;
    rgb = rgb << 8 | static_cast<uint32_t>(*part);
  }
  return rgb;
}

class PcfReader {
 public:
  explicit PcfReader(Labels& labels) : labels_(labels) {}

  void add(std::string_view line) {
    line = trimmed(line);
    if (line.empty() || line.front() == '#') return;
    if (line.starts_with(kPrecision)) return set_precision(line.substr(kPrecision.size()));
    const bool is_number = line.front() == '-' || is_digit(line.front());
    if (!is_number) return begin_section(line);
    switch (section_) {
      case Section::kStates:
        return add_name(line, labels_.states);
      case Section::kStateColors: {
        const auto state = take_label(line);
        const auto rgb = parse_color(line);
        if (state && rgb) labels_.state_colors[*state] = *rgb;
        return;
      }
      case Section::kEventTypes: {
        (void)take_label(line);  // the colour of its flag
        const auto type = take_label(line);
        if (!type) return;
        types_.push_back(*type);
        labels_.events[*type] = {valid_utf8(line), {}, 1};
        return;
      }
      case Section::kValues:
        for (const int64_t type : types_) add_name(line, labels_.events[type].values);
        return;
      case Section::kOther:
        return;
    }
  }

 private:
  static constexpr std::string_view kPrecision = "PRECISION";

  enum class Section : uint8_t { kOther, kStates, kStateColors, kEventTypes, kValues };

  void begin_section(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Section>, 4> kSections = {
        {{"STATES", Section::kStates},
         {"STATES_COLOR", Section::kStateColors},
         {"EVENT_TYPE", Section::kEventTypes},
         {"VALUES", Section::kValues}}};
    const auto* const it =
        std::ranges::find(kSections, name, &std::pair<std::string_view, Section>::first);
    section_ = it == kSections.end() ? Section::kOther : it->second;
    if (section_ == Section::kEventTypes) types_.clear();
  }

  void set_precision(std::string_view text) {
    text = trimmed(text);
    const auto digits = take_label(text);
    if (!digits) return;
    for (const int64_t type : types_)
      labels_.events[type].scale = std::pow(10, -static_cast<double>(*digits));
  }

  static void add_name(std::string_view line, std::map<int64_t, std::string>& names) {
    if (const auto number = take_label(line)) names[*number] = valid_utf8(line);
  }

  Labels& labels_;
  Section section_ = Section::kOther;
  std::vector<int64_t> types_;  // whose values follow
};

void read_rows(const std::filesystem::path& path, Labels& labels) {
  std::vector<std::string>* level = nullptr;
  int64_t left = 0;
  for_each_line_of(path, [&](std::string_view line) {
    if (left > 0) {
      --left;
      level->push_back(valid_utf8(trimmed(line)));
      return;
    }
    // "LEVEL THREAD SIZE 8": so many lines follow, empty ones among them.
    constexpr std::string_view kLevel = "LEVEL ", kSize = " SIZE ";
    const size_t size = line.find(kSize);
    if (!line.starts_with(kLevel) || size == std::string_view::npos) return;
    std::string_view count = line.substr(size + kSize.size());
    level = &labels.rows[std::string(trimmed(line.substr(kLevel.size(), size - kLevel.size())))];
    left = take_label(count).value_or(0);
  });
}

}  // namespace

std::string EventLabels::value_name(int64_t value) const {
  const auto it = values.find(value);
  return it == values.end() ? std::to_string(value) : it->second;
}

std::string Labels::type_name(int64_t type) const {
  const auto it = events.find(type);
  const bool has_name = it != events.end() && !it->second.name.empty();
  return has_name ? it->second.name : fmt::format("event {}", type);
}

std::string Labels::row(const std::string& level, size_t index) const {
  const auto it = rows.find(level);
  return it == rows.end() || index >= it->second.size() ? std::string() : it->second[index];
}

Labels labels_of(const std::filesystem::path& path) {
  Labels labels;
  std::filesystem::path beside = io::without_compression(path);

  PcfReader pcf(labels);
  for_each_line_of(beside.replace_extension(".pcf"), [&](std::string_view line) { pcf.add(line); });
  read_rows(beside.replace_extension(".row"), labels);
  return labels;
}

}  // namespace weft::formats::paraver
