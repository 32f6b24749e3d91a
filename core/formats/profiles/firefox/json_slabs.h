// JsonSlabs: JSON whose long columns lie beside it as arrays of numbers ("slabs"), as samply and
// the Firefox Profiler write profiles (.jslb). Read here as the JSON that it stands for.
//
//   magic "\xDC\xDF" "JSLB" 1 0 · version 1 · count of slabs · number of the root's slab
//   a slab: type · offset in the file · length                (all numbers of 32 bits,
//   little-endian)
//
// In the text of a slab of JSON, {"$s":7} stands for slab 7. Source: FORMAT.md of json-slabs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/base/whole_input.h"
#include "core/io/source.h"
#include "core/trace/event_sink.h"

namespace weft::formats::firefox {

bool are_json_slabs(std::string_view head);

// The text, made piece by piece as it is read: the slabs are mapped, none is kept. What is wrong
// with one is a loss, and null in its place.
class SlabText final : public io::Source {
 public:
  static Result<std::unique_ptr<SlabText>> open(io::Source& container, trace::EventSink& sink);

  Result<size_t> read(std::span<std::byte> out) override;
  Result<std::span<const std::byte>> peek(size_t n) override;
  uint64_t disk_bytes_read() const override { return container_.disk_bytes_read(); }
  uint64_t disk_bytes_total() const override { return container_.disk_bytes_total(); }
  uint64_t offset() const override { return offset_; }
  const std::filesystem::path& path() const override { return container_.path(); }

 private:
  enum class SlabType : uint32_t {
    kInt8,
    kUint8,
    kInt16,
    kUint16,
    kInt32,
    kUint32,
    kFloat,
    kDouble,
    kInt64,
    kUint64,
    kJson,
  };
  // The free rest of the slab being written.
  struct OpenSlab {
    uint32_t number;
    SlabType type;
    std::string_view bytes;
    bool is_begun = false;
  };

  SlabText(io::Source& container, trace::EventSink& sink, WholeInput input)
      : container_(container), sink_(sink), input_(std::move(input)) {}
  Status make(size_t n);
  void step();
  void enter(uint32_t slab);
  void write_json(OpenSlab& slab);
  void write_numbers(OpenSlab& slab);
  void write_number(SlabType type, std::string_view& bytes);
  std::string_view rest() const { return std::string_view(text_).substr(at_); }

  io::Source& container_;
  trace::EventSink& sink_;
  WholeInput input_;
  std::vector<OpenSlab> open_;  // the innermost last
  std::string text_;            // made, from at_ on not given yet
  size_t at_ = 0;
  uint64_t offset_ = 0;
};

}  // namespace weft::formats::firefox
