// Writes small trace.dat files of versions 6 and 7 for tests.
//
// Source: trace-cmd's manual pages trace-cmd.dat.v6(5) and trace-cmd.dat.v7(5), files that
// trace-cmd wrote, and the kernel's ring buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/core/io/compress.h"

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
    std::string record = number(id) + number(uint16_t{0}) + number(pid) + std::string(fields);
    while (record.size() % 4 != 0) record += '\0';
    std::vector<Page>& pages = cpus_[cpu].pages;
    if (pages.empty() || kPageHeadBytes + pages.back().data.size() + 4 + record.size() > kPageBytes)
      pages.push_back({.begin = time, .last = time});
    Page& page = pages.back();
    const auto words = static_cast<uint32_t>(record.size() / 4);
    page.data += number(words | static_cast<uint32_t>(time - page.last) << 5) + record;
    page.last = time;
  }
  // The formats of trace_printk(), by their addresses: `0x10 : "text"`.
  void set_messages(std::string formats) { messages_ = std::move(formats); }
  // Addresses of functions, as in /proc/kallsyms.
  void set_functions(std::string functions) { functions_ = std::move(functions); }
  // The output of `uname -a` on the traced machine.
  void set_system(std::string name) { system_ = std::move(name); }
  // An option of version 6.
  void add_option(uint16_t id, std::string value) { options_.emplace_back(id, std::move(value)); }
  // The ring buffer of a CPU had no room for some events before its first page.
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
    out += number(static_cast<uint32_t>(functions_.size())) + functions_;
    out += number(static_cast<uint32_t>(messages_.size())) + messages_;
    out += sized("42 cat\n7 make\n");
    out += number(static_cast<uint32_t>(cpus_.size()));
    out += std::string("options  \0", 10);
    constexpr uint16_t kSystem = 5;
    if (!system_.empty()) out += option(kSystem, system_ + '\0');
    for (const auto& [id, value] : options_) out += option(id, value);
    out += number(uint16_t{0}) + std::string("flyrecord\0", 10);
    const size_t table = cpus_.size() * 16;
    size_t at = next_page(out.size() + table);
    std::string pages;
    for (const Cpu& cpu : cpus_) {
      const std::string data = pages_of(cpu);
      out += number(uint64_t{at}) + number(uint64_t{data.size()});
      pages += data;
      at += data.size();
    }
    out.resize(next_page(out.size()), '\0');
    return out + pages;
  }

  // The same of version 7; compressed by zstd, a chunk for each page.
  std::string bytes_7(bool is_compressed) const {
    std::string out("\x17\x08\x44tracing7\0", 12);
    out += '\0';  // little-endian
    out += '\x08';
    out += number(uint32_t{kPageBytes});
    out += is_compressed ? std::string("zstd\0001.5.4\0", 11) : std::string("none\0\0", 6);
    const size_t first_options = out.size();
    out += number(uint64_t{0});
    std::string options;
    const auto add_section = [&](uint16_t id, const std::string& content) {
      options += option(id, number(uint64_t{out.size()}));
      out += section(id, 0, content);
    };
    add_section(16, std::string("header_page\0", 12) + sized(kPageHead) +
                        std::string("header_event\0", 13) + sized("# compressed entry header\n"));
    add_section(17, number(uint32_t{0}));  // ftrace's own events
    std::string formats = number(static_cast<uint32_t>(formats_.size()));
    for (const EventFormat& format : formats_)
      formats += format.system + '\0' + number(uint32_t{1}) + sized(text_of(format));
    add_section(18, formats);
    add_section(19, number(static_cast<uint32_t>(functions_.size())) + functions_);
    add_section(20, number(static_cast<uint32_t>(messages_.size())) + messages_);
    add_section(21, sized("42 cat\n7 make\n"));
    options += option(8, number(static_cast<uint32_t>(cpus_.size())));
    const uint64_t at = out.size();
    out.replace(first_options, sizeof at, number(at));
    constexpr size_t kSectionHead = 16, kOptionHead = 6;
    const uint64_t buffer = at + kSectionHead + options.size() + kOptionHead + sizeof at;
    std::string table = number(buffer) + '\0' + "local" + '\0' + number(uint32_t{kPageBytes}) +
                        number(static_cast<uint32_t>(cpus_.size()));
    std::string data = "flyrecord" + std::string(1, '\0');
    for (uint32_t cpu = 0; cpu < cpus_.size(); ++cpu) {
      const std::string of_cpu = is_compressed ? chunks_of(cpus_[cpu]) : pages_of(cpus_[cpu]);
      const size_t begin = next_page(buffer + kSectionHead + data.size());
      if (!of_cpu.empty()) data.resize(begin - buffer - kSectionHead, '\0');
      table += number(cpu) + number(uint64_t{begin}) + number(uint64_t{of_cpu.size()});
      data += of_cpu;
    }
    const uint64_t last_options = buffer + kSectionHead + data.size();
    out += section(0, 0, options + option(0, number(last_options)));
    out += section(3, is_compressed ? 1 : 0, data);
    out += section(0, 0, option(3, table) + option(0, number(uint64_t{0})));
    return out + section(15, 0, std::string(1, '\0'));  // names of sections
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
  static constexpr size_t kPageHeadBytes = 16;
  struct Page {
    uint64_t begin = 0, last = 0;
    std::string data = {};
  };
  struct Cpu {
    std::vector<Page> pages;
    bool has_missed = false;
  };

  static size_t next_page(size_t at) { return (at + kPageBytes - 1) / kPageBytes * kPageBytes; }
  static std::string pages_of(const Cpu& cpu) {
    constexpr uint64_t kMissed = uint64_t{1} << 31;
    std::string out;
    for (const Page& page : cpu.pages) {
      const bool has_missed = cpu.has_missed && out.empty();
      out += number(page.begin) + number(uint64_t{page.data.size()} | (has_missed ? kMissed : 0)) +
             page.data;
      out.resize(next_page(out.size()), '\0');
    }
    return out;
  }
  static std::string chunks_of(const Cpu& cpu) {
    const std::string pages = pages_of(cpu);
    if (pages.empty()) return {};
    std::string out = number(static_cast<uint32_t>(pages.size() / kPageBytes));
    for (size_t at = 0; at < pages.size(); at += kPageBytes) {
      const std::string chunk = zstd(std::string_view(pages).substr(at, kPageBytes));
      out += number(static_cast<uint32_t>(chunk.size())) + number(uint32_t{kPageBytes}) + chunk;
    }
    return out;
  }
  static std::string section(uint16_t id, uint16_t flags, const std::string& content) {
    return number(id) + number(flags) + number(uint32_t{0}) + number(uint64_t{content.size()}) +
           content;
  }
  static std::string option(uint16_t id, const std::string& value) {
    return number(id) + number(static_cast<uint32_t>(value.size())) + value;
  }

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
  std::vector<std::pair<uint16_t, std::string>> options_;
  std::vector<Cpu> cpus_;
  std::string system_, messages_, functions_;
};

}  // namespace weft::test
