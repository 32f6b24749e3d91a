#include "app/base/unpack_wire.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <filesystem>
#include <optional>
#include <utility>

#include "core/base/numbers.h"
#include "core/base/text.h"

namespace weft::app {
namespace {

constexpr std::string_view kFailed = "failed", kUnpacked = "unpacked";

class Fields {
 public:
  explicit Fields(std::string_view text) : text_(text) {}

  bool has_more() const { return !text_.empty(); }
  // nullopt: there is none any more, or it has no end.
  std::optional<std::string_view> text() {
    const size_t end = text_.find('\0');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view field = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return field;
  }
  template <std::integral Number>
  std::optional<Number> number() {
    const auto field = text();
    return field ? parse_number<Number>(*field) : std::nullopt;
  }
  std::optional<std::filesystem::path> path() {
    const auto field = text();
    if (!field) return std::nullopt;
    std::filesystem::path path(*field);
    const bool is_below = path.is_relative() && std::ranges::find(path, "..") == path.end();
    return is_below ? std::optional(std::move(path)) : std::nullopt;
  }

 private:
  std::string_view text_;
};

std::optional<io::Unpacked> unpacked_in(Fields& fields) {
  const auto shortfall = fields.text();
  const auto shortage = fields.number<uint8_t>();
  auto last_file = fields.path();
  const bool is_known = shortage && *shortage <= static_cast<uint8_t>(io::Shortage::kAnyFile);
  if (!shortfall || !is_known || !last_file) return std::nullopt;
  io::Unpacked unpacked{.shortfall = printable(*shortfall),
                        .shortage = static_cast<io::Shortage>(*shortage),
                        .last_file = *std::move(last_file)};
  while (fields.has_more()) {
    auto file = fields.path();
    const auto seconds = fields.number<int64_t>(), nanoseconds = fields.number<int64_t>();
    if (!file || !seconds || !nanoseconds) return std::nullopt;
    unpacked.changed.push_back({*std::move(file), *seconds, *nanoseconds});
  }
  return unpacked;
}

}  // namespace

std::string_view word_of(io::Packing packing) {
  return packing == io::Packing::kPage ? "page" : "archive";
}

std::string text_of(const Result<io::Unpacked>& unpacked) {
  std::string text;
  const auto add = [&](std::string_view field) { text.append(field).push_back('\0'); };
  add(unpacked ? kUnpacked : kFailed);
  if (!unpacked) {
    add(unpacked.error().message);
    return text;
  }
  add(unpacked->shortfall);
  add(std::to_string(static_cast<int>(unpacked->shortage)));
  add(unpacked->last_file.native());
  for (const io::Changed& each : unpacked->changed) {
    add(each.file.native());
    add(std::to_string(each.seconds));
    add(std::to_string(each.nanoseconds));
  }
  return text;
}

Result<io::Unpacked> unpacked_from(std::string_view text) {
  Fields fields(text);
  const auto what = fields.text();
  if (what == kFailed) {
    if (const auto error = fields.text()) return fail(printable(*error));
  } else if (what == kUnpacked) {
    if (auto unpacked = unpacked_in(fields)) return *std::move(unpacked);
  }
  return fail("what unpacks it talks nonsense");
}

}  // namespace weft::app
