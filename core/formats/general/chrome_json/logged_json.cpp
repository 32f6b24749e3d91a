#include "core/formats/general/chrome_json/logged_json.h"

#include <fmt/core.h>

#include <utility>

#include "core/base/text.h"
#include "core/formats/base/decimal_time.h"
#include "core/formats/base/json_text.h"
#include "core/formats/general/chrome_json/chrome_json_reader.h"

namespace weft::formats::chrome_json {

std::string_view LoggedJson::add(std::string_view message, Time time) {
  if (!message.starts_with('{') || !load(message)) return {};
  json::Cursor cursor(text_.data());
  json::RawValue object;
  if (!cursor.value(object)) return {};
  set_time(object.text, time);
  return take(timed_) ? fields_of(object) : std::string_view();
}

size_t LoggedJson::add_each(std::string_view line) {
  constexpr std::string_view kBegin = "{\"";
  size_t count = 0, at = line.find(kBegin);
  if (at == std::string_view::npos || !load(line)) return 0;
  for (; at != std::string_view::npos; ++count) {
    json::Cursor cursor(text_.data() + at);
    json::RawValue object;
    if (!cursor.value(object) || !take(object.text)) break;
    at = line.find(kBegin, at + object.text.size());
  }
  return count;
}

// Copies the message, with what a cursor needs behind it.
bool LoggedJson::load(std::string_view message) {
  if (!is_valid_utf8(message)) return false;
  text_.assign(message);
  text_.append(json::kTextPadding, '\0');
  return true;
}

std::string_view LoggedJson::fields_of(const json::RawValue& object) {
  fields_.clear();
  json::for_each_member(object.text, [&](const json::RawString& name, const json::RawValue& value) {
    const bool is_shown = name.text == "ph" || name.text == "cat" || name.text == "name";
    if (!is_shown || !value.is_string()) return;
    if (!fields_.empty()) fields_ += ',';
    fields_ += fmt::format("\"{}\":{}", name.text == "name" ? "evName" : name.text, value.text);
  });
  return fields_;
}

// The object in timed_. A whole call, with its duration, is logged at its end.
void LoggedJson::set_time(std::string_view object, Time time) {
  timed_ = object;
  std::string_view said, phase, length;
  json::for_each_member(object, [&](const json::RawString& name, const json::RawValue& value) {
    if (name.text == "ts") said = value.text;
    if (name.text == "ph") phase = value.text;
    if (name.text == "dur") length = value.text;
  });
  const auto took = nearest_time(length, DecimalUnit::kMicroseconds);
  if (phase == "X" && took) time = time - (*took - Time{});
  const std::string microseconds = fmt::format("{}e-3", time.ticks);
  if (said.empty()) {
    timed_.insert(object.find('{') + 1, fmt::format("\"ts\":{},", microseconds));
  } else {
    timed_.replace(static_cast<size_t>(said.data() - object.data()), said.size(), microseconds);
  }
}

// Returns false if it is not an event.
bool LoggedJson::take(std::string_view object) {
  bool is_event = false;
  json::for_each_member(object, [&](const json::RawString& name, const json::RawValue&) {
    is_event |= name.text == "ph";
  });
  if (!is_event) return false;
  if (file_ == nullptr && !is_failed_) file_ = io::temporary_file().value_or(nullptr);
  if (file_ == nullptr) {
    is_failed_ = true;
    return true;
  }
  const char before = std::exchange(has_any_, true) ? ',' : '[';
  is_failed_ |= std::fputc(before, file_.get()) == EOF ||
                std::fwrite(object.data(), 1, object.size(), file_.get()) != object.size();
  return true;
}

Status LoggedJson::finish(trace::EventSink& sink, const ReadContext& context) {
  if (is_failed_) return fail("cannot write the logged events to a temporary file");
  if (file_ == nullptr) return {};
  std::fputc(']', file_.get());
  if (std::fseek(file_.get(), 0, SEEK_SET) != 0 || std::ferror(file_.get()) != 0)
    return fail("cannot write to a temporary file");
  const std::string name = fmt::format("/proc/self/fd/{}", ::fileno(file_.get()));
  WEFT_TRY_ASSIGN(const std::unique_ptr<io::Source> source, io::Source::open(name));
  return read_chrome_json(*source, sink, context);
}

}  // namespace weft::formats::chrome_json
