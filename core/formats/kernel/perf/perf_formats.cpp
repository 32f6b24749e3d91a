#include "core/formats/kernel/perf/perf_formats.h"

#include <optional>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"
#include "core/formats/kernel/trace_dat/record.h"

namespace weft::formats::perf {
namespace {

// A number of bytes, and they.
std::optional<std::string_view> take_sized(std::string_view& rest) {
  const auto size = take_little<uint64_t>(rest);
  return size ? take_bytes(rest, *size) : std::nullopt;
}

bool take_formats(std::string_view& rest, tep_handle& tep, const std::string& system) {
  const auto count = take_little<uint32_t>(rest);
  for (uint32_t i = 0; i < count.value_or(0); ++i) {
    const auto format = take_sized(rest);
    if (!format) return false;
    // One that cannot be printed has its fields all the same.
    tep_parse_event(&tep, format->data(), format->size(), system.c_str());
  }
  return count.has_value();
}

}  // namespace

void TracepointFormats::Free::operator()(tep_handle* tep) const { tep_free(tep); }

bool TracepointFormats::add(std::string_view tracing_data) {
  constexpr std::string_view kMagic("\x17\x08\x44tracing", 10), kPage("header_page\0", 12),
      kEvent("header_event\0", 13);
  std::string_view rest = tracing_data;
  if (!take_prefix(rest, kMagic)) return false;
  take_to(rest, '\0');  // the version
  const auto is_big = take_little<uint8_t>(rest), long_bytes = take_little<uint8_t>(rest);
  const auto page_bytes = take_little<uint32_t>(rest);
  if (!page_bytes || *is_big != 0) return false;
  tep_set_loglevel(TEP_LOG_NONE);
  tep_.reset(tep_alloc());
  if (tep_ == nullptr) return false;
  tep_set_file_bigendian(tep_.get(), TEP_LITTLE_ENDIAN);
  tep_set_long_size(tep_.get(), *long_bytes);
  tep_set_page_size(tep_.get(), static_cast<int>(*page_bytes));
  if (!take_prefix(rest, kPage) || !take_sized(rest)) return false;
  if (!take_prefix(rest, kEvent) || !take_sized(rest)) return false;
  if (!take_formats(rest, *tep_, "ftrace")) return false;
  const auto systems = take_little<uint32_t>(rest);
  for (uint32_t i = 0; i < systems.value_or(0); ++i) {
    const std::string system(take_to(rest, '\0'));
    if (!take_formats(rest, *tep_, system)) return false;
  }
  return systems.has_value();
}

std::string TracepointFormats::fields_of(uint64_t tracepoint, std::string_view bytes) const {
  std::string fields;
  constexpr uint64_t kMost = UINT16_MAX;  // of a number, and of the bytes of a record
  if (tep_ == nullptr || tracepoint > kMost || bytes.size() > kMost) return fields;
  tep_event* const event = tep_find_event(tep_.get(), static_cast<int>(tracepoint));
  if (event == nullptr) return fields;
  std::string copy(bytes);
  tep_record record{};
  record.data = copy.data();
  record.size = static_cast<int>(copy.size());
  trace_dat::Record(*tep_, *event, record).append_json(fields);
  return fields;
}

}  // namespace weft::formats::perf
