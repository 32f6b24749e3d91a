// Writes small trace.dat files of version 6 for tests: one page a CPU.
//
// Source: trace-cmd's manual page trace-cmd.dat(5), and the kernel's ring buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::test {

class TraceDat {
 public:
  struct Field {
    std::string declaration;  // "int prev_pid", "char comm[16]", "__data_loc char[] name"
    int size;
    bool is_signed = true;
  };
  struct EventFormat {
    std::string system, name;
    uint16_t id;
    std::vector<Field> fields;
    std::string print = R"("")";  // how it is printed
  };

  void add_format(const EventFormat& format) { formats_.push_back(format); }
  // A record: `fields` as they lie behind the common ones.
  void add(size_t cpu, uint64_t time, uint16_t id, int32_t pid, std::string_view fields) {
    if (cpus_.size() <= cpu) cpus_.resize(cpu + 1);
    Cpu& page = cpus_[cpu];
    if (page.data.empty()) page.begin = page.last = time;
    std::string record = number(id) + number(uint16_t{0}) + number(pid) + std::string(fields);
    while (record.size() % 4 != 0) record += '\0';
    const auto words = static_cast<uint32_t>(record.size() / 4);
    page.data += number(words | static_cast<uint32_t>(time - page.last) << 5) + record;
    page.last = time;
  }
  // The formats of trace_printk(), by their addresses: `0x10 : "text"`.
  void set_messages(std::string formats) { messages_ = std::move(formats); }
  // The output of `uname -a` on the traced machine.
  void set_system(std::string name) { system_ = std::move(name); }
  // The ring buffer of a CPU had no room for some events before its page.
  void set_missed(size_t cpu) { cpus_.at(cpu).has_missed = true; }

  std::string bytes() const {
    std::string out("\x17\x08\x44tracing6\0", 12);
    out += '\0';  // little-endian
    out += '\x08';
    out += number(uint32_t{kPageBytes});
    out += std::string("header_page\0", 12) + sized(kPageHead);
    out += std::string("header_event\0", 13) + sized("# compressed entry header\n");
    out += number(uint32_t{0});  // formats of ftrace's own events
    out += number(static_cast<uint32_t>(formats_.size()));
    for (const EventFormat& format : formats_) {
      out += format.system + '\0' + number(uint32_t{1}) + sized(text_of(format));
    }
    out += number(uint32_t{0});  // addresses of functions
    out += number(static_cast<uint32_t>(messages_.size())) + messages_;
    out += sized("42 cat\n7 make\n");
    out += number(static_cast<uint32_t>(cpus_.size()));
    out += std::string("options  \0", 10);
    if (!system_.empty()) {
      constexpr uint16_t kSystem = 5;
      out += number(kSystem) + number(static_cast<uint32_t>(system_.size() + 1)) + system_ + '\0';
    }
    out += number(uint16_t{0}) + std::string("flyrecord\0", 10);
    const size_t table = cpus_.size() * 16;
    size_t at = (out.size() + table + kPageBytes - 1) / kPageBytes * kPageBytes;
    std::string pages;
    for (const Cpu& cpu : cpus_) {
      const bool is_empty = cpu.data.empty();
      out += number(uint64_t{at}) + number(uint64_t{is_empty ? 0 : kPageBytes});
      if (is_empty) continue;
      constexpr uint64_t kMissed = uint64_t{1} << 31;
      std::string page = number(cpu.begin) +
                         number(uint64_t{cpu.data.size()} | (cpu.has_missed ? kMissed : 0)) +
                         cpu.data;
      page.resize(kPageBytes, '\0');
      pages += page;
      at += kPageBytes;
    }
    out.resize((out.size() + kPageBytes - 1) / kPageBytes * kPageBytes, '\0');
    return out + pages;
  }

  template <class T>
  static std::string number(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
  }
  // An array of characters of a fixed size.
  static std::string padded(std::string_view text, size_t size) {
    std::string out(text);
    out.resize(size, '\0');
    return out;
  }

 private:
  static constexpr uint32_t kPageBytes = 4096;
  static constexpr std::string_view kPageHead =
      "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
      "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
      "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
      "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
  struct Cpu {
    uint64_t begin = 0, last = 0;
    bool has_missed = false;
    std::string data;
  };

  static std::string sized(std::string_view text) {
    return number(uint64_t{text.size()}) + std::string(text);
  }
  static std::string text_of(const EventFormat& format) {
    std::string out = "name: " + format.name + "\nID: " + std::to_string(format.id) + "\nformat:\n";
    int offset = 0;
    const auto field = [&](const std::string& declaration, int size, bool is_signed) {
      out += "\tfield:" + declaration + ";\toffset:" + std::to_string(offset) +
             ";\tsize:" + std::to_string(size) + ";\tsigned:" + (is_signed ? "1" : "0") + ";\n";
      offset += size;
    };
    field("unsigned short common_type", 2, false);
    field("unsigned char common_flags", 1, false);
    field("unsigned char common_preempt_count", 1, false);
    field("int common_pid", 4, true);
    out += '\n';
    for (const Field& each : format.fields) field(each.declaration, each.size, each.is_signed);
    return out + "\nprint fmt: " + format.print + '\n';
  }

  std::vector<EventFormat> formats_;
  std::vector<Cpu> cpus_;
  std::string system_, messages_;
};

}  // namespace weft::test
