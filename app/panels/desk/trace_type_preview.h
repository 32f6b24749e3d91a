// What the panel of custom trace types shows, made by workers: the sample, and what a definition
// makes of it. (XC-33)
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/formats/general/custom/definition.h"
#include "core/formats/general/custom/preview.h"

namespace weft::app {

// Which text: the begin of a file or, where there is none, one that was pasted.
struct SampleKey {
  std::string file;
  std::string pasted;
  bool operator==(const SampleKey&) const = default;
};
struct Sample {
  SampleKey key;
  std::string text;
  std::string error;  // why the file cannot be read; empty: it can
};
Sample read_sample(const SampleKey& key);

struct TraceTypeKey {
  std::shared_ptr<const Sample> sample;                   // never null
  std::optional<formats::custom::Definition> definition;  // none: one is guessed
  bool operator==(const TraceTypeKey&) const = default;
};

// What is wrong in a rule's pattern, and at which byte.
struct PatternProblem {
  size_t rule = 0;
  std::string reason;
  size_t offset = 0;
};

struct TraceTypePreview {
  TraceTypeKey key;
  formats::custom::Definition definition;  // the key's, or the one guessed
  formats::custom::Preview preview;        // of one that can be understood
  std::string error;                       // what is wrong with the definition; empty: nothing
  std::vector<PatternProblem> problems;
};
std::optional<TraceTypePreview> preview_trace_type(const TraceTypeKey& key,
                                                   const std::stop_token& stop);

}  // namespace weft::app
