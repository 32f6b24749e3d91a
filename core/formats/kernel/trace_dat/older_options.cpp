#include "core/formats/kernel/trace_dat/older_options.h"

#include <cstdint>
#include <string>

#include "core/formats/base/binary.h"

namespace weft::formats::trace_dat {
namespace {

constexpr std::string_view kMagic("\x17\x08\x44tracing", 10);
constexpr std::string_view kOptions("options  \0", 10);

class OlderRecording {
 public:
  explicit OlderRecording(std::string_view bytes) : fields_(bytes) {}

  std::vector<Patch> patches() {
    if (fields_.bytes(kMagic.size()) != kMagic) return {};
    pass_head();
    pass_formats();
    for (int i = 0; i < 2; ++i) fields_.bytes(number<uint32_t>());  // functions, messages
    fields_.bytes(number<uint64_t>());                              // names of tasks
    number<uint32_t>();                                             // CPUs
    if (fields_.bytes(kOptions.size()) != kOptions) return {};
    return patches_of_options();
  }

 private:
  template <class Value>
  Value number() {
    return fields_.number<Value>(is_big_endian_);
  }
  void pass_text() { fields_.bytes(until_zero(fields_.rest()).size() + 1); }

  void pass_head() {
    pass_text();  // the version
    is_big_endian_ = fields_.little<uint8_t>() != 0;
    fields_.bytes(1 + sizeof(uint32_t));  // of a long, of a page
    for (int i = 0; i < 2; ++i) {         // how pages and records begin
      pass_text();
      fields_.bytes(number<uint64_t>());
    }
  }

  void pass_formats() {
    const auto pass = [&] {
      const auto count = number<uint32_t>();
      for (uint32_t i = 0; i < count && !fields_.has_failed(); ++i)
        fields_.bytes(number<uint64_t>());
    };
    pass();  // ftrace's own
    const auto systems = number<uint32_t>();
    for (uint32_t i = 0; i < systems && !fields_.has_failed(); ++i) {
      pass_text();
      pass();
    }
  }

  std::vector<Patch> patches_of_options() {
    constexpr uint16_t kEnd = 0, kCpuCount = 8;
    const std::string unknown(sizeof(uint16_t), '\xFF');
    std::vector<Patch> patches;
    for (;;) {
      const uint64_t at = fields_.at();
      const auto id = number<uint16_t>();
      if (id == kEnd || fields_.has_failed()) return patches;
      const auto size = number<uint32_t>();
      fields_.bytes(size);
      if (id == kCpuCount && size != sizeof(uint32_t)) patches.push_back({at, unknown});
    }
  }

  BinaryFields fields_;
  bool is_big_endian_ = false;
};

}  // namespace

std::vector<Patch> patches_of_older_options(std::string_view recording) {
  return OlderRecording(recording).patches();
}

}  // namespace weft::formats::trace_dat
