#include "core/formats/profiles/nettrace/nettrace_labels.h"

#include <fmt/format.h>

#include <span>

#include "core/base/text.h"

namespace weft::formats::nettrace {

Thread take_thread(Cursor& row, uint64_t process) {
  enum : uint8_t { kName = 1, kProcess = 2, kNumber = 3, kKeyValue = 4 };
  Thread thread{.process = process, .number = 0, .name = {}};
  while (!row.is_at_end()) {
    switch (row.little<uint8_t>()) {
      case kName:
        thread.name = valid_utf8(row.utf8());
        break;
      case kProcess:
        thread.process = row.varint();
        break;
      case kNumber:
        thread.number = row.varint();
        break;
      case kKeyValue:
        row.utf8();
        row.utf8();
        break;
      default:
        return thread;  // of a later version, of unknown length
    }
  }
  return thread;
}

bool Labels::take_label(Cursor& cursor, List& list) {
  enum : uint8_t {
    kActivity = 1,
    kRelated = 2,
    kTrace = 3,
    kSpan = 4,
    kText = 5,
    kNumber = 6,
    kOpcode = 7,
    kKeywords = 8,
    kLevel = 9,
    kVersion = 10,
    kLast = 0x80,
  };
  constexpr size_t kTraceBytes = 16;
  const auto kind = cursor.little<uint8_t>();
  const auto add = [&](std::string_view name, std::string value) {
    list.labels.emplace_back(valid_utf8(name), std::move(value));
  };
  switch (kind & (kLast - 1)) {
    case kActivity:
      list.activity = guid_text(cursor.bytes(kGuidBytes));
      break;
    case kRelated:
      list.related = guid_text(cursor.bytes(kGuidBytes));
      break;
    case kTrace:
      add("trace id", hexadecimal(std::as_bytes(std::span(cursor.bytes(kTraceBytes)))));
      break;
    case kSpan:
      add("span id", fmt::format("{:016x}", cursor.little<uint64_t>()));
      break;
    case kText: {
      const std::string_view key = cursor.utf8();
      add(key, valid_utf8(cursor.utf8()));
      break;
    }
    case kNumber: {
      const std::string_view key = cursor.utf8();
      add(key, fmt::format("{}", cursor.zigzag()));
      break;
    }
    case kOpcode:
      add("opcode", fmt::format("{}", cursor.little<uint8_t>()));
      break;
    case kKeywords:
      add("keywords", fmt::format("{:#x}", cursor.little<uint64_t>()));
      break;
    case kLevel:
      add("level", fmt::format("{}", cursor.little<uint8_t>()));
      break;
    case kVersion:
      add("version", fmt::format("{}", cursor.little<uint8_t>()));
      break;
    default:
      cursor.fail();
  }
  return (kind & kLast) != 0;
}

bool Labels::add_block(std::string_view block) {
  Cursor cursor(block);
  auto number = cursor.little<uint32_t>();
  const auto count = cursor.little<uint32_t>();
  for (uint32_t i = 0; i < count && !cursor.is_at_end(); ++i, ++number) {
    List list;
    while (!take_label(cursor, list) && !cursor.has_failed()) {
    }
    if (cursor.has_failed()) return false;
    lists_.insert_or_assign(number, std::move(list));
  }
  return !cursor.has_failed();
}

void Labels::add_to(uint32_t list, Event& event) const {
  const auto it = lists_.find(list);
  if (it == lists_.end()) return;
  event.activity = it->second.activity;
  event.related = it->second.related;
  event.labels = it->second.labels;
}

}  // namespace weft::formats::nettrace
