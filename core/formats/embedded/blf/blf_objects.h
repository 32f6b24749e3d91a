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
  // Start in the recorder's local time, as if UTC; 0 if not given.
  Time start;
  std::string recorder;  // "CANoe 11.0"
};

struct Object {
  uint32_t type = 0;
  Duration time;          // since the start
  std::string_view body;  // type-specific content; valid until the next object
  uint64_t offset = 0;    // in the file, of the object or of the container in which it ends
};

class ObjectReader {
 public:
  // `memory_bytes` limits the unpacked size of a container.
  ObjectReader(io::Source& source, trace::EventSink& sink, uint64_t memory_bytes)
      : window_(source, sink), sink_(sink), memory_bytes_(memory_bytes) {}

  // Call once, first.
  Head read_head();
  // Returns the next object; nullopt at the end. Damaged ones are skipped and counted.
  std::optional<Object> next();

 private:
  struct Raw {
    uint32_t type;
    size_t size;
  };
  // Parses the head of an object; nullopt if there is none or its size is impossible.
  static std::optional<Raw> raw_of(std::string_view bytes);
  std::optional<Object> object_of(const Raw& raw, std::string_view bytes, uint64_t offset);
  std::optional<Object> next_unpacked();
  std::optional<Object> next_of_file(bool& is_end);
  void open_container(std::string_view bytes);
  void find_object();

  ByteWindow window_;
  trace::EventSink& sink_;
  uint64_t memory_bytes_;
  std::string unpacked_;  // content of containers
  size_t at_ = 0;         // position in unpacked_
  uint64_t container_ = 0;
  uint64_t behind_ = 0;  // padding after the file's last object, to skip
};

}  // namespace weft::formats::blf
