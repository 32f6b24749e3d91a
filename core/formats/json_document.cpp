#include "core/formats/json_document.h"

#include <fmt/core.h>

#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "core/formats/chrome_json/json_cursor.h"
#include "core/formats/whole_input.h"

namespace weft::formats::json {
namespace {

// How far a text is JSON: the parser does not say it.
struct Extent {
  size_t end = 0;
  bool is_whole = false;  // a value ends there
};
Extent extent_of(std::string_view text) {
  std::string padded(text);
  padded.append(chrome_json::kTextPadding, '\0');
  chrome_json::Cursor cursor(padded.data());
  cursor.skip_space();
  chrome_json::RawValue value;
  const bool is_whole = cursor.value(value);
  return {static_cast<size_t>(cursor.p - padded.data()), is_whole};
}

}  // namespace

Result<Document> Document::read(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes) {
  const uint64_t most = memory_bytes / 2;  // the reader's memory is a quarter of all there is
  std::string text;
  WEFT_TRY(read_up_to(source, most, text));
  if (text.size() > most)
    return fail(
        fmt::format("is JSON that is read as a whole, for which more than {} are too much: "
                    "allow more with --memory",
                    format_bytes(most)));
  auto document = parse(text);
  if (document) return document;
  const auto [end, is_whole] = extent_of(text);
  if (is_whole && end < text.size()) {
    sink.loss("something behind the end of the JSON", trace::LossPlace::nowhere());
    return parse(std::string_view(text).substr(0, end));
  }
  if (is_whole) return document;
  if (end == text.size())
    return fail(fmt::format("is JSON that is cut at byte {}, but must be read as a whole", end));
  return fail(fmt::format("{}, at byte {}", document.error().message, end));
}

Result<Document> Document::parse(std::string_view text) {
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = valid_utf8(text);
  Document document;
  document.parser_ = std::make_unique<simdjson::dom::parser>();
  const auto root = document.parser_->parse(text.data(), text.size());
  if (root.error() != simdjson::SUCCESS)
    return fail(fmt::format("is not valid JSON: {}", simdjson::error_message(root.error())));
  return document;
}

std::optional<Element> member(std::optional<Element> object, std::string_view name) {
  Element found;
  if (!object || !object->is_object() || object->at_key(name).get(found) != simdjson::SUCCESS)
    return std::nullopt;
  return found;
}

std::optional<double> number(std::optional<Element> value) {
  double out = 0;
  if (!value || value->get(out) != simdjson::SUCCESS) return std::nullopt;
  return out;
}

std::optional<int64_t> integer(std::optional<Element> value) {
  int64_t out = 0;
  if (value && value->get(out) == simdjson::SUCCESS) return out;
  const auto real = number(value);
  constexpr double kMost = 9e15;  // whole numbers are exact up to here
  if (!real || std::abs(*real) > kMost || *real != std::floor(*real)) return std::nullopt;
  return static_cast<int64_t>(*real);
}

std::string_view text(std::optional<Element> value) {
  std::string_view out;
  if (!value || value->get(out) != simdjson::SUCCESS) return {};
  return out;
}

std::string compact(std::optional<Element> value) {
  return value ? simdjson::minify(*value) : std::string();
}

std::string plain(std::optional<Element> value) {
  return value && value->is_string() ? std::string(text(value)) : compact(value);
}

std::vector<int64_t> indices(std::optional<Element> array) {
  std::vector<int64_t> out;
  for_each_element(array, [&](Element e) { out.push_back(integer(e).value_or(kNoIndex)); });
  return out;
}

std::vector<double> numbers(std::optional<Element> array) {
  std::vector<double> out;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for_each_element(array, [&](Element e) { out.push_back(number(e).value_or(kNone)); });
  return out;
}

std::vector<std::string> texts(std::optional<Element> array) {
  std::vector<std::string> out;
  for_each_element(array, [&](Element e) { out.emplace_back(text(e)); });
  return out;
}

}  // namespace weft::formats::json
