// The meaning of a capture's ids: texts, stacks, code at addresses, functions, threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/formats/profiles/orbit/orbit_message.h"
#include "core/formats/stacks/held_stacks.h"

namespace weft::formats::orbit {

class Names final : public stacks::StackNames {
 public:
  // Limits the addresses in stacks; those beyond are left out, which `has_left_out` reports once.
  explicit Names(uint64_t most_bytes) : left_(most_bytes / sizeof(uint64_t)) {}

  bool has_left_out() { return std::exchange(has_left_out_, false); }
  void add_text(const Message& message);
  void add_address(const Message& message);
  void add_function(const Message& message);  // that was instrumented
  // Returns false if what the message holds is damaged.
  bool add_stack(const Message& message);
  bool add_tracepoint(const Message& message);
  void add_module(const Message& module);
  // Returns true if it has another one now.
  bool set_thread(uint32_t pid, uint32_t tid, std::string_view name);

  // Returns an empty text if it is not known.
  std::string text(uint64_t key) const;
  std::string function(uint64_t id) const;
  std::pair<std::string, std::string> tracepoint(uint64_t key) const;  // category and name
  std::string thread(uint32_t tid) const;
  // The process of a thread, where something said it; else `otherwise`.
  uint32_t process_of(uint32_t tid, uint32_t otherwise) const;
  void set_process(uint32_t tid, uint32_t pid) { processes_.insert_or_assign(tid, pid); }

  std::vector<std::string> names_of(uint64_t process, uint64_t stack) const override;

 private:
  struct Stack {
    std::vector<uint64_t> addresses;  // the innermost first
    uint64_t kind = 0;                // 0: it is whole
  };
  struct Address {
    uint64_t function = 0, module = 0;  // texts
  };
  struct Module {
    uint64_t end = 0;
    std::string name;
  };
  std::string name_at(uint64_t address) const;

  uint64_t left_;  // addresses that still may be kept
  bool has_left_out_ = false;
  std::unordered_map<uint64_t, std::string> texts_, functions_;
  std::unordered_map<uint64_t, Stack> stacks_;
  std::unordered_map<uint64_t, Address> addresses_;
  std::unordered_map<uint64_t, std::pair<std::string, std::string>> tracepoints_;
  std::unordered_map<uint32_t, std::string> threads_;
  std::unordered_map<uint32_t, uint32_t> processes_;  // by thread
  std::map<uint64_t, Module> modules_;
};

}  // namespace weft::formats::orbit
