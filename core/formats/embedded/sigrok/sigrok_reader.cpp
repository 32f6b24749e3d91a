#include "core/formats/embedded/sigrok/sigrok_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/saturating.h"
#include "core/base/text.h"
#include "core/base/time.h"
#include "core/formats/base/binary.h"
#include "core/formats/base/byte_window.h"
#include "core/formats/base/text.h"
#include "core/formats/base/text_lines.h"
#include "core/formats/embedded/sigrok/sigrok_rate.h"
#include "core/formats/embedded/vcd/vcd_signals.h"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kMostProbes = 512;
constexpr size_t kBlockBytes = 4096;

bool is_metadata(std::string_view text) {
  return text.starts_with("[global]") && text.find("sigrok version") != std::string_view::npos;
}

// The first device in `metadata`.
struct Device {
  std::string capture = "logic-1";  // how the names of its logic's files begin
  uint64_t rate = 0;                // in Hz; 0: not said
  uint32_t unit_bytes = 1;
  std::map<uint32_t, std::string> probes;    // by their bit
  std::map<uint32_t, std::string> channels;  // analog, by their number
};

// "probe12": 12, of "probe".
std::optional<uint32_t> number_behind(std::string_view key, std::string_view word) {
  if (!key.starts_with(word)) return std::nullopt;
  return parse_number<uint32_t>(key.substr(word.size()));
}

Device device_of(io::Source& metadata, trace::EventSink& sink) {
  Device device;
  std::string section;
  for_each_line(metadata, sink, [&](const io::Line& line) {
    const std::string_view text = trimmed(line.text);
    if (text.starts_with('[')) return void(section = text);
    const size_t equals = std::min(text.find('='), text.size());
    const std::string_view key = trimmed(text.substr(0, equals));
    const std::string_view value = trimmed(text.substr(std::min(equals + 1, text.size())));
    if (section == "[global]") return sink.set_metadata(valid_utf8(key), valid_utf8(value));
    if (section != "[device 1]") return;
    if (key == "capturefile") device.capture = value;
    if (key == "samplerate") device.rate = sigrok::rate_of(value);
    if (key == "unitsize") device.unit_bytes = parse_number<uint32_t>(value).value_or(0);
    const auto probe = number_behind(key, "probe");
    if (probe && *probe > 0 && *probe <= kMostProbes) device.probes[*probe - 1] = value;
    if (const auto channel = number_behind(key, "analog")) device.channels[*channel] = value;
  });
  return device;
}

// How far bytes go on as they did `period` bytes before.
size_t end_of_repetition(std::string_view bytes, size_t at, size_t period) {
  const auto word = [&](size_t place) {
    uint64_t read;
    std::memcpy(&read, bytes.data() + place, sizeof read);
    return read;
  };
  while (at + sizeof(uint64_t) <= bytes.size() && word(at) == word(at - period))
    at += sizeof(uint64_t);
  while (at < bytes.size() && bytes[at] == bytes[at - period]) ++at;
  return at;
}

class SigrokReader {
 public:
  SigrokReader(const io::Source& folder, fs::path below, Device device, trace::EventSink& sink)
      : folder_(folder),
        below_(std::move(below)),
        device_(std::move(device)),
        sink_(sink),
        signals_(sink) {}

  void read() {
    ticks_ = device_.rate > kNsPerSecond ? 1000 * kNsPerSecond : kNsPerSecond;
    sink_.set_time_base(device_.rate == 0             ? TimeBase::kTicks
                        : device_.rate > kNsPerSecond ? TimeBase::kPicoseconds
                                                      : TimeBase::kNanoseconds);
    using Shape = vcd::Signals::Shape;
    for (const auto& [bit, name] : device_.probes) {
      signals_.declare(fmt::format("D{}", bit), name, Shape::kBit);
      codes_.emplace_back(bit, fmt::format("D{}", bit));
    }
    for (const auto& [number, name] : device_.channels)
      signals_.declare(fmt::format("A{}", number), name, Shape::kNumber);
    read_logic();
    for (const auto& [number, name] : device_.channels) read_analog(number);
    signals_.finish(time_of(length_));
  }

 private:
  // "logic-1-1", "logic-1-2", …, or "logic-1" itself; in the order of their numbers.
  std::vector<std::string> files_of(const std::string& stem) const {
    std::map<uint64_t, std::string> files;
    for (const io::FolderFile& file : folder_.files()) {
      const fs::path path(file.name);
      const std::string name = path.filename().string();
      if (path.parent_path() != below_ || !name.starts_with(stem)) continue;
      std::string_view rest = std::string_view(name).substr(stem.size());
      const bool is_chunk = rest.starts_with('-');
      const auto number = is_chunk ? parse_number<uint64_t>(rest.substr(1)) : std::nullopt;
      if (rest.empty()) files.emplace(0, file.name);
      if (number) files.emplace(*number, file.name);
    }
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const auto& [number, name] : files) names.push_back(name);
    return names;
  }

  // Calls add(bytes of some samples, the number of the first) for all of the files that begin so.
  template <class Add>
  void for_each_block(const std::string& stem, uint32_t bytes, const Add& add) {
    uint64_t at = 0;
    for (const std::string& name : files_of(stem)) {
      auto source = folder_.open_raw_file(name);
      if (!source) {
        sink_.loss(fmt::format("file of samples: {}", source.error().message),
                   trace::LossPlace::nowhere());
        continue;
      }
      ByteWindow window(**source, sink_);
      while (window.is_wanted()) {
        const std::string_view block = window.peek_most(kBlockBytes);
        const size_t whole = block.size() / bytes * bytes;
        if (whole == 0) break;
        add(block.substr(0, whole), at);
        at += whole / bytes;
        window.skip(whole);
      }
      window.finish("a sample");
      if (!sink_.keep_going()) break;
    }
    length_ = std::max(length_, at);
  }

  void read_logic() {
    constexpr uint32_t kMostBytes = kMostProbes / 8;
    if (device_.probes.empty()) return;
    if (device_.unit_bytes == 0 || device_.unit_bytes > kMostBytes)
      return sink_.loss("samples of an unknown size", trace::LossPlace::nowhere());
    const size_t bytes = device_.unit_bytes;
    std::string last;
    for_each_block(device_.capture, device_.unit_bytes,
                   [&](std::string_view block, uint64_t first) {
                     for (size_t at = 0; at < block.size();) {
                       const std::string_view sample = block.substr(at, bytes);
                       if (sample != last) change(last, sample, first + at / bytes);
                       at = end_of_repetition(block, at + bytes, bytes) / bytes * bytes;
                     }
                   });
  }

  void change(std::string& last, std::string_view sample, uint64_t at) {
    const Time time = time_of(at);
    const auto is_high = [](std::string_view levels, uint32_t bit) {
      return bit / 8 < levels.size() && (static_cast<uint8_t>(levels[bit / 8]) >> bit % 8 & 1) != 0;
    };
    for (const auto& [bit, code] : codes_) {
      const bool is_now_high = is_high(sample, bit);
      if (is_now_high == is_high(last, bit) && !last.empty()) continue;
      signals_.set_bits(code, is_now_high ? "1" : "0", time, at);
    }
    last = sample;
  }

  void read_analog(uint32_t channel) {
    const std::string code = fmt::format("A{}", channel);
    std::optional<float> last;
    const auto add = [&](std::string_view sample, uint64_t at) {
      const auto value = std::bit_cast<float>(take_little<uint32_t>(sample).value_or(0));
      if (value == last || std::isnan(value)) return;
      last = value;
      signals_.set_real(code, static_cast<double>(value), time_of(at), at);
    };
    for_each_block(fmt::format("analog-1-{}", channel), sizeof(float),
                   [&](std::string_view block, uint64_t at) {
                     for (size_t i = 0; i < block.size(); i += sizeof(float))
                       add(block.substr(i, sizeof(float)), at++);
                   });
  }

  Time time_of(uint64_t sample) const {
    if (device_.rate == 0) return {static_cast<int64_t>(sample)};
    return {saturating_scale(sample, ticks_, device_.rate)};
  }

  const io::Source& folder_;
  fs::path below_;  // of it: where the files are
  Device device_;
  trace::EventSink& sink_;
  vcd::Signals signals_;
  std::vector<std::pair<uint32_t, std::string>> codes_;  // of probes, with their bits
  uint64_t ticks_ = 1;                                   // a second
  uint64_t length_ = 0;                                  // in samples
};

// The `metadata` of sigrok in the folder; nothing where none is, or several are.
std::optional<std::string> metadata_in(const io::Source& folder) {
  std::optional<std::string> found;
  constexpr size_t kHeadBytes = 256;
  for (const io::FolderFile& file : folder.files()) {
    if (fs::path(file.name).filename() != "metadata") continue;
    const auto source = folder.open_file(file.name);
    const auto head = source ? (*source)->peek(kHeadBytes) : fail("is not there");
    if (!head || !is_metadata(as_chars(*head))) continue;
    if (found) return std::nullopt;
    found = file.name;
  }
  return found;
}

}  // namespace

int sniff_sigrok(std::span<const std::byte> head) { return is_metadata(as_chars(head)) ? 100 : 0; }

int sniff_sigrok_folder(const io::Source& folder) { return metadata_in(folder) ? 100 : 0; }

Status read_sigrok(io::Source& source, trace::EventSink& sink, const ReadContext&) {
  const auto name = metadata_in(source);
  if (!name) return fail("holds no `metadata` of sigrok, or several");
  WEFT_TRY_ASSIGN(const auto metadata, source.open_file(*name));
  SigrokReader(source, fs::path(*name).parent_path(), device_of(*metadata, sink), sink).read();
  return {};
}

}  // namespace weft::formats
