// JSON that must be read as a whole, because its parts refer to each other: profiles. Members are
// asked for by name; what is not there, or of another kind, is empty.
//
// Memory: about eight times the text, which is bounded for that. Parsed by simdjson.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::json {

using Element = simdjson::dom::element;

// Owns the text's values: elements live as long as it.
class Document {
 public:
  // All that the source has. An error where it is too long for the memory, or not JSON; what stands
  // behind the JSON is a loss.
  static Result<Document> read(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes);
  static Result<Document> parse(std::string_view text);

  Element root() const { return parser_->doc.root(); }

 private:
  std::unique_ptr<simdjson::dom::parser> parser_;
};

// Of an object.
std::optional<Element> member(std::optional<Element> object, std::string_view name);
// Calls add(Element) for each of an array, if it is one.
template <class Add>
void for_each_element(std::optional<Element> array, const Add& add) {
  simdjson::dom::array values;
  if (!array || array->get(values) != simdjson::SUCCESS) return;
  for (const Element value : values) add(value);
}

std::optional<double> number(std::optional<Element> value);
std::optional<int64_t> integer(std::optional<Element> value);  // also of a whole number written 1.0
std::string_view text(std::optional<Element> value);           // of a string, else empty
std::string compact(std::optional<Element> value);             // as JSON without white space
std::string plain(std::optional<Element> value);  // the text of a string, others as JSON

inline constexpr int64_t kNoIndex = -1;
// Numbers of a column that refer to rows of other tables; null and what is none are kNoIndex.
std::vector<int64_t> indices(std::optional<Element> array);
// Other numbers; what is none is NaN.
std::vector<double> numbers(std::optional<Element> array);
std::vector<std::string> texts(std::optional<Element> array);

}  // namespace weft::formats::json
