#include "core/formats/profiles/measureme/string_table.h"

#include <algorithm>
#include <bit>

#include "core/formats/base/binary.h"

namespace weft::formats::measureme {
namespace {

constexpr char kEnd = '\xFF', kReference = '\xFE';
constexpr size_t kMostBytes = 64 << 10;
constexpr int kMostDepth = 64;
constexpr uint32_t kMostSteps = 1 << 12;  // references that lead to nothing cost, too

// How long the letter is that begins so.
size_t letter_bytes(uint8_t lead) {
  return std::clamp<size_t>(static_cast<size_t>(std::countl_one(lead)), 1, 4);
}

}  // namespace

uint64_t Encoding::take_id(std::string_view& bytes) const {
  if (id_bytes() == 8) return take_little<uint64_t>(bytes).value_or(0);
  return take_little<uint32_t>(bytes).value_or(0);
}

StringTable::StringTable(Encoding encoding, std::string_view data, std::string_view index,
                         uint64_t data_offset)
    : encoding_(encoding), data_(data), data_offset_(data_offset) {
  const size_t entry_bytes = 2 * encoding_.id_bytes();
  // The last entry of an id is what counts.
  for (size_t i = index.size() / entry_bytes; i-- > 0;) {
    std::string_view entry = index.substr(i * entry_bytes, entry_bytes);
    const uint64_t id = encoding_.take_id(entry);
    index_.insert(id, encoding_.take_id(entry));
  }
}

std::optional<std::string> StringTable::text(uint64_t id, bool& is_whole) const {
  if (!address_of(id)) return std::nullopt;
  std::string out;
  uint32_t steps = 0;
  is_whole = append(id, 0, steps, out);
  return out;
}

// In the data behind their header.
std::optional<uint64_t> StringTable::address_of(uint64_t id) const {
  uint64_t address = id - kFirstRegular;
  if (id < kFirstRegular) {
    const size_t* const known = index_.find(id);
    if (known == nullptr) return std::nullopt;
    address = *known;
  }
  if (address < data_offset_ || address - data_offset_ >= data_.size()) return std::nullopt;
  return address - data_offset_;
}

bool StringTable::append(uint64_t id, int depth, uint32_t& steps, std::string& out) const {
  const auto address = address_of(id);
  if (!address) {
    out += "(unknown)";
    return false;
  }
  if (depth == kMostDepth || ++steps > kMostSteps) return false;
  std::string_view rest = data_.substr(*address);
  while (!rest.empty() && out.size() < kMostBytes) {
    const char first = rest.front();
    const bool is_old_reference =
        !encoding_.has_tagged_references() && (static_cast<uint8_t>(first) & 0xC0) == 0x80;
    if (first == kEnd) return true;
    if (is_old_reference || (first == kReference && encoding_.has_tagged_references())) {
      if (!append_reference(rest, depth, steps, out)) return false;
      continue;
    }
    size_t bytes = letter_bytes(static_cast<uint8_t>(first));
    if (encoding_.has_tagged_references())
      bytes = std::min(rest.find_first_of(std::string_view("\xFE\xFF", 2)), kMostBytes);
    out += rest.substr(0, bytes);
    rest.remove_prefix(std::min(bytes, rest.size()));
  }
  return false;
}

bool StringTable::append_reference(std::string_view& rest, int depth, uint32_t& steps,
                                   std::string& out) const {
  uint64_t id = 0;
  if (encoding_.has_tagged_references()) {
    rest.remove_prefix(1);
    if (rest.size() < encoding_.id_bytes()) return false;
    id = encoding_.take_id(rest);
  } else {
    constexpr uint32_t kMark = 0xC000'0000;
    const auto marked = take_big<uint32_t>(rest);
    if (!marked) return false;
    id = *marked & ~kMark;
  }
  return append(id, depth + 1, steps, out);
}

}  // namespace weft::formats::measureme
