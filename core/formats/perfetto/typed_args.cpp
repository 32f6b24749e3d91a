#include "core/formats/perfetto/typed_args.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace weft::formats::perfetto {
namespace {

constexpr int kMostMessageDepth = 16;
constexpr size_t kMostHexBytes = 32;

constexpr std::pair<uint32_t, std::string_view> kNames[] = {
    {24, "cc_scheduler_state"},
    {25, "chrome_user_event"},
    {26, "chrome_keyed_service"},
    {27, "chrome_legacy_ipc"},
    {28, "chrome_histogram_sample"},
    {29, "chrome_latency_info"},
    {32, "chrome_frame_reporter"},
    {35, "chrome_message_pump"},
    {38, "chrome_mojo_event_info"},
    {39, "chrome_application_state_info"},
    {40, "chrome_renderer_scheduler_state"},
    {41, "chrome_window_handle_event_info"},
    {43, "chrome_content_settings_event_info"},
    {49, "chrome_active_processes"},
    {50, "screenshot"},
};

// A message begins with a small number, a text does not.
bool looks_like_text(std::string_view bytes) {
  constexpr std::string_view kSpace = "\n\r\t";
  const bool has_control = std::ranges::any_of(bytes, [&](char c) {
    return static_cast<uint8_t>(c) < 0x20 && kSpace.find(c) == std::string_view::npos;
  });
  return !has_control && (bytes.empty() || static_cast<uint8_t>(bytes.front()) >= 0x20) &&
         is_valid_utf8(bytes);
}

void add_value(const Field& field, ArgsText& args, int depth);

// Fields of one number are an array. `name_of`(number) is the member's name.
template <class NameOf>
void add_members(std::span<Field> fields, ArgsText& args, int depth, const NameOf& name_of) {
  std::ranges::stable_sort(fields, {}, &Field::number);
  for (size_t i = 0; i < fields.size();) {
    const uint32_t number = fields[i].number;
    size_t end = i;
    while (end < fields.size() && fields[end].number == number) ++end;
    args.name(name_of(number));
    const bool is_array = end - i > 1;
    if (is_array) args.begin('[');
    for (; i < end; ++i) add_value(fields[i], args, depth);
    if (is_array) args.end(']');
  }
}

void add_value(const Field& field, ArgsText& args, int depth) {
  if (!field.is_bytes) return args.number(field.integer());
  if (looks_like_text(field.bytes)) return args.text(field.bytes);
  std::vector<Field> fields;
  const bool is_message =
      depth < kMostMessageDepth &&
      for_each_field(field.bytes, [&](const Field& inner) { fields.push_back(inner); });
  if (!is_message) {
    const auto bytes = std::as_bytes(std::span(field.bytes.substr(0, kMostHexBytes)));
    return args.text(hexadecimal(bytes) + (field.bytes.size() > kMostHexBytes ? "…" : ""));
  }
  args.begin('{');
  add_members(fields, args, depth + 1, [](uint32_t number) { return std::to_string(number); });
  args.end('}');
}

}  // namespace

void add_typed_arguments(std::span<Field> fields, ArgsText& args) {
  add_members(fields, args, 0, [](uint32_t number) {
    const auto* const known =
        std::ranges::find(kNames, number, &std::pair<uint32_t, std::string_view>::first);
    return known != std::end(kNames) ? std::string(known->second)
                                     : "field " + std::to_string(number);
  });
}

}  // namespace weft::formats::perfetto
