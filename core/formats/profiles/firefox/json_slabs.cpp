#include "core/formats/profiles/firefox/json_slabs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "core/formats/base/binary.h"
#include "core/formats/base/text.h"

namespace weft::formats::firefox {
namespace {

using namespace std::literals;

constexpr std::string_view kSlabsMagic = "\xDC\xDFJSLB\1\0"sv;
constexpr size_t kHeadBytesOfSlabs = 20, kEntryBytes = 12;

// The position of a key, its slab, and the size of the placeholder.
struct Placeholder {
  size_t begin, end;
  uint32_t slab;
};

// The first in a text; none where there is none that is whole. Within a string no quote stands by
// itself, so that the key is one wherever it is found behind a brace.
std::optional<Placeholder> placeholder_in(std::string_view text) {
  constexpr std::string_view kKey = "\"$s\"";
  for (size_t key = text.find(kKey); key != std::string_view::npos;
       key = text.find(kKey, key + 1)) {
    std::string_view before = text.substr(0, key), behind = text.substr(key + kKey.size());
    while (!before.empty() && is_space(before.back())) before.remove_suffix(1);
    skip_white_space(behind);
    if (!before.ends_with('{') || !take_prefix(behind, ":")) continue;
    skip_white_space(behind);
    const auto slab = take_number<uint32_t>(behind);
    skip_white_space(behind);
    if (slab && take_prefix(behind, "}"))
      return Placeholder{before.size() - 1, text.size() - behind.size(), *slab};
  }
  return std::nullopt;
}

template <class Number>
void append_number(std::string& text, std::string_view& bytes) {
  const auto number = take_little<Number>(bytes);
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(*number)) {
      text += "null";
      return;
    }
  }
  fmt::format_to(std::back_inserter(text), "{}", *number);
}

}  // namespace

bool are_json_slabs(std::string_view head) { return head.starts_with(kSlabsMagic); }

Result<std::unique_ptr<SlabText>> SlabText::open(io::Source& container, trace::EventSink& sink) {
  WEFT_TRY_ASSIGN(WholeInput input, WholeInput::read(container, sink));
  BinaryFields head(input.bytes());
  head.bytes(kSlabsMagic.size());
  const auto version = head.little<uint32_t>(), count = head.little<uint32_t>();
  const auto root = head.little<uint32_t>();
  if (!head.has_failed() && version != 1)
    return fail(fmt::format("is of version {} of JsonSlabs, which is not read", version));
  if (head.has_failed() || root >= count) return fail("ends within the head of JsonSlabs");
  std::unique_ptr<SlabText> text(new SlabText(container, sink, std::move(input)));
  text->enter(root);
  if (text->open_.empty() || text->open_.back().type != SlabType::kJson)
    return fail("is a file of JsonSlabs without the text of its JSON");
  return text;
}

Result<size_t> SlabText::read(std::span<std::byte> out) {
  WEFT_TRY(make(1));
  const size_t n = std::min(out.size(), rest().size());
  if (n > 0) std::memcpy(out.data(), rest().data(), n);
  at_ += n;
  offset_ += n;
  return n;
}

Result<std::span<const std::byte>> SlabText::peek(size_t n) {
  WEFT_TRY(make(n));
  return std::as_bytes(std::span(rest()));
}

// So much text, where there is so much.
Status SlabText::make(size_t n) {
  // Numbers have at most four times their bytes as text, but a slab may be named again and again.
  constexpr uint64_t kMostRatio = 16, kFreeBytes = 64 << 20;
  if (rest().size() >= n) return {};
  text_.erase(0, at_);
  at_ = 0;
  while (text_.size() < n && !open_.empty()) step();
  if (offset_ + text_.size() > kFreeBytes + kMostRatio * input_.bytes().size())
    return fail("the text is much longer than its slabs");
  return {};
}

void SlabText::step() {
  OpenSlab& slab = open_.back();
  slab.type == SlabType::kJson ? write_json(slab) : write_numbers(slab);
}

// Begins to write a slab; null where it is none, or stands within itself.
void SlabText::enter(uint32_t slab) {
  constexpr size_t kMostDepth = 16;
  constexpr uint32_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 1};
  const std::string_view file = input_.bytes();
  const uint64_t at = kHeadBytesOfSlabs + uint64_t{kEntryBytes} * slab;
  BinaryFields entry(file.substr(std::min<uint64_t>(at, file.size())));
  const auto type = entry.little<uint32_t>(), offset = entry.little<uint32_t>(),
             size = entry.little<uint32_t>();
  const bool is_right = !entry.has_failed() && type < std::size(kSizes) && offset <= file.size() &&
                        size <= file.size() - offset && size % kSizes[type] == 0;
  const bool is_within = std::ranges::find(open_, slab, &OpenSlab::number) != open_.end();
  if (is_right && !is_within && open_.size() < kMostDepth) {
    open_.push_back({slab, static_cast<SlabType>(type), file.substr(offset, size)});
    return;
  }
  sink_.loss("column that the file does not have", trace::LossPlace::nowhere());
  text_ += "null";
}

void SlabText::write_json(OpenSlab& slab) {
  if (slab.bytes.empty()) return open_.pop_back();
  constexpr size_t kPiece = 256 << 10, kMostPlaceholder = 64;
  // A placeholder that a piece ends within is in the next.
  const std::string_view piece = slab.bytes.substr(0, kPiece);
  const bool is_last = piece.size() == slab.bytes.size();
  const auto found = placeholder_in(piece);
  const size_t plain = found     ? found->begin
                       : is_last ? piece.size()
                                 : piece.size() - kMostPlaceholder;
  text_ += piece.substr(0, plain);
  slab.bytes.remove_prefix(found ? found->end : plain);
  if (found) enter(found->slab);
}

void SlabText::write_numbers(OpenSlab& slab) {
  constexpr size_t kMostText = 64 << 10;
  const size_t before = text_.size();
  if (!slab.is_begun) text_ += '[';
  while (!slab.bytes.empty() && text_.size() - before < kMostText) {
    if (std::exchange(slab.is_begun, true)) text_ += ',';
    write_number(slab.type, slab.bytes);
  }
  if (!slab.bytes.empty()) return;
  text_ += ']';
  open_.pop_back();
}

void SlabText::write_number(SlabType type, std::string_view& bytes) {
  switch (type) {
    case SlabType::kInt8:
      return append_number<int8_t>(text_, bytes);
    case SlabType::kUint8:
      return append_number<uint8_t>(text_, bytes);
    case SlabType::kInt16:
      return append_number<int16_t>(text_, bytes);
    case SlabType::kUint16:
      return append_number<uint16_t>(text_, bytes);
    case SlabType::kInt32:
      return append_number<int32_t>(text_, bytes);
    case SlabType::kUint32:
      return append_number<uint32_t>(text_, bytes);
    case SlabType::kFloat:
      return append_number<float>(text_, bytes);
    case SlabType::kDouble:
      return append_number<double>(text_, bytes);
    case SlabType::kInt64:
      return append_number<int64_t>(text_, bytes);
    case SlabType::kUint64:
      return append_number<uint64_t>(text_, bytes);
    case SlabType::kJson:
      return;
  }
}

}  // namespace weft::formats::firefox
