#include "core/formats/base/whole_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/early_end.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {
constexpr size_t kZerosBehind = 64;
}

Status read_up_to(io::Source& source, uint64_t most, std::string& bytes) {
  constexpr size_t kLeastRead = 64 << 10;
  while (bytes.size() <= most) {
    const size_t have = bytes.size();
    Result<size_t> read = 0;
    bytes.resize_and_overwrite(have + std::max(kLeastRead, have), [&](char* text, size_t size) {
      read = source.read(std::as_writable_bytes(std::span(text + have, size - have)));
      return have + read.value_or(0);
    });
    if (!read) return fail(read.error());
    if (*read == 0) break;
  }
  return {};
}

Result<std::string> text_up_to(const std::filesystem::path& path, uint64_t most) {
  WEFT_TRY_ASSIGN(const auto source, io::Source::open(path));
  if (source->is_folder()) return fail("is a folder");
  std::string text;
  const Status read = read_up_to(*source, most, text);
  if (!read && text.empty()) return fail(read.error());
  text.resize(std::min<uint64_t>(text.size(), most));
  return text;
}

Result<WholeInput> WholeInput::read(io::Source& source, trace::EventSink& sink, uint64_t most) {
  constexpr uint64_t kMostOwned = 4 << 20;
  WholeInput whole(sink);
  if (auto file = source.mapped()) {
    whole.file_ = std::move(*file);
  } else {
    const Status read = read_up_to(source, kMostOwned, whole.owned_);
    std::optional<Error> cut = read ? std::nullopt : std::optional(read.error());
    if (read && whole.owned_.size() > kMostOwned) {
      WEFT_TRY_ASSIGN(io::Copy copy, io::copy_of(source, std::exchange(whole.owned_, {})));
      WEFT_TRY_ASSIGN(whole.file_, io::MappedFile::open(copy.path()));
      whole.copy_ = std::move(copy.file);
      cut = std::move(copy.cut);
    } else {
      whole.owned_.append(kZerosBehind, '\0');
    }
    whole.is_early_ = cut.has_value();
    if (cut) report_early_end(sink, *cut, source.offset());
  }
  if (whole.bytes().size() > most)
    return fail(
        fmt::format("is a profile of more than {}: allow more with --memory", format_bytes(most)));
  return whole;
}

WholeInput::~WholeInput() {
  if (file_.is_lost()) sink_->loss("input that was cut while it was read", file_.lost_offset());
}

std::string_view WholeInput::bytes() const {
  if (owned_.empty()) return as_chars(file_.bytes());
  return std::string_view(owned_).substr(0, owned_.size() - kZerosBehind);
}

}  // namespace weft::formats
