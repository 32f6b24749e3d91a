#include "app/session/panel_options.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <vector>

#include "core/base/text.h"

namespace weft::app {
namespace {

struct OptionsOf {
  std::string_view name;  // of a kind of panels, or of what several kinds have
  // Apart by spaces: "name", or "name=" and what it is: word|word, [] a list, {} an object; or a
  // row of kShared, for what stands there.
  std::string_view options;
};

constexpr OptionsOf kShared[] = {
    {"table", "sort filters={} filters_folded hidden=[] widths={}"},
    {"scope", "scope=window|trace|selection"},
    {"passing", "events=filtered|all"},
};

constexpr OptionsOf kOptions[] = {
    {"overview", "scale=linear|root|logarithmic"},
    {"gantt", "grid all_links"},
    {"density", "scale=linear|root|logarithmic"},
    {"sequence",
     "order=first|groups|force|short spacing=time|events runs=open|joined colors=sender|type "
     "widths=count|size scroll moves"},
    {"events", "scope passing table"},
    {"selection", "by=type|lane passing table"},
    {"statistics",
     "by=type|lane metric scope passing update=live|play played={} open=[] "
     "selected=[] excluded=[] merged table"},
    {"pages", "page scope table"},
    {"durations",
     "of=states|messages scale=log|linear height=count|density bin types=[] "
     "scope passing types.sort types.filters={} types.filters_folded "
     "types.hidden=[] types.widths={}"},
    {"traffic",
     "rows=pairs|types view=chord|matrix size=messages|bytes answers=off|on pair type scope "
     "passing table"},
    {"flame",
     "view=graph|chart|sandwich|callers|callees|difference type zoom=[] "
     "lanes=stacks|threads|others|async|cpus|all scope passing a b "
     "a_of=trace|window|selection b_of=trace|window|selection by=time|share"},
    {"causality", "root={} path={} field table"},
    {"compare", "a b of=trace|window|selection by=type|lane metric table"},
    {"legend", "of=types|lanes scope selected table"},
    {"sql", "query recent=[] limit table"},
    {"journal", "table"},
    {"memory", "table"},
    {"trace-type", "part=form|records|events sample pasted definition={} name table"},
    {"classes", "edited"},
    {"quality", "open=[] table"},
};

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, by)) parts.emplace_back(part.begin(), part.end());
  return parts;
}

std::vector<std::string_view> options_of(const PanelKind& kind) {
  const auto own = std::ranges::find(kOptions, kind.id, &OptionsOf::name);
  if (own == std::end(kOptions)) return {};
  std::vector<std::string_view> options;
  for (const std::string_view option : split(own->options, ' ')) {
    const auto shared = std::ranges::find(kShared, option, &OptionsOf::name);
    if (shared == std::end(kShared)) {
      options.push_back(option);
    } else {
      std::ranges::copy(split(shared->options, ' '), std::back_inserter(options));
    }
  }
  return options;
}

std::string_view bare_name(std::string_view option) { return option.substr(0, option.find('=')); }

}  // namespace

Status check_option(const PanelKind& kind, std::string_view option, const Json& value) {
  const std::vector<std::string_view> options = options_of(kind);
  const auto found = std::ranges::find(options, option, bare_name);
  if (found == options.end()) {
    std::vector<std::string_view> names;
    std::ranges::transform(options, std::back_inserter(names), bare_name);
    return fail(names.empty() ? fmt::format("{} has no options", kind.title)
                              : fmt::format("'{}' is no option of {}: it has {}", printable(option),
                                            kind.title, fmt::join(names, ", ")));
  }
  if (found->size() == option.size()) return {};
  const std::string_view wanted = found->substr(option.size() + 1);
  if (wanted == "[]" || wanted == "{}") {
    if (wanted == "[]" ? value.is_array() : value.is_object()) return {};
    return fail(
        fmt::format("{}: {} is no {}", option, value.dump(), wanted == "[]" ? "list" : "object"));
  }
  const std::vector<std::string_view> words = split(wanted, '|');
  const bool is_one_of_them =
      value.is_string() &&
      std::ranges::find(words, value.get_ref<const std::string&>()) != words.end();
  if (is_one_of_them) return {};
  return fail(fmt::format("{}: {} is none of {}", option, value.dump(), fmt::join(words, ", ")));
}

Json known_options(const PanelKind& kind, const Json& options) {
  Json known = Json::object();
  for (const auto& [option, value] : options.items()) {
    if (check_option(kind, option, value)) known[option] = value;
  }
  return known;
}

}  // namespace weft::app
