// The objects of a BLF log: a file header, then objects, most of which lie compressed in containers
// (objects of type 10) and may begin in one and end in the next.
//
// All numbers are little-endian. Source: the descriptions in the libraries python-can, vblf and
// Vector_BLF; there is no public specification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/formats/base/byte_window.h"

namespace weft::formats::blf {

inline constexpr std::string_view kFileMagic = "LOGG", kObjectMagic = "LOBJ";

struct Head {
  // Where the recorder was; as if it were UTC. 0 where it says none.
  Time start;
  std::string recorder;  // "CANoe 11.0"
};

struct Object {
  uint32_t type = 0;
  Duration time;          // since the start
  std::string_view body;  // what is its type's own; valid until the next object
  uint64_t offset = 0;    // in the file: of the object, or of the container that it ends in
};

class ObjectReader {
 public:
  // A container may be as long as `memory_bytes`, unpacked.
  ObjectReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), memory_bytes_(memory_bytes) {}

  // To be asked once, first.
  Head read_head();
  // None at the end. What is damaged is skipped and counted.
  std::optional<Object> next();

 private:
  struct Raw {
    uint32_t type;
    size_t size;
  };
  // What the head of an object says of it; none where there is no object or its size cannot be.
  static std::optional<Raw> raw_of(std::string_view bytes);
  std::optional<Object> object_of(const Raw& raw, std::string_view bytes, uint64_t offset);
  std::optional<Object> next_unpacked();
  std::optional<Object> next_of_file(bool& is_end);
  void open_container(std::string_view bytes);
  void find_object();

  ByteWindow window_;
  trace::EventSink& sink_;
  uint64_t memory_bytes_;
  std::string unpacked_;  // of containers
  size_t at_ = 0;         // in it: what comes next
  uint64_t container_ = 0;
  uint64_t behind_ = 0;  // of the last object of the file, which is to be skipped
};

}  // namespace weft::formats::blf
