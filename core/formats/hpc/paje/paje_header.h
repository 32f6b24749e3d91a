// Parses the header of a Pajé trace, and event lines according to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/by_name.h"

namespace weft::formats::paje {

enum class EventKind : uint8_t {
  kDefineContainerType,
  kDefineStateType,
  kDefineEventType,
  kDefineVariableType,
  kDefineLinkType,
  kDefineEntityValue,
  kCreateContainer,
  kDestroyContainer,
  kNewEvent,
  kSetState,
  kPushState,
  kPopState,
  kResetState,
  kSetVariable,
  kAddVariable,
  kSubVariable,
  kStartLink,
  kEndLink,
  kTraceFile,
  kOther,
};

// Fields that mean something; older headers spell some of them otherwise.
enum class Field : uint8_t {
  kTime,
  kAlias,
  kType,
  kName,
  kContainer,
  kValue,
  kColor,
  kKey,
  kStartContainer,
  kEndContainer,
  kExtra,  // any other: a parameter
};
inline constexpr size_t kFieldCount = static_cast<size_t>(Field::kExtra);

// Maps the words of an event's line to fields.
struct Shape {
  struct Extra {
    std::string name;
    bool is_number;
    uint32_t word;
  };
  static constexpr uint32_t kNone = UINT32_MAX;

  EventKind kind = EventKind::kOther;
  std::array<uint32_t, kFieldCount> words{};  // of each field; kNone: the event does not have it
  std::vector<Extra> extras;
  uint32_t size = 0;

  explicit Shape(EventKind k = EventKind::kOther) : kind(k) { words.fill(kNone); }
  void add(Field field, std::string_view name, bool is_number);
};

// Lines taken apart; views into them and the header. Small, since what a core writes and another
// reads costs by its size.
struct ParsedLines {
  struct Word {
    uint32_t at, size;  // in the line
  };
  struct Entry {
    std::string_view line;
    uint64_t offset = 0;           // in the input
    const Shape* shape = nullptr;  // none: a line of the header, or a wrong one
    const char* wrong = nullptr;
    Time time = {};  // where it has one
    uint32_t first_word = 0;
    bool has_time = false;
    bool has_more = false;  // words that the header does not define
  };
  std::vector<Entry> entries;
  std::vector<Word> words;

  void clear() {
    entries.clear();
    words.clear();
  }
};

// One of them that is an event.
class Event {
 public:
  Event(const ParsedLines& lines, const ParsedLines::Entry& entry)
      : entry_(entry), words_(lines.words.data() + entry.first_word) {}

  EventKind kind() const { return entry_.shape->kind; }
  uint64_t offset() const { return entry_.offset; }
  std::optional<Time> time() const {
    return entry_.has_time ? std::optional(entry_.time) : std::nullopt;
  }
  // Empty if absent.
  std::string_view operator[](Field field) const {
    const uint32_t word = entry_.shape->words[static_cast<size_t>(field)];
    return word == Shape::kNone ? std::string_view() : text_of(word);
  }
  std::span<const Shape::Extra> extras() const { return entry_.shape->extras; }
  std::string_view operator[](const Shape::Extra& extra) const { return text_of(extra.word); }

 private:
  std::string_view text_of(uint32_t word) const {
    return entry_.line.substr(words_[word].at, words_[word].size);
  }

  const ParsedLines::Entry& entry_;
  const ParsedLines::Word* words_;
};

class Header {
 public:
  // Whether a definition has begun that has not ended.
  bool is_open() const { return open_ != nullptr; }
  // A line that begins with '%'. Returns false if it makes no sense.
  bool add_line(std::string_view line);

  // Takes a line apart. From any thread, while no line is added.
  void parse(std::string_view line, uint64_t offset, ParsedLines& lines) const;

 private:
  class Words;
  struct Definition {
    Shape whole;
    Shape short_one;                 // SimGrid's lines have once what its headers say twice
    std::vector<std::string> names;  // of the fields
  };

  // Splits a line into fields; returns what is wrong with it, or null.
  const char* take_apart(std::string_view line, ParsedLines::Entry& entry,
                         std::vector<ParsedLines::Word>& out) const;

  // Numbers of up to two digits, which nearly all events have, stand in a table as they are
  // written: behind "9" come "00", "01", …; nullopt: another.
  static std::optional<size_t> place_of(std::string_view number);
  const Definition* find(std::string_view number) const;

  ByName<Definition> definitions_;  // by what their lines begin with
  std::array<Definition*, 110> by_place_{};
  Definition* open_ = nullptr;
};

// The next word of the line, without its quotes; false at the end.
bool take_word(std::string_view& line, std::string_view& word);

}  // namespace weft::formats::paje
