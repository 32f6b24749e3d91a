#include "core/layout/palette.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/stable_hash.h"
#include "core/layout/length_colors.h"
#include "core/trace/task_colors.h"

namespace weft::layout {
namespace {

// With the finisher of MurmurHash3: low bits alone are weak for short names.
uint64_t hash_of_name(std::string_view name) {
  uint64_t h = stable_hash(name);
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

uint32_t byte_of(Rgb rgb, int shift) { return rgb >> shift & 0xFF; }
double byte(Rgb rgb, int shift) { return static_cast<double>(byte_of(rgb, shift)); }

struct LinearRgb {
  double r, g, b;
  bool is_in_gamut() const {
    constexpr double kSlack = 1e-6;
    const auto [low, high] = std::minmax({r, g, b});
    return low >= -kSlack && high <= 1 + kSlack;
  }
};

// Björn Ottosson, "A perceptual color space for image processing" (2020).
LinearRgb linear_from_oklab(double lightness, double a, double b) {
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

uint32_t srgb_byte(double linear) {
  const double x = std::clamp(linear, 0.0, 1.0);
  const double encoded = x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055;
  return static_cast<uint32_t>(std::lround(encoded * 255));
}

double luminance(Rgb rgb) {
  const auto linear = [](uint32_t byte) {
    const double x = byte / 255.0;
    return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb >> 16 & 0xFF) + 0.7152 * linear(rgb >> 8 & 0xFF) +
         0.0722 * linear(rgb & 0xFF);
}

constexpr ThemeColors kDarkColors{.background = 0x15171C,
                                  .row = 0x181B21,
                                  .grid = 0x2A2F39,
                                  .text = 0xD8DCE4,
                                  .text_dim = 0x8A92A0,
                                  .link = 0xC9B458,
                                  .link_broken = 0x8A92A0,
                                  .selection = 0x5B8DEF};
constexpr ThemeColors kLightColors{.background = 0xFBFBFC,
                                   .row = 0xFFFFFF,
                                   .grid = 0xDDE0E6,
                                   .text = 0x22262E,
                                   .text_dim = 0x6B7280,
                                   .link = 0x8A6D00,
                                   .link_broken = 0x8A92A0,
                                   .selection = 0x2563EB};

// A name whose meaning everybody knows.
struct KnownWord {
  std::string_view word;
  Rgb rgb;
};

// Words of schedulers for task states, sorted.
constexpr auto kTaskStates =
    std::to_array<KnownWord>({{"blocked", trace::kWaitsRgb},
                              {"dead", trace::kIsDeadRgb},
                              {"disk sleep", trace::kCannotBeWokenRgb},
                              {"dormant", trace::kIsDeadRgb},
                              {"finished", trace::kIsDeadRgb},
                              {"idle", trace::kIsIdleRgb},
                              {"parked", trace::kIsIdleRgb},
                              {"pending", trace::kWaitsRgb},
                              {"preempted", trace::kCouldRunRgb},
                              {"ready", trace::kCouldRunRgb},
                              {"runnable", trace::kCouldRunRgb},
                              {"running", trace::kRunsRgb},
                              {"sleeping", trace::kWaitsRgb},
                              {"stopped", trace::kIsStoppedRgb},
                              {"suspended", trace::kIsStoppedRgb},
                              {"terminated", trace::kIsDeadRgb},
                              {"timed waiting", trace::kWaitsRgb},
                              {"traced", trace::kIsStoppedRgb},
                              {"uninterruptible sleep", trace::kCannotBeWokenRgb},
                              {"waiting", trace::kWaitsRgb},
                              {"waiting-suspended", trace::kIsStoppedRgb},
                              {"zombie", trace::kIsDeadRgb}});
static_assert(std::ranges::is_sorted(kTaskStates, {}, &KnownWord::word));

// How bad it is, as logs say it, in order of the words.
constexpr Rgb kFailureRgb = 0xD0504A, kWarningRgb = 0xD29A3C, kNewsRgb = 0x5B8AB5,
              kDetailRgb = 0x5A6472;
constexpr auto kLogLevels = std::to_array<KnownWord>(
    {{"alert", kFailureRgb},  {"crit", kFailureRgb},     {"critical", kFailureRgb},
     {"debug", kDetailRgb},   {"emerg", kFailureRgb},    {"emergency", kFailureRgb},
     {"err", kFailureRgb},    {"error", kFailureRgb},    {"fatal", kFailureRgb},
     {"fine", kDetailRgb},    {"finer", kDetailRgb},     {"finest", kDetailRgb},
     {"info", kNewsRgb},      {"information", kNewsRgb}, {"notice", kNewsRgb},
     {"panic", kFailureRgb},  {"severe", kFailureRgb},   {"trace", kDetailRgb},
     {"verbose", kDetailRgb}, {"warn", kWarningRgb},     {"warning", kWarningRgb}});
static_assert(std::ranges::is_sorted(kLogLevels, {}, &KnownWord::word));

// Whatever their case, and with spaces or underlines.
std::optional<Rgb> color_of_word(std::span<const KnownWord> words, std::string_view name) {
  constexpr size_t kLongest = 24;
  if (name.size() > kLongest) return std::nullopt;
  std::string word(name);
  for (char& c : word) {
    c = to_lower(c);
    if (c == '_') c = ' ';
  }
  const auto found = std::ranges::lower_bound(words, word, {}, &KnownWord::word);
  return found != words.end() && found->word == word ? std::optional(found->rgb) : std::nullopt;
}

}  // namespace

const ThemeColors& theme_colors(Theme theme) {
  return theme == Theme::kDark ? kDarkColors : kLightColors;
}

Rgb rgb_from_oklch(double lightness, double chroma, double hue_turns) {
  const double angle = hue_turns * 2 * std::numbers::pi;
  const auto linear = [&](double c) {
    return linear_from_oklab(lightness, c * std::cos(angle), c * std::sin(angle));
  };
  double inside = 0, outside = chroma;
  if (linear(chroma).is_in_gamut()) inside = chroma;
  for (int i = 0; i < 20 && inside < chroma; ++i) {
    const double middle = (inside + outside) / 2;
    (linear(middle).is_in_gamut() ? inside : outside) = middle;
  }
  const LinearRgb c = linear(inside);
  return srgb_byte(c.r) << 16 | srgb_byte(c.g) << 8 | srgb_byte(c.b);
}

Rgb color_of_name(std::string_view name, Theme theme) {
  // Three lightnesses and two chromas tell apart what falls on neighbouring hues. On light ground
  // colours are a little darker and stronger, to stand out from white.
  constexpr std::array kLightnessDark{0.58, 0.66, 0.74}, kLightnessLight{0.60, 0.68, 0.76};
  constexpr std::array kChromaDark{0.085, 0.125}, kChromaLight{0.10, 0.14};
  const uint64_t h = hash_of_name(name);
  const double hue = static_cast<double>(h >> 40) / static_cast<double>(1 << 24);
  const auto& lightness = theme == Theme::kDark ? kLightnessDark : kLightnessLight;
  const auto& chroma = theme == Theme::kDark ? kChromaDark : kChromaLight;
  return rgb_from_oklch(lightness[h % 3], chroma[h / 3 % 2], hue);
}

std::optional<Rgb> color_of_meaning(std::string_view name, trace::Category category) {
  switch (category) {
    case trace::Category::kState:
      return color_of_word(kTaskStates, name);
    case trace::Category::kPunctual:
      return color_of_word(kLogLevels, name);
    default:
      return std::nullopt;
  }
}

Rgb dimmed(Rgb rgb, Theme theme) {
  constexpr double kHue = 0.25, kInk = 0.42;  // of the colour, and of what is left of it
  const Rgb background = theme_colors(theme).row;
  const double grey = 0.30 * byte(rgb, 16) + 0.59 * byte(rgb, 8) + 0.11 * byte(rgb, 0);
  Rgb result = 0;
  for (const int shift : {16, 8, 0}) {
    const double ink = std::lerp(grey, byte(rgb, shift), kHue);
    result |= static_cast<Rgb>(std::lround(std::lerp(byte(background, shift), ink, kInk))) << shift;
  }
  return result;
}

Rgb tinted(Rgb rgb, double share, Theme theme) {
  const Rgb background = theme_colors(theme).row;
  Rgb result = 0;
  for (const int shift : {16, 8, 0}) {
    const double mixed = std::lerp(byte(background, shift), byte(rgb, shift), share);
    result |= static_cast<Rgb>(std::lround(mixed)) << shift;
  }
  return result;
}

bool is_grey(Rgb rgb) {
  constexpr uint32_t kMostHue = 0x24, kLeastGrey = 0x30, kMostGrey = 0x80;
  const auto [low, high] = std::minmax({byte_of(rgb, 16), byte_of(rgb, 8), byte_of(rgb, 0)});
  return high - low <= kMostHue && low >= kLeastGrey && high <= kMostGrey;
}

// Greys are meant for dark ground; on light ground they would stand out most of all.
Rgb color_of_trace(Rgb rgb, Theme theme) {
  constexpr double kPale = 0.6;
  if (theme == Theme::kDark || !is_grey(rgb)) return rgb;
  Rgb pale = 0;
  for (const int shift : {16, 8, 0}) {
    pale |= static_cast<Rgb>(std::lround(std::lerp(byte_of(rgb, shift), 255.0, kPale))) << shift;
  }
  return pale;
}

Rgb color_of_type(const trace::EventType& type, Theme theme) {
  std::optional<Rgb> rgb;
  if (type.rgb != trace::EventType::kNoColor) rgb = type.rgb & 0xFFFFFF;
  if (!rgb) rgb = color_of_meaning(type.name, type.category);
  return rgb ? color_of_trace(*rgb, theme) : color_of_name(type.name, theme);
}

double contrast(Rgb a, Rgb b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

Rgb seen_as_line(Rgb rgb, Theme theme) {
  constexpr double kLeast = 3, kStep = 0.95;
  if (theme == Theme::kDark) return rgb;
  while (contrast(rgb, theme_colors(theme).row) < kLeast) {
    Rgb darker = 0;
    for (const int shift : {16, 8, 0})
      darker |= static_cast<Rgb>(byte_of(rgb, shift) * kStep) << shift;
    rgb = darker;
  }
  return rgb;
}

Rgb readable_on(Rgb rgb) {
  return contrast(rgb, 0x000000) >= contrast(rgb, 0xFFFFFF) ? 0x000000 : 0xFFFFFF;
}

Pattern pattern_of_name(std::string_view name) {
  // Bits that the colour does not use.
  return static_cast<Pattern>((hash_of_name(name) >> 8 & 0xFFFF) % kPatternCount);
}

std::shared_ptr<const Palette> Palette::make(const trace::Dictionary& dictionary, Theme theme,
                                             const UserColors& user_colors, bool has_patterns,
                                             std::shared_ptr<const LengthColors> lengths) {
  static std::atomic<uint64_t> versions{0};
  auto palette = std::make_shared<Palette>();
  palette->theme_ = theme;
  palette->lengths_ = std::move(lengths);
  palette->version_ = ++versions;
  palette->colors_.reserve(dictionary.types.size());
  for (const trace::EventType& type : dictionary.types) {
    if (has_patterns) palette->patterns_.push_back(pattern_of_name(type.name));
    palette->colors_.push_back(color_of_type(type, theme));
  }
  for (const auto& [type, rgb] : user_colors) {
    if (type.value() < palette->colors_.size()) palette->colors_[type.value()] = rgb;
  }
  return palette;
}

Rgb Palette::state_color(EventTypeId type, Duration length) const {
  return lengths_ ? lengths_->color(length) : color(type);
}

}  // namespace weft::layout
