#include "core/formats/profiles/ghc/ghc_profile_text.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/head_lines.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/profiles/ghc/cost_centres.h"

namespace weft::formats::ghc {
namespace {

constexpr std::string_view kTitle = "Time and Allocation Profiling Report";
constexpr std::string_view kFirstColumn = "COST CENTRE";

// Names of the numeric columns, from last to first; the first two, "ticks" and "bytes", exist with
// -P only.
constexpr std::string_view kFigures[] = {"alloc",  "ticks", "inherited %alloc", "inherited %time",
                                         "%alloc", "%time", "entries",          "no."};
constexpr bool kIsInherited[] = {false, false, true, true, false, false, false, false};
constexpr bool kIsShare[] = {false, false, true, true, true, true, false, false};

class ProfileText {
 public:
  explicit ProfileText(trace::EventSink& sink) : sink_(sink), centres_(sink) {}

  void add(const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with(kFirstColumn)) return begin_table(line.text);
    if (is_tree_) {
      if (!add_centre(line.text)) sink_.loss("line that is not a cost centre", line.offset);
    } else if (!is_table_) {
      add_head(text);
    }
  }

  void finish() {
    if (!is_tree_) sink_.loss("profile without a tree", trace::LossPlace::nowhere());
    while (centres_.depth() > 0) centres_.leave();
    centres_.finish();
  }

 private:
  void begin_table(std::string_view titles) {
    is_table_ = true;
    is_tree_ = titles.contains(" no.");
    has_places_ = titles.contains(" SRC ");
    first_figure_ = titles.contains(" bytes") ? 0 : 2;
    indent_ = titles.find(kFirstColumn);
    while (centres_.depth() > 0) centres_.leave();
  }

  // "Fri Jul 27 23:05 2018 Time and Allocation Profiling Report  (Final)", the program with what it
  // was given, and sums.
  void add_head(std::string_view text) {
    const size_t title = text.find(kTitle);
    const size_t sign = text.find('=');
    if (title != std::string_view::npos) {
      sink_.set_metadata("end_time", valid_utf8(trimmed(text.substr(0, title))));
    } else if (text.starts_with("total ") && sign != std::string_view::npos) {
      const std::string_view value = trimmed(text.substr(sign + 1));
      if (text.starts_with("total time")) take_ticks(value);
      sink_.set_metadata(trimmed(text.substr(0, sign)), valid_utf8(value));
    } else {
      sink_.set_metadata("arguments", valid_utf8(text));
    }
  }

  // "10.21 secs   (10209 ticks @ 1000 us, 1 processor)", or "@ 20 ms)".
  void take_ticks(std::string_view text) {
    take_to(text, '(');
    constexpr int64_t kMostTicks = 1'000'000'000'000, kMostTickUs = 1'000'000;
    const auto ticks = parse_number<int64_t>(take_word(text));
    if (take_word(text) != "ticks" || take_word(text) != "@") return;
    const auto length = parse_number<int64_t>(take_word(text));
    if (!ticks || !length) return;
    tick_us_ = std::clamp<int64_t>(*length, 1, kMostTickUs);
    if (trimmed(text).starts_with("ms")) tick_us_ *= 1000;
    total_us_ = static_cast<double>(std::clamp<int64_t>(*ticks, 0, kMostTicks) * tick_us_);
  }

  bool add_centre(std::string_view line) {
    const size_t begin = line.find_first_not_of(' ');
    std::string_view rest = line;
    double figures[std::size(kFigures)] = {};
    for (size_t i = first_figure_; i < std::size(kFigures); ++i) {
      const auto figure = parse_number<double>(take_last_word(rest));
      if (!figure || !(*figure >= 0)) return false;
      figures[i] = *figure;
    }
    const std::string_view place = has_places_ ? take_place(rest) : std::string_view();
    const std::string_view module = take_last_word(rest);
    if (module.empty() || begin < indent_ || begin - indent_ > centres_.depth()) return false;
    while (centres_.depth() > begin - indent_) centres_.leave();
    const std::string_view label = rest.empty() ? module : rest;
    centres_.enter({.label = label,
                    .module = rest.empty() ? std::string_view() : module,
                    .own_us = own_time(figures),
                    .costs = costs_of(figures, place)});
    return true;
  }

  // "<no location info>" is one place.
  static std::string_view take_place(std::string_view& rest) {
    const size_t open = rest.ends_with('>') ? rest.rfind('<') : std::string_view::npos;
    if (open == std::string_view::npos) return take_last_word(rest);
    const std::string_view place = rest.substr(open);
    rest = trimmed(rest.substr(0, open));
    return place;
  }

  static constexpr double kMost = 9e17;  // of what becomes a whole number

  int64_t own_time(const double* figures) const {
    const double own = first_figure_ == 0 ? figures[1] * static_cast<double>(tick_us_)
                                          : figures[5] / 100 * total_us_;
    return std::llround(std::min(own, kMost));
  }

  // Empty where it cost nothing.
  std::string_view costs_of(const double* figures, std::string_view place) {
    params_.clear();
    bool has_costs = false;
    for (size_t i = first_figure_; i + 1 < std::size(kFigures); ++i)
      has_costs |= figures[i] > 0 && !kIsInherited[i];
    if (!has_costs) return {};
    for (size_t i = std::size(kFigures) - 1; i-- > first_figure_;) {
      params_.name(kFigures[i]);
      kIsShare[i] ? params_.number(figures[i])
                  : params_.number(static_cast<int64_t>(std::min(figures[i], kMost)));
    }
    if (!place.empty()) params_.add("src_loc", place);
    return params_.whole();
  }

  trace::EventSink& sink_;
  CostCentres centres_;
  bool is_table_ = false;  // what follows is one
  bool is_tree_ = false;   // it is that of all centres
  bool has_places_ = false;
  size_t first_figure_ = 0, indent_ = 0;
  int64_t tick_us_ = 1;
  double total_us_ = 0;
  ArgsText params_;  // kept for its memory
};

}  // namespace

bool is_profile_text(std::string_view head) {
  HeadLines lines(head, 8);
  while (const auto line = lines.next()) {
    if (line->contains(kTitle)) return true;
  }
  return false;
}

void read_profile_text(io::Source& source, trace::EventSink& sink) {
  ProfileText profile(sink);
  for_each_ended_line(source, sink, [&](const io::Line& line) { profile.add(line); });
  profile.finish();
}

}  // namespace weft::formats::ghc
