#include "core/formats/embedded/fst/fst_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/formats/base/text.h"
#include "core/formats/base/whole_input.h"
#include "core/formats/embedded/fst/fst_bytes.h"
#include "core/formats/embedded/fst/fst_changes.h"
#include "core/formats/embedded/fst/fst_hierarchy.h"

namespace weft::formats {
namespace {

enum class BlockKind : uint8_t {
  kHeader = 0,
  kChanges = 1,
  kGeometry = 3,
  kHierarchy = 4,
  kChangesWithAliases = 5,
  kHierarchyLz4 = 6,
  kHierarchyLz4Twice = 7,
  kChangesWithNewAliases = 8,
  kWrapper = 254,
};

constexpr uint64_t kHeaderBytes = 329;  // with the bytes that say so

struct Block {
  BlockKind kind;
  std::string_view bytes;
  uint64_t offset;
};

// The next block, which is taken; its bytes are what is there of it.
std::optional<Block> take_block(std::string_view& bytes, uint64_t offset) {
  const auto kind = take_little<uint8_t>(bytes);
  const auto size = take_big<uint64_t>(bytes);
  if (!kind || !size || *size < sizeof *size) return std::nullopt;
  const auto content = take_bytes(bytes, *size - sizeof *size);
  if (!content) return std::nullopt;
  return Block{static_cast<BlockKind>(*kind), *content, offset};
}

class FstReader {
 public:
  // `names`: the file to which a writer puts the hierarchy until it ends.
  FstReader(trace::EventSink& sink, uint64_t most_bytes, std::filesystem::path names)
      : sink_(sink), most_bytes_(most_bytes), names_(std::move(names)), signals_(sink) {}

  // The hierarchy and the geometry stand behind the changes.
  void read(std::string_view file) {
    const size_t size = file.size();
    std::vector<Block> changes;
    while (!file.empty()) {
      const uint64_t offset = size - file.size();
      const auto block = take_block(file, offset);
      if (!block) {
        sink_.loss("input ends within a block", offset);
        break;
      }
      take(*block, changes);
    }
    if (!has_hierarchy_) add_hierarchy_beside();
    if (!has_hierarchy_) sink_.loss("dump without the names of its signals", size);
    for (size_t i = 0; i < std::min(geometry_.size(), declared_.size()); ++i)
      geometry_[i].port_bits = declared_[i].port_bits;
    fst::Changes all(sink_, signals_, geometry_.empty() ? declared_ : geometry_, scale_, zero_,
                     is_swapped_, most_bytes_);
    for (const Block& block : changes) {
      using Aliases = fst::Changes::Aliases;
      all.add(block.bytes,
              block.kind == BlockKind::kChanges              ? Aliases::kNone
              : block.kind == BlockKind::kChangesWithAliases ? Aliases::kOld
                                                             : Aliases::kNew,
              block.offset);
      sink_.progress(block.offset, size);
      if (!sink_.keep_going()) break;
    }
    signals_.finish(all.last());
  }

 private:
  void take(const Block& block, std::vector<Block>& changes) {
    switch (block.kind) {
      case BlockKind::kHeader:
        return add_header(block);
      case BlockKind::kChanges:
      case BlockKind::kChangesWithAliases:
      case BlockKind::kChangesWithNewAliases:
        return changes.push_back(block);
      case BlockKind::kGeometry:
        return add_geometry(block);
      case BlockKind::kHierarchy:
      case BlockKind::kHierarchyLz4:
      case BlockKind::kHierarchyLz4Twice:
        return add_hierarchy(block);
      default:
        return;  // when it did not dump; a block that was being written
    }
  }

  void add_header(const Block& block) {
    constexpr size_t kVersionBytes = 128, kDateBytes = 119;
    std::string_view bytes = block.bytes;
    if (block.bytes.size() + sizeof(uint64_t) < kHeaderBytes)
      return sink_.loss("header that ends early", block.offset);
    bytes.remove_prefix(2 * sizeof(uint64_t));  // begin and end of all
    is_swapped_ = take_little<double>(bytes) != std::numbers::e;
    bytes.remove_prefix(5 * sizeof(uint64_t));  // counts
    set_scale(*take_little<int8_t>(bytes));
    for (const auto& [key, size] :
         {std::pair("version", kVersionBytes), std::pair("date", kDateBytes)}) {
      const std::string_view text = trimmed(until_zero(*take_bytes(bytes, size)));
      if (!text.empty()) sink_.set_metadata(key, valid_utf8(text));
    }
    bytes.remove_prefix(1);  // what wrote it
    zero_ = *take_big<int64_t>(bytes);
  }

  // Times are 10 to the power of the exponent, in seconds.
  void set_scale(int exponent) {
    constexpr std::array kUnits = {TimeBase::kSeconds, TimeBase::kMilliseconds,
                                   TimeBase::kMicroseconds, TimeBase::kNanoseconds,
                                   TimeBase::kPicoseconds};
    constexpr int kOfUnit = 3, kLeast = -18, kMost = 2, kThousand = 1000;
    exponent = std::clamp(exponent, kLeast, kMost);
    const int unit = std::max(0, (kOfUnit - 1 - exponent) / kOfUnit);
    for (int i = -unit * kOfUnit; i < exponent; ++i) scale_.times *= 10;
    for (int i = std::ssize(kUnits) - 1; i < unit; ++i) scale_.divided_by *= kThousand;
    scale_.base = kUnits[std::min<size_t>(static_cast<size_t>(unit), kUnits.size() - 1)];
    vcd::say(scale_, sink_);
  }

  void add_geometry(const Block& block) {
    std::string_view bytes = block.bytes;
    const auto size = take_big<uint64_t>(bytes), count = take_big<uint64_t>(bytes);
    std::optional<std::string> whole;
    if (size && count) whole = fst::unpacked_part(bytes, *size, most_bytes_);
    if (!whole || *count > whole->size())
      return sink_.loss("lengths of the signals are damaged", block.offset);
    std::string_view lengths = *whole;
    constexpr uint32_t kAnyLength = UINT32_MAX;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto length = static_cast<uint32_t>(take_varint(lengths).value_or(kAnyLength));
      const bool is_real = length == 0;
      const uint32_t characters = is_real ? fst::kRealBytes : length == kAnyLength ? 0 : length;
      geometry_.push_back({.length = characters, .is_real = is_real});
    }
  }

  void add_hierarchy(const Block& block) {
    std::string_view bytes = block.bytes;
    const auto size = take_big<uint64_t>(bytes);
    std::optional<std::string> whole;
    const bool is_twice = block.kind == BlockKind::kHierarchyLz4Twice;
    if (is_twice) {
      const auto once = take_varint(bytes);
      if (once && *once <= most_bytes_) whole = fst::unpacked(fst::Packing::kLz4, bytes, *once);
      if (whole) bytes = *whole;
    }
    const auto packing =
        block.kind == BlockKind::kHierarchy ? fst::Packing::kZlib : fst::Packing::kLz4;
    if (size && *size <= most_bytes_ && (!is_twice || whole))
      whole = fst::unpacked(packing, bytes, *size);
    has_hierarchy_ = whole && fst::declare_all(*whole, signals_, declared_);
    if (!has_hierarchy_) sink_.loss("names of the signals are damaged", block.offset);
    has_hierarchy_ = true;
  }

  // Reads the separate hierarchy of a dump that is still written, or whose writer was killed. It
  // may end anywhere.
  void add_hierarchy_beside() {
    const auto source = io::Source::open(names_);
    if (!source) return;
    std::string hierarchy;
    if (!read_up_to(**source, most_bytes_, hierarchy) || hierarchy.size() > most_bytes_) return;
    fst::declare_all(hierarchy, signals_, declared_);
    has_hierarchy_ = !declared_.empty();
  }

  trace::EventSink& sink_;
  uint64_t most_bytes_;  // that one part is unpacked to
  std::filesystem::path names_;
  vcd::Signals signals_;
  std::vector<fst::Geometry> geometry_;  // by handle
  std::vector<fst::Geometry> declared_;  // likewise, by the hierarchy: known where no geometry is
  vcd::TimeScale scale_;
  int64_t zero_ = 0;  // what is added to all times, in their unit
  bool is_swapped_ = false, has_hierarchy_ = false;
};

}  // namespace

int sniff_fst(std::span<const std::byte> head) {
  std::string_view text = as_chars(head);
  const auto kind = take_little<uint8_t>(text);
  const auto size = take_big<uint64_t>(text);
  if (!size) return 0;
  if (kind == static_cast<uint8_t>(BlockKind::kHeader)) return *size == kHeaderBytes ? 100 : 0;
  constexpr std::string_view kGzip = "\x1F\x8B";
  const bool is_wrapped = kind == static_cast<uint8_t>(BlockKind::kWrapper) &&
                          take_big<uint64_t>(text) && text.starts_with(kGzip);
  return is_wrapped ? 100 : 0;
}

Status read_fst(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  WEFT_TRY_ASSIGN(const WholeInput input, WholeInput::read(source, sink));
  std::string_view file = input.bytes(), bytes = file;
  std::string unpacked;
  const auto first = take_block(bytes, 0);
  if (first && first->kind == BlockKind::kWrapper) {
    std::string_view packed = first->bytes;
    const auto size = take_big<uint64_t>(packed);
    if (!size || *size > context.memory_bytes) return fail("unpacks to more than the memory");
    auto whole = fst::unpacked(fst::Packing::kZlib, packed, *size);
    if (!whole) return fail("is packed as a whole, and damaged");
    file = unpacked = std::move(*whole);
  }
  std::filesystem::path names = io::without_compression(source.path());
  FstReader(sink, context.memory_bytes, names += ".hier").read(file);
  return {};
}

}  // namespace weft::formats
