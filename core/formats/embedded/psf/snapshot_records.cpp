#include "core/formats/embedded/psf/snapshot_records.h"

#include <array>
#include <optional>
#include <utility>

#include "core/formats/embedded/psf/session.h"

namespace weft::formats::psf {
namespace {

using enum SnapshotClass;
using enum RecordShape;

using Kinds = std::array<RecordKind, 256>;

// Operations come in groups of eight, one for each of these; 0: there is no such event.
struct RecordGroup {
  uint8_t first;
  RecordShape shape;
  std::array<uint8_t, 6> events;
};
// Classes of objects that are created and deleted; others have no slot for tasks, but one for items
// sent to the front of a queue.
constexpr std::array<SnapshotClass, 6> kMadeObjects = {kQueue, kSemaphore,    kMutex,
                                                       kTask,  kStreamBuffer, kMessageBuffer};
constexpr std::array<SnapshotClass, 6> kUsedObjects = {kQueue,        kSemaphore,     kMutex,
                                                       kStreamBuffer, kMessageBuffer, kQueue};
constexpr RecordGroup kMade[] = {{0x18, kHandle, {0x11, 0x12, 0x13, 0x10, 0x18, 0x19}},
                                 {0x40, kParam, {0x41, 0x42, 0x43, 0x40, 0x49, 0x4A}},
                                 {0x80, kHandle, {0x21, 0x22, 0x23, 0x20, 0x28, 0x29}}};
constexpr RecordGroup kUsed[] = {{0x20, kHandle, {0x50, 0x51, 0x52, 0xD3, 0xDE, 0xC0}},
                                 {0x28, kHandle, {0x60, 0x61, 0x62, 0xD6, 0xE1, 0}},
                                 {0x30, kHandle, {0x59, 0x5A, 0x52, 0xD9, 0xE4, 0xC3}},
                                 {0x38, kHandle, {0x69, 0x6A, 0x62, 0xDB, 0xE6, 0}},
                                 {0x48, kHandle, {0x53, 0x54, 0x55, 0xD5, 0xE0, 0xC1}},
                                 {0x50, kHandle, {0x63, 0x64, 0x65, 0xD8, 0xE3, 0}},
                                 {0x58, kHandle, {0x5C, 0x5D, 0x55, 0xDA, 0xE5, 0xC4}},
                                 {0x60, kHandle, {0x6C, 0x6D, 0x65, 0xDC, 0xE7, 0}},
                                 {0x68, kHandle, {0x66, 0x67, 0x68, 0xD7, 0xE2, 0}},
                                 {0x70, kHandle, {0x56, 0x57, 0x58, 0xD4, 0xDF, 0xC2}},
                                 {0x78, kHandle, {0x70, 0x71, 0x72, 0, 0, 0}},
                                 {0xDC, kHandle, {0x76, 0x77, 0x78, 0, 0, 0}},
                                 {0xDF, kHandle, {0x73, 0x74, 0x75, 0, 0, 0}}};

// Others that follow each other.
struct RecordRun {
  uint8_t first;
  RecordShape shape;
  SnapshotClass object;
  std::array<uint8_t, 9> events;  // up to the first 0
};
constexpr RecordRun kRuns[] = {
    {0x02, kHandle, kTask, {0x30}},
    {0x03, kParam, {}, {0x31}},
    {0x04, kHandle, kInterrupt, {0x33, 0x34}},
    {0x06, kHandle, kTask, {0x35, 0x36}},
    {0x88, kParam, {}, {0x79, 0x7A}},
    {0x8A, kHandle, kTask, {0x7B, 0x7C, 0x7D}},
    {0x8D, kHandleParam, kTask, {0x04, 0x05, 0x06}},
    {0x90, kTime, {}, {0x80, 0x81, 0x82, 0x83}},
    {0x94, kSize, {}, {0x38}},
    {0x96, kSize, {}, {0x39}},
    {0xAC, kTime, {}, {0x3A, 0x3B}},
    {0xB0, kHandle, kTimer, {0x14}},
    {0xB1, kHandleParam, kTimer, {0xA0, 0xA1, 0xA2, 0xA3}},
    {0xB5, kHandle, kTimer, {0x24}},
    {0xB6, kHandleParam, kTimer, {0xA4, 0xA5, 0xA6}},
    {0xB9, kParam, {}, {0x44}},
    {0xBA, kHandleParam, kTimer, {0xA8, 0xA9, 0xAA, 0xAB, 0x48, 0xAC, 0xAD, 0xAE}},
    {0xC2, kHandle, kEventGroup, {0x15}},
    {0xC3, kParam, {}, {0x45}},
    {0xC4, kHandleParam, kEventGroup, {0xB6, 0xB0, 0xB7, 0xB1, 0xB2, 0xB3, 0xB4}},
    {0xCB, kHandle, kEventGroup, {0x25}},
    {0xCC, kHandleParam, kEventGroup, {0xB8, 0xB9, 0xB5, 0xB5}},
    {0xD2, kHandle, kTask, {0xC9}},
    {0xD3, kHandleParam, kTask, {0xCA, 0xCB, 0xCC, 0xCA, 0xCB, 0xCC}},
    {0xD9, kHandle, kTask, {0xCD, 0xCD}},
    {0xDB, kHandle, kTimer, {0xD2}},
    {0xE2, kHandle, kStreamBuffer, {0xDD}},
    {0xE3, kHandle, kMessageBuffer, {0xE8}},
    {0xE8, kSize, {}, {0xE9}},
    {0xEA, kHandleParam, kTask, {0xEB}},
};

constexpr Kinds all_kinds() {
  Kinds kinds{};
  const auto take = [&kinds](const RecordGroup& group, const auto& objects) {
    for (size_t i = 0; i < objects.size(); ++i) {
      if (group.events[i] != 0) kinds[group.first + i] = {group.shape, objects[i], group.events[i]};
    }
  };
  for (const RecordGroup& group : kMade) take(group, kMadeObjects);
  for (const RecordGroup& group : kUsed) take(group, kUsedObjects);
  for (const RecordRun& run : kRuns) {
    for (size_t i = 0; i < run.events.size() && run.events[i] != 0; ++i)
      kinds[run.first + i] = {run.shape, run.object, run.events[i]};
  }
  for (uint8_t i = 0; i < 7; ++i) {
    kinds[0x08 + i] = {kName, static_cast<SnapshotClass>(i)};
    kinds[0x10 + i] = {kProperty, static_cast<SnapshotClass>(i)};
  }
  constexpr size_t kMostPrint = 16;
  for (size_t i = 0; i < kMostPrint; ++i) kinds[0x98 + i] = {kPrint};
  kinds[0x00] = kinds[0xAA] = kinds[0xAB] = {kNothing};  // also one that was being written
  kinds[0x01] = {kMoreParam};
  kinds[0x95] = kinds[0x97] = kinds[0xE9] = {kAddress};
  kinds[0xA8] = {kMoreTime8};
  kinds[0xA9] = {kMoreTime16};
  kinds[0xAE] = {kMoreHandle};
  kinds[0xD0] = kinds[0xD1] = {kFinished};
  kinds[0xE4] = {kName, kStreamBuffer};
  kinds[0xE5] = {kName, kMessageBuffer};
  kinds[0xE6] = {kProperty, kStreamBuffer};
  kinds[0xE7] = {kProperty, kMessageBuffer};
  return kinds;
}
constexpr Kinds kKinds = all_kinds();
constexpr uint8_t kFirstPrint = 0x98;
constexpr size_t kRecordBytes = 4;

class RecordReader {
 public:
  RecordReader(std::string_view buffer, bool is_big, uint64_t offset)
      : buffer_(buffer), layout_{.is_big = is_big}, offset_(offset) {}

  void read(size_t begin, size_t end) {
    for (size_t i = begin; i < end;) i += take(i, end - i);
  }
  Records done() { return std::move(out_); }

 private:
  uint32_t byte(size_t at) const { return static_cast<uint8_t>(buffer_[at]); }
  uint32_t half(size_t at) const { return static_cast<uint32_t>(layout_.number(buffer_, at, 2)); }

  // How many records one is, of those that are left.
  size_t take(size_t index, size_t left) {
    const size_t at = index * kRecordBytes;
    Record record;
    record.code = static_cast<uint8_t>(buffer_[at]);
    record.kind = kind_of_record(record.code);
    record.offset = offset_ + at;
    switch (record.kind.shape) {
      case kUnknown:
        if (out_.unknown++ == 0) out_.first_unknown = record.offset;
        return 1;
      case kMoreTime8:
        more_time_ = byte(at + 1) << 24 | half(at + 2) << 8;
        return 1;
      case kMoreTime16:
        more_time_ = half(at + 2) << 16;
        return 1;
      case kMoreParam:
        more_param_ = byte(at + 1) << 8 | half(at + 2) << 16;
        return 1;
      case kMoreHandle:
        more_handle_ = half(at + 2);
        return 1;
      case kAddress:
        if (!out_.all.empty() && out_.all.back().kind.shape == kSize)
          out_.all.back().address = take_more_param() | byte(at + 1) << 16 | half(at + 2);
        return 1;
      case kNothing:
        return 1;
      default:
        break;
    }
    const size_t more = record.kind.shape == kPrint ? record.code - kFirstPrint : 0u;
    if (more >= left) return left;  // its end was overwritten
    take_fields(record, at);
    record.arguments = buffer_.substr(at + kRecordBytes, more * kRecordBytes);
    out_.all.push_back(record);
    return 1 + more;
  }

  void take_fields(Record& record, size_t at) {
    const RecordShape shape = record.kind.shape;
    const bool has_handle = shape == kHandle || shape == kHandleParam || shape == kName;
    const bool has_half = shape == kParam || shape == kSize || shape == kName || shape == kPrint;
    if (has_handle) {
      const auto more = std::exchange(more_handle_, std::nullopt);
      record.handle = more.value_or(byte(at + 1));
    }
    if (has_half) record.param = half(at + 2);
    if (shape == kHandleParam) record.param = byte(at + 2);
    if (shape == kProperty) record.param = byte(at + 1);
    if (shape == kHandleParam || shape == kParam || shape == kSize)
      record.param |= take_more_param();
    if (shape == kTime || shape == kHandle) pass(half(at + 2));
    if (shape == kHandleParam || shape == kFinished) pass(byte(at + 3));
    if (shape == kParam || shape == kSize || shape == kPrint) pass(byte(at + 1));
    record.time = time_;
  }

  void pass(uint32_t ticks) { time_ += ticks | std::exchange(more_time_, 0); }
  uint32_t take_more_param() { return std::exchange(more_param_, 0); }

  std::string_view buffer_;
  Layout layout_;
  uint64_t offset_;
  uint64_t time_ = 0;
  uint32_t more_time_ = 0, more_param_ = 0;
  std::optional<uint32_t> more_handle_;
  Records out_;
};

}  // namespace

RecordKind kind_of_record(uint8_t code) { return kKinds[code]; }

Records records_of(std::string_view buffer, size_t first, bool is_big, uint64_t offset) {
  const size_t count = buffer.size() / kRecordBytes;
  RecordReader reader(buffer, is_big, offset);
  reader.read(first, count);
  reader.read(0, first);
  return reader.done();
}

}  // namespace weft::formats::psf
