// Writes small CTF traces for tests: one packet a call, little-endian, every field on whole bytes.
//
//   packet: magic, stream | begin, end, content bits, packet bits, events lost, CPU | events
//   event:  id (16 bits), time (64 bits), fields
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weft::test {

// Fields, one behind the other.
class CtfFields {
 public:
  template <class T>
  CtfFields& number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }
  CtfFields& text(std::string_view text) {
    bytes_.append(text);
    bytes_ += '\0';
    return *this;
  }
  // An array of characters of a fixed size.
  CtfFields& text(std::string_view text, size_t size) {
    std::string padded(text);
    padded.resize(size, '\0');
    bytes_ += padded;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class CtfStream {
 public:
  explicit CtfStream(uint32_t stream = 0, uint32_t cpu = 0) : stream_(stream), cpu_(cpu) {}

  CtfStream& event(uint16_t id, uint64_t time, const CtfFields& fields = {}) {
    if (events_.empty()) begin_ = time;
    end_ = time;
    events_ += CtfFields().number(id).number(time).bytes() + fields.bytes();
    return *this;
  }
  // Ends a packet; `lost` are all the events that the tracer has lost so far.
  CtfStream& packet(uint64_t lost = 0) {
    constexpr size_t kHeadBytes = 4 + 4 + 5 * 8 + 4;
    const uint64_t bits = (kHeadBytes + events_.size()) * 8;
    bytes_ += CtfFields()
                  .number(uint32_t{0xC1FC1FC1})
                  .number(stream_)
                  .number(begin_)
                  .number(end_)
                  .number(bits)
                  .number(bits)
                  .number(lost)
                  .number(cpu_)
                  .bytes();
    bytes_ += events_;
    events_.clear();
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  uint32_t stream_, cpu_;
  uint64_t begin_ = 0, end_ = 0;
  std::string events_, bytes_;
};

// The metadata of such streams: the environment's entries, the context's and the events' fields are
// as TSDL writes them.
class CtfMetadata {
 public:
  explicit CtfMetadata(std::string_view environment = {}, std::string_view context = {}) {
    text_ = "/* CTF 1.8 */\n";
    for (const char* bits : {"8", "16", "32", "64"}) {
      for (const char* sign : {"", "u"}) {
        text_ += std::string("typealias integer { size = ") + bits +
                 "; align = 8; signed = " + (*sign == 0 ? "true" : "false") + "; } := " + sign +
                 "int" + bits + "_t;\n";
      }
    }
    text_ +=
        "trace { major = 1; minor = 8; byte_order = le;\n"
        "  packet.header := struct { uint32_t magic; uint32_t stream_id; }; };\n";
    if (!environment.empty()) text_ += "env { " + std::string(environment) + " };\n";
    text_ +=
        "clock { name = clock; freq = 1000000000; offset = 1000; };\n"
        "typealias integer { size = 64; align = 8; signed = false; map = clock.clock.value; } := "
        "time_t;\n"
        "stream { id = 0;\n"
        "  event.header := struct { uint16_t id; time_t timestamp; };\n"
        "  packet.context := struct { time_t timestamp_begin; time_t timestamp_end;\n"
        "    uint64_t content_size; uint64_t packet_size; uint64_t events_discarded;\n"
        "    uint32_t cpu_id; };\n";
    if (!context.empty()) text_ += "  event.context := struct { " + std::string(context) + " };\n";
    text_ += "};\n";
  }
  // `more`: what else is said of the class, "loglevel = 4;".
  CtfMetadata& event(int id, std::string_view name, std::string_view fields,
                     std::string_view more = {}) {
    text_ += "event { name = \"" + std::string(name) + "\"; id = " + std::to_string(id) +
             "; stream_id = 0; " + std::string(more) + " fields := struct { " +
             std::string(fields) + " }; };\n";
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace weft::test
