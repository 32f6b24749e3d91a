// Colours of a trace's event types: the trace's own if it gives one, otherwise derived from the
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

// Colours of everything but events.
struct ThemeColors {
  Rgb background;  // of a panel
  Rgb row;         // behind rows
  Rgb grid;        // ruler lines
  Rgb text;
  Rgb text_dim;
  Rgb link;         // arrows
  Rgb link_broken;  // an arrow that lacks an end
  Rgb selection;
};
const ThemeColors& theme_colors(Theme theme);

// Optional fill patterns that tell types apart besides colour.
enum class Pattern : uint8_t { kPlain, kHatch, kDots, kCross, kStripes };
inline constexpr int kPatternCount = 5;
// The pattern of a name: like its colour, the same in every trace.
Pattern pattern_of_name(std::string_view name);

class Palette {
 public:
  using UserColors = std::map<EventTypeId, Rgb>;
  static std::shared_ptr<const Palette> make(const trace::Dictionary& dictionary, Theme theme,
                                             const UserColors& user_colors = {},
                                             bool has_patterns = false,
                                             std::shared_ptr<const LengthColors> lengths = nullptr);

  // The colour of a type; a neutral grey for none().
  Rgb color(EventTypeId type) const {
    return type.value() < colors_.size() ? colors_[type.value()] : kNeutral;
  }
  Pattern pattern(EventTypeId type) const {
    return type.value() < patterns_.size() ? patterns_[type.value()] : Pattern::kPlain;
  }
  // The colour of a state: its type's, unless states are coloured by duration.
  Rgb state_color(EventTypeId type, Duration length) const;
  const LengthColors* lengths() const { return lengths_.get(); }  // null: coloured by type
  Theme theme() const { return theme_; }
  // Unique among the palettes of this process: a cache key.
  uint64_t version() const { return version_; }

  static constexpr Rgb kNeutral = 0x808890;

 private:
  std::vector<Rgb> colors_;        // by type
  std::vector<Pattern> patterns_;  // by type; empty: all plain
  std::shared_ptr<const LengthColors> lengths_;
  Theme theme_ = Theme::kDark;
  uint64_t version_ = 0;
};

// The colour of a type, of whichever trace, while the user has chosen none: its own, or that of its
// meaning or name. The rule behind Palette.
Rgb color_of_type(const trace::EventType& type, Theme theme);
// The colour of a name, where nothing else is known.
Rgb color_of_name(std::string_view name, Theme theme);

// The colour of a well-known scheduler state ("running", "READY", "timed_waiting") or log severity
// ("ERROR", "warn"), the same in every trace. nullopt for other names.
std::optional<Rgb> color_of_meaning(std::string_view name, trace::Category category);
// Whether a colour is a middle grey, which traces use for unimportant types ("sleeping"). Black
// does not count: a trace that gives black means it.
bool is_grey(Rgb rgb);
// The colour for what a filter rejects: nearly grey, and close to the background.
Rgb dimmed(Rgb rgb, Theme theme);
// Blends `share` of the colour over the rows' background.
Rgb tinted(Rgb rgb, double share, Theme theme);
// Black or white, whichever has more contrast with `rgb` (WCAG).
Rgb readable_on(Rgb rgb);
double contrast(Rgb a, Rgb b);  // WCAG, 1 … 21
// On light ground darker, as far as it takes for a line of this colour to be seen (WCAG: 3).
Rgb seen_as_line(Rgb rgb, Theme theme);
// OKLCH (lightness 0…1, chroma 0…0.4, hue in turns) to sRGB; chroma is lowered until it fits.
Rgb rgb_from_oklch(double lightness, double chroma, double hue_turns);

}  // namespace weft::layout
