// The colour of every event type of a trace: the trace's own where it gives one, else chosen by the
// type's name, so that a name has the same colour in every trace, on every machine, at every start.
//
// Chosen colours are spread over hue at even lightness and calm chroma (OKLCH), for a dark and a
// light background. Immutable; made once per trace, theme and set of user's colours (O(types)).
// Colours are 0xRRGGBB.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/strong_id.h"
#include "core/base/time.h"
#include "core/trace/model.h"

namespace weft::layout {

class LengthColors;
using Rgb = uint32_t;  // 0xRRGGBB, sRGB

enum class Theme : uint8_t { kDark, kLight };

// What is drawn besides events.
struct ThemeColors {
  Rgb background;  // of a panel
  Rgb row_even;    // behind rows, alternating
  Rgb row_odd;
  Rgb grid;  // ruler lines
  Rgb text;
  Rgb text_dim;
  Rgb link;         // arrows
  Rgb link_broken;  // an arrow that lacks an end
  Rgb selection;
};
const ThemeColors& theme_colors(Theme theme);

// What tells types apart besides colour, where that is wanted.
enum class Pattern : uint8_t { kPlain, kHatch, kDots, kCross, kStripes };
inline constexpr int kPatternCount = 5;
// That a name has: like its colour, the same in every trace.
Pattern pattern_of_name(std::string_view name);

class Palette {
 public:
  using UserColors = std::map<EventTypeId, Rgb>;
  static std::shared_ptr<const Palette> make(const trace::Dictionary& dictionary, Theme theme,
                                             const UserColors& user_colors = {},
                                             bool has_patterns = false,
                                             std::shared_ptr<const LengthColors> lengths = nullptr);

  // The colour of a type; of none, a neutral grey.
  Rgb color(EventTypeId type) const {
    return type.value() < colors_.size() ? colors_[type.value()] : kNeutral;
  }
  Pattern pattern(EventTypeId type) const {
    return type.value() < patterns_.size() ? patterns_[type.value()] : Pattern::kPlain;
  }
  // Of a state of that length: its type's, unless states are coloured by how long they take.
  Rgb state_color(EventTypeId type, Duration length) const;
  const LengthColors* lengths() const { return lengths_.get(); }  // null: they are not
  Theme theme() const { return theme_; }
  // Different for every palette made in this process: a cache key.
  uint64_t version() const { return version_; }

  static constexpr Rgb kNeutral = 0x808890;

 private:
  std::vector<Rgb> colors_;        // by type
  std::vector<Pattern> patterns_;  // by type; empty: all plain
  std::shared_ptr<const LengthColors> lengths_;
  Theme theme_ = Theme::kDark;
  uint64_t version_ = 0;
};

// The colour that a name has; the rule behind Palette.
Rgb color_of_name(std::string_view name, Theme theme);

// Of a state that schedulers know ("running", "READY", "timed_waiting"), and of an event that is
// called as logs call how bad it is ("ERROR", "warn"), whichever says it: the same in every trace.
// Nothing: it is none of these.
std::optional<Rgb> color_of_meaning(std::string_view name, trace::Category category);
// A middle grey, by which traces colour what matters little ("sleeping"). Black is none: who says
// black means it.
bool is_grey(Rgb rgb);
// What a filter lets not pass: nearly grey, and near the background.
Rgb dimmed(Rgb rgb, Theme theme);
// So much of the colour upon the background of rows.
Rgb tinted(Rgb rgb, double share, Theme theme);
// Black or white, whichever has more contrast (WCAG) upon `rgb`.
Rgb readable_on(Rgb rgb);
double contrast(Rgb a, Rgb b);  // WCAG, 1 … 21
// OKLCH (lightness 0…1, chroma 0…0.4, hue in turns) to sRGB; chroma is lowered until it fits.
Rgb rgb_from_oklch(double lightness, double chroma, double hue_turns);

}  // namespace weft::layout
