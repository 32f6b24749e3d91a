#include "core/formats/profiles/uftrace/uftrace_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <utility>

#include "core/base/demangle.h"
#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/text.h"
#include "core/io/listing.h"

namespace weft::formats::uftrace {
namespace {

namespace fs = std::filesystem;

// uftrace's "long double" has 10 bytes.
constexpr uint32_t kMostBytes = 1024;

// Behind the slash: a letter, and how many bits; or t16:name, e:name.
bool parse_form(std::string_view form, Argument& argument) {
  if (form.empty()) return false;
  const bool has_letter = form.front() < '0' || form.front() > '9';
  if (has_letter) argument.form = form.front();
  if (has_letter) form.remove_prefix(1);
  if (argument.form == 'c') argument.size_bytes = 1;
  if (argument.form == 'e' && form.starts_with(':')) argument.enumeration = form.substr(1);
  const std::string_view digits = form.substr(0, form.find_first_not_of("0123456789"));
  const auto number = parse_number<uint32_t>(digits);
  if (!number) return digits.empty();
  constexpr uint32_t kBits = 8;
  argument.size_bytes = argument.form == 't' ? *number : *number / kBits;
  return argument.size_bytes <= kMostBytes;
}

void add_number(ArgsText& params, const Argument& argument, std::string_view bytes) {
  uint64_t word = 0;
  std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof word));
  const uint32_t bits = 8 * std::clamp<uint32_t>(argument.size_bytes, 1, sizeof word);
  const auto unused = sizeof word * 8 - bits;
  const auto number = static_cast<int64_t>(word << unused) >> unused;
  switch (argument.form) {
    case 'u':
      return params.number(word);
    case 'x':
    case 'p':
      return params.pointer(word);
    case 'o':
      return params.text(fmt::format("{:#o}", word));
    case 'i':
    case 'e':
      return params.number(number);
    case 'c':
      return params.text(bytes.substr(0, 1));
    default: {  // the upper half of a small number may be anything; what is far from 0, an address
      const auto small = static_cast<int32_t>(word);
      constexpr int32_t kLeast = -100'000;
      if (word <= UINT32_MAX && small < 0 && small > kLeast) return params.number(small);
      const bool is_far = number < INT32_MIN || number > INT32_MAX;
      return is_far ? params.pointer(word) : params.number(number);
    }
  }
}

template <class Float>
void add_float(ArgsText& params, std::string_view bytes) {
  Float value{};
  std::memcpy(&value, &bytes.front(), sizeof value);
  params.number(static_cast<double>(value));
}

// An enumeration has 32 bits, whatever else lies in its 64.
std::string name_of_value(const Argument& argument, std::string_view bytes,
                          const Enumerations& enumerations) {
  int32_t number = 0;
  std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
  return enumerations.text_of(argument.enumeration, number);
}

void add_value(ArgsText& params, const Argument& argument, std::string_view bytes,
               const Enumerations& enumerations) {
  params.name(argument.name);
  if (argument.form == 'e') {
    const std::string name = name_of_value(argument, bytes, enumerations);
    if (!name.empty()) return params.text(name);
  }
  if (argument.form == 's' || argument.form == 'S') return params.text(bytes);
  if (argument.form == 'f' && bytes.size() == sizeof(float)) return add_float<float>(params, bytes);
  if (argument.form == 'f' && bytes.size() == sizeof(double))
    return add_float<double>(params, bytes);
  if (argument.form != 'f' && argument.form != 't') return add_number(params, argument, bytes);
  params.text(hexadecimal(std::as_bytes(std::span(bytes))));
}

}  // namespace

Function parse_function(std::string_view text) {
  Function function;
  while (!text.empty()) {
    std::string_view word = trimmed(take_to(text, ','));
    word = word.substr(0, word.find('%'));  // where it lay: a register, the stack
    const std::string_view name = take_to(word, '/');
    const bool is_returned = name.starts_with("retval");
    const bool is_float = name.starts_with("fparg");
    if (!is_returned && !is_float && !name.starts_with("arg")) continue;
    Argument argument{.name = is_returned ? "ret" : std::string(name),
                      .form = is_float ? 'f' : 'd',
                      .enumeration = {}};
    if (word.empty() || parse_form(word, argument))
      (is_returned ? function.returned : function.given).push_back(argument);
  }
  return function;
}

namespace {

// Calls each(argument, bytes). Texts have their length before them; each value ends at a multiple
// of 4, the last at one of 8, where the next record begins. Returns nullopt if bytes are missing.
template <class Each>
std::optional<size_t> for_each_value(std::span<const Argument> arguments, std::string_view bytes,
                                     const Each& each) {
  const auto rounded = [](size_t at, size_t step) { return (at + step - 1) / step * step; };
  constexpr size_t kStep = 4, kRecordStep = 8;
  size_t at = 0;
  for (const Argument& argument : arguments) {
    size_t size = argument.size_bytes;
    if (argument.form == 's' || argument.form == 'S') {
      uint16_t length = 0;
      if (bytes.size() < at + sizeof length) return std::nullopt;
      std::memcpy(&length, bytes.data() + at, sizeof length);
      at += sizeof length;
      size = length;
    }
    if (bytes.size() < at + size) return std::nullopt;
    each(argument, bytes.substr(at, size));
    at = rounded(at + size, kStep);
  }
  return rounded(at, kRecordStep);
}

}  // namespace

std::optional<size_t> bytes_of(std::span<const Argument> arguments, std::string_view bytes) {
  if (arguments.empty()) return std::nullopt;
  return for_each_value(arguments, bytes, [](const Argument&, std::string_view) {});
}

std::optional<std::string> values_of(std::span<const Argument> arguments, std::string_view bytes,
                                     const Enumerations& enumerations) {
  ArgsText params;
  const auto end =
      for_each_value(arguments, bytes, [&](const Argument& argument, std::string_view value) {
        add_value(params, argument, value, enumerations);
      });
  return end == bytes.size() ? std::optional(params.take()) : std::nullopt;
}

Arguments::Arguments(const fs::path& folder) {
  constexpr std::streamoff kHeadBytes = 40;
  constexpr size_t kMostLines = 1000;
  std::ifstream info(folder / "info", std::ios::binary);
  info.seekg(kHeadBytes);
  std::string line;
  for (size_t i = 0; i < kMostLines && std::getline(info, line); ++i) {
    std::string_view text = line;
    if (text.starts_with("argspec:lines=")) continue;
    if (take_prefix(text, "argspec:") || take_prefix(text, "retspec:")) add_asked(text);
    if (take_prefix(text, "argauto:") || take_prefix(text, "retauto:")) add_known(text);
    if (take_prefix(text, "enumauto:") || take_prefix(text, "enum:")) enumerations_.add(text);
    if (text.starts_with("auto-args:1")) are_all_known_asked_ = true;
  }
  if (asked_.empty() && !are_all_known_asked_) return;
  for (const fs::directory_entry& file : io::Listing::of(folder).entries) {
    std::error_code error;
    if (file.path().extension() == ".dbg" && file.is_regular_file(error))
      read_debug_information(file.path());
  }
}

// "main@arg1,arg2/s;^get_@retval;malloc": names are patterns where they have other signs than
// names.
void Arguments::add_asked(std::string_view text) {
  while (!text.empty()) {
    std::string_view rest = take_to(text, ';');
    const std::string_view name = trimmed(take_to(rest, '@'));
    if (name.empty()) continue;
    Asked asked{.name = std::string(name), .pattern = {}, .function = parse_function(rest)};
    if (name.find_first_of(".?*+^$|[]{}()\\") != std::string_view::npos) {
      if (auto pattern = Regex::compile(name)) asked.pattern = std::move(*pattern);
    }
    asked_.push_back(std::move(asked));
  }
}

namespace {

// Takes what the text says of either.
void merge(Function& function, std::string_view text) {
  Function parsed = parse_function(text);
  if (!parsed.given.empty()) function.given = std::move(parsed.given);
  if (!parsed.returned.empty()) function.returned = std::move(parsed.returned);
}

// "std::vector::push_back", of "std::vector<int>::push_back(int&&)": as uftrace calls it.
std::string simple_name(std::string_view name) {
  std::string simple;
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (simple.ends_with("operator") && (c == '<' || c == '(')) return std::string(name);
    if (c == '(' && depth == 0 && !name.substr(i).starts_with("(anonymous")) break;
    depth += c == '<' ? 1 : 0;
    if (depth == 0) simple += c;
    depth -= c == '>' ? 1 : 0;
  }
  // A template's name follows its return type; "operator new" is a name of two words.
  return simple.substr(simple.rfind(' ', simple.find("operator ")) + 1);
}

}  // namespace

void Arguments::add_known(std::string_view text) {
  while (!text.empty()) {
    std::string_view rest = take_to(text, ';');
    const std::string_view name = trimmed(take_to(rest, '@'));  // "_Znwm"
    merge(known_[simple_name(demangled(name).value_or(std::string(name)))], rest);
  }
}

// "F: 1219 leaf" at its place in the binary, and below "A: @arg1,arg2/s" and "R: @retval".
void Arguments::read_debug_information(const fs::path& file) {
  constexpr size_t kMostFunctions = 1'000'000;
  const std::string binary = file.stem().string();
  std::ifstream in(file);
  std::string line;
  uint64_t place = 0;
  while (std::getline(in, line) && described_.size() < kMostFunctions) {
    std::string_view text = line;
    if (take_prefix(text, "E: ")) {
      enumerations_.add(text);
    } else if (take_prefix(text, "F: ")) {
      place = take_hexadecimal(text).value_or(0);
    } else if (take_prefix(text, "A: @") || take_prefix(text, "R: @")) {
      merge(described_[{binary, place}], text);
    }
  }
}

Function Arguments::of(const Sessions::Place& place) const {
  Function found;
  bool is_asked = are_all_known_asked_;
  const std::string name = simple_name(place.name);
  for (const Asked& asked : asked_) {
    if (asked.pattern ? !asked.pattern->matches(name) : asked.name != name) continue;
    is_asked |= asked.function.is_empty();
    if (!asked.function.given.empty()) found.given = asked.function.given;
    if (!asked.function.returned.empty()) found.returned = asked.function.returned;
  }
  const auto take = [&](const Function& function) {
    if (found.given.empty()) found.given = function.given;
    if (found.returned.empty()) found.returned = function.returned;
  };
  if (!is_asked) return found;
  const auto described = described_.find({place.binary, place.symbol});
  if (described != described_.end()) take(described->second);
  const auto known = known_.find(name);
  if (known != known_.end()) take(known->second);
  return found;
}

}  // namespace weft::formats::uftrace
