#include "core/formats/profiles/orbit/orbit_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::orbit {
namespace {

constexpr size_t kMostDepth = 4096;

// Names the reason why a stack is incomplete (CallstackType); 0: it is complete.
std::string_view broken_name(uint64_t kind) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"", "(unwinding by DWARF failed)", "(unwinding by frame pointers failed)", "(in uprobes)",
       "(stack could not be patched)", "(stack copy too small for DWARF)",
       "(unwinding by DWARF failed at the copy's end)", "(in instrumentation)"});
  return kind < kNames.size() ? kNames[static_cast<size_t>(kind)] : "(stack of an unknown kind)";
}

}  // namespace

std::string encoded_text(const Message& message, uint32_t first) {
  constexpr uint32_t kFields = 8, kBytes = 8, kByteBits = 8;
  std::string text;
  const auto add = [&text](uint64_t value) {
    for (uint32_t i = 0; i < kBytes; ++i)
      text += static_cast<char>(value >> (i * kByteBits) & UINT8_MAX);
  };
  for (uint32_t i = 0; i < kFields; ++i) add(message.number(first + i));
  message.for_each(first + kFields,
                   [&add](const Field& field) { perfetto::for_each_fixed64(field, add); });
  text.resize(std::min(text.find('\0'), text.size()));
  return valid_utf8(text);
}

void Names::add_text(const Message& message) {
  texts_.insert_or_assign(message.number(1), valid_utf8(message.text(2)));
}

bool Names::add_stack(const Message& message) {
  const Message inner(message.text(2));
  Stack stack{.addresses = {}, .kind = inner.number(2)};
  bool is_good = inner.is_whole();
  inner.for_each(1, [&](const Field& field) {
    is_good &= perfetto::for_each_number(field, [&](uint64_t address) {
      if (left_ == 0 || stack.addresses.size() == kMostDepth) {
        has_left_out_ = true;
      } else {
        stack.addresses.push_back(address);
        --left_;
      }
    });
  });
  stacks_.insert_or_assign(message.number(1), std::move(stack));
  return is_good;
}

void Names::add_address(const Message& message) {
  addresses_.insert_or_assign(message.number(1), Address{message.number(3), message.number(4)});
}

bool Names::add_tracepoint(const Message& message) {
  const Message inner(message.text(2));
  tracepoints_.insert_or_assign(message.number(1),
                                std::pair(valid_utf8(inner.text(1)), valid_utf8(inner.text(2))));
  return inner.is_whole();
}

void Names::add_function(const Message& message) {
  functions_.insert_or_assign(message.number(3), valid_utf8(message.text(5)));
}

void Names::add_module(const Message& module) {
  modules_.insert_or_assign(module.number(4), Module{module.number(5), valid_utf8(module.text(1))});
}

bool Names::set_thread(uint32_t pid, uint32_t tid, std::string_view name) {
  if (pid != 0) set_process(tid, pid);
  std::string& known = threads_[tid];
  std::string text = valid_utf8(name);
  if (known == text) return false;
  known = std::move(text);
  return true;
}

std::string Names::text(uint64_t key) const {
  const auto it = texts_.find(key);
  return it != texts_.end() ? it->second : std::string();
}

std::string Names::function(uint64_t id) const {
  const auto it = functions_.find(id);
  return it != functions_.end() && !it->second.empty() ? it->second
                                                       : fmt::format("function {}", id);
}

std::pair<std::string, std::string> Names::tracepoint(uint64_t key) const {
  const auto it = tracepoints_.find(key);
  return it != tracepoints_.end() ? it->second
                                  : std::pair(std::string(), fmt::format("tracepoint {}", key));
}

std::string Names::thread(uint32_t tid) const {
  const auto it = threads_.find(tid);
  return it != threads_.end() ? it->second : std::string();
}

uint32_t Names::process_of(uint32_t tid, uint32_t otherwise) const {
  const auto it = processes_.find(tid);
  return it != processes_.end() ? it->second : otherwise;
}

// The function, else the module and the place in it, else the address.
std::string Names::name_at(uint64_t address) const {
  std::string module;
  if (const auto it = addresses_.find(address); it != addresses_.end()) {
    std::string function = text(it->second.function);
    if (!function.empty()) return function;
    module = file_name_of(text(it->second.module));
  }
  const auto after = modules_.upper_bound(address);
  if (after != modules_.begin()) {
    const auto& [begin, known] = *std::prev(after);
    if (address < known.end) return fmt::format("{}+{:#x}", known.name, address - begin);
  }
  return module.empty() ? fmt::format("{:#x}", address) : module;
}

std::vector<std::string> Names::names_of(uint64_t /*process*/, uint64_t stack) const {
  const auto it = stacks_.find(stack);
  if (it == stacks_.end()) return {fmt::format("stack {}", stack)};
  std::vector<std::string> names;
  for (const uint64_t address : it->second.addresses) names.push_back(name_at(address));
  if (it->second.kind != 0) names.emplace_back(broken_name(it->second.kind));
  return names;
}

}  // namespace weft::formats::orbit
