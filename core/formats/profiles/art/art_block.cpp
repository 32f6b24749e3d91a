#include "core/formats/profiles/art/art_block.h"

#include "core/formats/base/binary.h"

namespace weft::formats::art {
namespace {

constexpr uint64_t kActionMask = 3;

Action action_from(uint64_t bits) { return static_cast<Action>(bits & kActionMask); }

// Running sums of the records.
struct Sums {
  uint64_t method = 0, time = 0, cpu = 0;
};

// Adds the next number to the sum; false where there is none.
bool add_next(std::string_view& bytes, uint64_t& sum, bool is_signed) {
  const auto number = take_varint(bytes, is_signed);
  if (number) sum += *number;
  return number.has_value();
}

bool take_method_first(std::string_view& bytes, bool is_dual, Sums& sums, BlockRecord& record) {
  if (!add_next(bytes, sums.method, true) || !add_next(bytes, sums.time, false)) return false;
  if (is_dual && !add_next(bytes, sums.cpu, false)) return false;
  record.action = action_from(sums.method);
  record.method = sums.method & ~kActionMask;
  record.ticks = sums.time;
  return true;
}

bool take_time_first(std::string_view& bytes, uint32_t action_bits, bool is_dual, Sums& sums,
                     BlockRecord& record) {
  if (!add_next(bytes, sums.time, true)) return false;
  if (is_dual && !add_next(bytes, sums.cpu, true)) return false;
  record.action = action_from(sums.time & ((1U << action_bits) - 1));
  record.method = kInnermost;
  record.ticks = sums.time >> action_bits;
  if (record.action != Action::kEnter) return true;
  if (!add_next(bytes, sums.method, true)) return false;
  record.method = sums.method;
  return true;
}

bool take_record(std::string_view& bytes, BlockLayout layout, bool is_dual, Sums& sums,
                 BlockRecord& record) {
  switch (layout) {
    case BlockLayout::kMethodFirst:
      return take_method_first(bytes, is_dual, sums, record);
    case BlockLayout::kTimeFirst:
      return take_time_first(bytes, 2, is_dual, sums, record);
    case BlockLayout::kLongRunning:
      return take_time_first(bytes, 1, false, sums, record);
  }
  return false;
}

// How much speaks for a layout: the size, the actions, the order of time, the methods.
int likelihood(std::string_view bytes, const BlockHeader& header, bool is_dual, const Calls& calls,
               BlockLayout layout) {
  std::vector<BlockRecord> records;
  const bool is_whole = records_of(bytes, layout, is_dual, records) == bytes.size();
  // The writer counts the records of blocks before it, too, where a thread's did not fit into one.
  int points = is_whole && records.size() <= header.records ? 4 : 0;
  if (is_whole && records.size() == header.records) points += 2;
  size_t enters = 0, known = 0;
  bool is_in_order = true, has_actions = true;
  for (size_t i = 0; i < records.size(); ++i) {
    const BlockRecord& each = records[i];
    has_actions = has_actions && each.action != Action::kNone;
    is_in_order = is_in_order && (i == 0 || records[i - 1].ticks <= each.ticks);
    if (each.method == kInnermost) continue;
    ++enters;
    if (calls.knows(each.method)) ++known;
  }
  if (has_actions) points += 2;
  if (is_in_order) points += 1;
  if (enters > 0 && 2 * known >= enters) points += 4;
  return points;
}

}  // namespace

BlockHeader block_header_from(std::string_view bytes) {
  bytes.remove_prefix(1);
  BlockHeader header{};
  header.thread = take_little<uint32_t>(bytes).value_or(0);
  header.records = take_little<uint16_t>(bytes).value_or(0);
  constexpr uint32_t kLowBits = 16;
  header.records |= static_cast<uint32_t>(take_little<uint8_t>(bytes).value_or(0)) << kLowBits;
  header.bytes = take_little<uint32_t>(bytes).value_or(0);
  return header;
}

size_t records_of(std::string_view bytes, BlockLayout layout, bool is_dual,
                  std::vector<BlockRecord>& records) {
  records.clear();
  const size_t size = bytes.size();
  Sums sums;
  while (!bytes.empty()) {
    const std::string_view before = bytes;
    BlockRecord record{};
    record.at = size - bytes.size();
    if (!take_record(bytes, layout, is_dual, sums, record)) return size - before.size();
    if (is_dual) record.cpu = sums.cpu;
    records.push_back(record);
  }
  return size;
}

BlockLayout layout_of(std::string_view bytes, const BlockHeader& header, bool is_dual,
                      const Calls& calls) {
  const int method = likelihood(bytes, header, is_dual, calls, BlockLayout::kMethodFirst);
  const int time = likelihood(bytes, header, is_dual, calls, BlockLayout::kTimeFirst);
  return time > method ? BlockLayout::kTimeFirst : BlockLayout::kMethodFirst;
}

}  // namespace weft::formats::art
