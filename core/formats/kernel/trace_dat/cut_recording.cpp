#include "core/formats/kernel/trace_dat/cut_recording.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "core/formats/base/binary.h"

namespace weft::formats::trace_dat {
namespace {

constexpr std::string_view kBegin("\x17\x08\x44tracing7\0", kVersionBytes);
constexpr std::string_view kData("flyrecord\0", 10);
constexpr uint16_t kDone = 0, kBuffer = 3, kCpuCount = 8, kEventFormats = 18;  // options, sections
constexpr uint64_t kSectionHead = 16;

struct Section {
  uint64_t at = 0;
  uint16_t id = 0;
  bool is_compressed = false;
  uint64_t end = 0;  // of what is there
  bool is_whole = false;
};

struct Block {
  uint64_t at = 0, size = 0;
};

class Recording {
 public:
  explicit Recording(std::string_view bytes) : bytes_(bytes) {}

  Result<Remains> remains() {
    if (!take_head()) return fail("is a trace.dat that ends within its head: copy it anew");
    follow_options();
    if (next_options_ == 0) return Remains{.is_whole = true};
    if (!ends_early_) return fail("is a trace.dat whose options have no end");
    if (!has_formats_)
      return fail("is a trace.dat that ends before its events are described: copy it anew");
    std::string options;
    bool is_known = true;
    for (uint64_t at = first_section_;;) {
      const auto section = section_at(at);
      if (!section) break;
      at = section->end;
      if (section->id != kBuffer) continue;
      if (!section->is_compressed && cpus_ != 1)
        return fail(
            "is a trace.dat that ends before the table of its CPUs, without which its data, which "
            "are not compressed, cannot be told apart: copy it anew");
      const std::vector<Block> blocks =
          section->is_compressed ? compressed_blocks(*section) : pages(*section);
      is_known &= section->is_whole && blocks.size() == cpus_;
      if (!blocks.empty()) options += option_of(section->at, blocks);
    }
    if (options.empty())
      return fail("is a trace.dat that ends before the data of its CPUs: copy it anew");
    add_options(options);
    return Remains{.patches = std::move(patches_), .has_all_cpus = is_known};
  }

 private:
  BinaryFields fields_at(uint64_t at) const {
    return BinaryFields(bytes_.substr(static_cast<size_t>(std::min<uint64_t>(at, bytes_.size()))));
  }

  bool take_head() {
    BinaryFields fields = fields_at(kBegin.size());
    is_big_endian_ = fields.little<uint8_t>() != 0;
    fields.bytes(1);  // of a long
    page_bytes_ = fields.number<uint32_t>(is_big_endian_);
    for (int i = 0; i < 2; ++i) fields.bytes(until_zero(fields.rest()).size() + 1);  // compression
    next_options_at_ = kBegin.size() + fields.at();
    next_options_ = fields.number<uint64_t>(is_big_endian_);
    first_section_ = kBegin.size() + fields.at();
    constexpr uint32_t kMostPageBytes = 1 << 20;
    return !fields.has_failed() && std::has_single_bit(page_bytes_) &&
           page_bytes_ <= kMostPageBytes;
  }

  std::optional<Section> section_at(uint64_t at) const {
    BinaryFields fields = fields_at(at);
    Section section{.at = at, .id = fields.number<uint16_t>(is_big_endian_)};
    section.is_compressed = (fields.number<uint16_t>(is_big_endian_) & 1) != 0;
    fields.bytes(4);  // its name
    const auto size = fields.number<uint64_t>(is_big_endian_);
    if (fields.has_failed()) return std::nullopt;
    // The size is written last.
    section.is_whole = size > 0 && size <= fields.rest().size();
    section.end = section.is_whole ? at + kSectionHead + size : bytes_.size();
    return section;
  }

  // To the options that are not there.
  void follow_options() {
    constexpr int kMost = 1024;  // they may go round in circles
    for (int i = 0; i < kMost && next_options_ != 0; ++i) {
      const auto section = section_at(next_options_);
      if (!section || !section->is_whole || section->id != kDone || section->is_compressed) {
        ends_early_ = true;
        return;
      }
      take_options(*section);
    }
  }

  void take_options(const Section& section) {
    next_options_ = 0;
    BinaryFields fields(
        fields_at(section.at + kSectionHead).bytes(section.end - section.at - kSectionHead));
    while (!fields.has_failed() && !fields.rest().empty()) {
      const auto id = fields.number<uint16_t>(is_big_endian_);
      const auto size = fields.number<uint32_t>(is_big_endian_);
      const uint64_t at = section.at + kSectionHead + fields.at();
      BinaryFields value(fields.bytes(size));
      has_formats_ |= id == kEventFormats;
      if (id == kCpuCount) cpus_ = value.number<uint32_t>(is_big_endian_);
      if (id != kDone) continue;
      next_options_at_ = at;
      next_options_ = value.number<uint64_t>(is_big_endian_);
      return;
    }
  }

  uint64_t next_page(uint64_t at) const {
    return (at + page_bytes_ - 1) / page_bytes_ * page_bytes_;
  }

  // A CPU's data that were cut end with their last whole chunk.
  std::vector<Block> compressed_blocks(const Section& section) {
    constexpr uint32_t kMostChunkBytes = 64 << 20;
    std::vector<Block> blocks;
    uint64_t at = next_page(section.at + kSectionHead + kData.size());
    while (at < section.end) {
      BinaryFields fields(fields_at(at).bytes(section.end - at));
      const auto count = fields.number<uint32_t>(is_big_endian_);
      uint32_t whole = 0;
      uint64_t size = fields.at();
      for (; whole < count; ++whole, size = fields.at()) {
        const auto packed = fields.number<uint32_t>(is_big_endian_);
        const auto unpacked = fields.number<uint32_t>(is_big_endian_);
        fields.bytes(packed);
        if (fields.has_failed() || packed == 0 || unpacked > kMostChunkBytes) break;
      }
      if (whole > 0) blocks.push_back({at, size});
      if (whole > 0 && whole < count) patches_.push_back({at, number(whole)});
      if (whole == 0 || whole < count) break;
      at = next_page(at + size);
    }
    return blocks;
  }

  // Of the only CPU.
  std::vector<Block> pages(const Section& section) const {
    const uint64_t at = next_page(section.at + kSectionHead + kData.size());
    const uint64_t size = at < section.end ? (section.end - at) / page_bytes_ * page_bytes_ : 0;
    return size == 0 ? std::vector<Block>() : std::vector<Block>{{at, size}};
  }

  template <class Value>
  std::string number(Value value) const {
    if (is_big_endian_ != (std::endian::native == std::endian::big)) value = std::byteswap(value);
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }

  // Neither the buffer's name nor its clock's is known.
  std::string option_of(uint64_t section, const std::vector<Block>& blocks) const {
    std::string option = number(section) + '\0' + "local" + '\0' + number(page_bytes_) +
                         number(static_cast<uint32_t>(blocks.size()));
    for (uint32_t cpu = 0; const Block& block : blocks)
      option += number(cpu++) + number(block.at) + number(block.size);
    return number(kBuffer) + number(static_cast<uint32_t>(option.size())) + option;
  }

  void add_options(std::string options) {
    options += number(kDone) + number(uint32_t{sizeof(uint64_t)}) + number(uint64_t{0});
    const uint64_t end = bytes_.size();
    patches_.push_back({next_options_at_, number(end)});
    patches_.push_back({end, number(kDone) + number(uint16_t{0}) + number(uint32_t{0}) +
                                 number(uint64_t{options.size()}) + options});
  }

  std::string_view bytes_;
  bool is_big_endian_ = false;
  uint32_t page_bytes_ = 0;
  uint64_t first_section_ = 0;
  uint64_t next_options_ = 0, next_options_at_ = 0;  // and where that is said
  uint32_t cpus_ = 0;
  bool has_formats_ = false;
  bool ends_early_ = false;  // options that are said to be there are not
  std::vector<Patch> patches_;
};

}  // namespace

bool is_version_7(std::string_view recording) { return recording.starts_with(kBegin); }

Result<Remains> remains_of(std::string_view recording) { return Recording(recording).remains(); }

}  // namespace weft::formats::trace_dat
