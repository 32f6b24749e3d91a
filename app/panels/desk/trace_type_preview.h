// The content of the panel of custom trace types, made by workers: the sample, and the result of a
// definition for it. (XC-33)
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/formats/general/custom/definition.h"
#include "core/formats/general/custom/preview.h"

namespace weft::app {

// Identifies the sample: the beginning of a file or, without one, a pasted text.
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
std::optional<Sample> read_sample(const SampleKey& key, const std::stop_token& stop);

struct TraceTypeKey {
  std::shared_ptr<const Sample> sample;                   // never null
  std::optional<formats::custom::Definition> definition;  // nullopt: one is guessed
  bool operator==(const TraceTypeKey&) const = default;
};

// An error in a rule's pattern, with its byte offset.
struct PatternProblem {
  size_t rule = 0;
  std::string reason;
  size_t offset = 0;
};

struct TraceTypePreview {
  TraceTypeKey key;
  formats::custom::Definition definition;  // the key's, or the one guessed
  formats::custom::Preview preview;        // if the definition can be understood
  std::string error;                       // an error in the definition; empty: none
  std::vector<PatternProblem> problems;
};
std::optional<TraceTypePreview> preview_trace_type(const TraceTypeKey& key,
                                                   const std::stop_token& stop);

}  // namespace weft::app
