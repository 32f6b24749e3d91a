#include "app/panels/desk/trace_type_preview.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/regex.h"
#include "core/base/text.h"
#include "core/formats/general/custom/guess.h"
#include "core/formats/general/custom/rules.h"

namespace weft::app {

namespace custom = formats::custom;

namespace {

// The lines as they are, for a definition that cannot be understood.
std::vector<custom::PreviewRecord> plain_records(std::string_view sample) {
  std::vector<custom::PreviewRecord> records;
  for (uint64_t line = 1; !sample.empty() && line <= custom::kMostPreviewed; ++line) {
    const size_t end = std::min(sample.find('\n'), sample.size());
    records.push_back({.text = std::string(sample.substr(0, end)), .line = line});
    sample.remove_prefix(std::min(end + 1, sample.size()));
  }
  return records;
}

}  // namespace

std::optional<Sample> read_sample(const SampleKey& key, const std::stop_token& stop) {
  if (key.file.empty()) return Sample{key, key.pasted.substr(0, custom::kSampleBytes), ""};
  auto text = custom::read_sample(key.file, stop);
  if (stop.stop_requested()) return std::nullopt;
  if (!text) return Sample{key, "", std::move(text).error().context(printable(key.file)).message};
  return Sample{key, *std::move(text), ""};
}

std::optional<TraceTypePreview> preview_trace_type(const TraceTypeKey& key,
                                                   const std::stop_token& stop) {
  const std::string& sample = key.sample->text;
  TraceTypePreview out{.key = key,
                       .definition = key.definition ? *key.definition : custom::guess(sample),
                       .preview = {},
                       .error = {},
                       .problems = {}};
  for (size_t i = 0; i < out.definition.rules.size(); ++i) {
    if (out.definition.kind != custom::Kind::kText) break;
    const auto regex = Regex::try_compile(out.definition.rules[i].pattern);
    if (!regex) out.problems.push_back({i, regex.error().reason, regex.error().offset});
  }
  const auto rules = custom::Rules::compile(out.definition);
  if (rules) {
    out.preview = custom::preview(**rules, sample, stop);
  } else {
    out.error = rules.error().message;
    out.preview.records = plain_records(sample);
  }
  if (stop.stop_requested()) return std::nullopt;
  return out;
}

}  // namespace weft::app
