// The notations of charts that are written line by line, as data: which lines there are, what each
// makes, and what arrows mean. The patterns of all of them name the same groups:
//
//   id, as, order       a participant: what it is called first and second, its place
//   first, last         the participants that a note covers
//   from, to            the ends of a message, with its arrow in left, body and right
//   active              what the message activates or ends
//   kind, text          of sections, marks, titles; what is said
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace weft::formats::charts {

enum class Makes : uint8_t {
  kNothing,
  kUnread,  // what the notation does before it reads lines, such as including files
  kParticipant,
  kCreated,
  kDestroyed,
  kActive,
  kInactive,
  kReturn,
  kAutoActivate,
  kMessage,
  kNote,
  kNoteBeside,  // the last message
  kReference,   // a box
  kSection,
  kBranch,  // ends a section, and begins the next
  kEnd,
  kGroup,
  kEndGroup,
  kMark,
  kGap,
  kTitle,
  kOtherKind,  // no sequence diagram
};

struct LineRule {
  Makes makes;
  std::string_view pattern;  // of the trimmed line, whatever its case
  std::string_view kind = {};
};

// The head of an arrow, by which kind of message it is.
struct ArrowHead {
  std::string_view sign;  // the longer of those that begin alike first
  std::string_view solid;
  std::string_view dotted;
  bool is_lost = false;
};

// Lines from one that matches the first pattern to one that matches the second.
struct Block {
  std::string_view begin;
  std::string_view end;
};

struct Notation {
  std::string_view name;   // "Mermaid"
  std::string_view begin;  // pattern of the line before a chart
  std::string_view end;    // and of the line behind it
  bool has_end;            // whether a chart without that line is incomplete
  bool says_kind;          // whether the first line says that it is a sequence diagram
  std::string_view comment;
  bool has_semicolons;     // that separate statements
  bool name_comes_second;  // "participant ID as NAME"; else "participant NAME as ID"
  bool destroys_next;      // "destroy" is about the next message; else about the last one
  std::span<const Block> blocks;
  std::span<const LineRule> rules;  // the first that matches tells
  std::span<const ArrowHead> heads;
};

extern const Notation kMermaid;
extern const Notation kPlantUml;

}  // namespace weft::formats::charts
