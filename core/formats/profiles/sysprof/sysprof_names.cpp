#include "core/formats/profiles/sysprof/sysprof_names.h"

#include "core/base/text.h"
#include "core/formats/base/text.h"

namespace weft::formats::sysprof {
namespace {

constexpr uint64_t kBytesPerEntry = 96;
constexpr uint64_t kFirstOfKernel = 0xffff'8000'0000'0000;
constexpr size_t kPathBytes = 256;

}  // namespace

bool Names::has_room(size_t bytes) {
  bytes_ += bytes + kBytesPerEntry;
  if (bytes_ <= most_bytes_) return true;
  ++too_many_;
  return false;
}

void Names::add(const Frame& frame, bool is_big_endian) {
  Body body(frame.body, is_big_endian);
  switch (frame.kind) {
    case kProcess: {
      std::string_view line = body.rest_text();
      const std::string_view program = line.substr(0, line.find(' '));
      const std::string_view name = program.substr(program.rfind('/') + 1);
      if (!name.empty() && has_room(name.size())) commands_[frame.process] = valid_utf8(name);
      return;
    }
    case kMap: {
      const auto begin = body.number<uint64_t>(), end = body.number<uint64_t>();
      body.number<uint64_t>();  // offset in the file
      body.number<uint64_t>();  // inode
      const std::string_view file = body.rest_text();
      if (body.has_failed() || end <= begin || !has_room(file.size())) return;
      maps_[frame.process].add(begin, end, valid_utf8(file));
      return;
    }
    case kJitMap:
      return add_jit_map(body);
    case kFileChunk:
      return add_file_chunk(body);
    default:
      return;
  }
}

// Pairs of an address and a text that ends in a zero.
void Names::add_jit_map(Body& body) {
  const auto count = body.number<uint32_t>();
  for (uint32_t i = 0; i < count && !body.has_failed(); ++i) {
    const auto address = body.number<uint64_t>();
    const std::string_view name = body.rest_text();
    body.bytes(name.size() + 1);
    if (!body.has_failed() && has_room(name.size())) jit_.try_emplace(address, valid_utf8(name));
  }
}

void Names::add_file_chunk(Body& body) {
  body.number<uint16_t>();  // whether it is the last
  const auto size = body.number<uint16_t>();
  const std::string_view path = body.text(kPathBytes), data = body.bytes(size);
  if (body.has_failed()) return;
  std::string* const file = path == "__symbols__"      ? &table_
                            : path == "/proc/kallsyms" ? &kernel_text_
                                                       : nullptr;
  if (file != nullptr && has_room(data.size())) file->append(data);
}

void Names::finish(bool is_big_endian) {
  add_symbols(table_, is_big_endian);
  add_kernel_symbols(kernel_text_);
  table_ = {};
  kernel_text_ = {};
}

// Entries up to one of zeros; texts lie behind them, at places from the begin.
void Names::add_symbols(std::string_view table, bool is_big_endian) {
  Body body(table, is_big_endian);
  const auto text_at = [table](uint32_t at) {
    return at != 0 && at < table.size() ? until_zero(table.substr(at)) : std::string_view();
  };
  for (;;) {
    const auto begin = body.number<uint64_t>(), end = body.number<uint64_t>();
    const auto process = body.number<int32_t>();
    const auto name_at = body.number<uint32_t>(), object_at = body.number<uint32_t>();
    body.number<uint32_t>();
    if (body.has_failed() || (begin == 0 && end == 0 && process == 0 && name_at == 0)) return;
    const std::string_view name = text_at(name_at), object = text_at(object_at);
    if (name.empty() || end <= begin || !has_room(name.size() + object.size())) continue;
    symbols_[process].insert_or_assign(begin, Symbol{end, valid_utf8(name), valid_utf8(object)});
  }
}

// "ffffffff81000000 T _text", and the module in brackets.
void Names::add_kernel_symbols(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_to(text, '\n');
    const auto address = parse_number<uint64_t>(take_word(line), 16);
    const std::string_view kind = take_word(line), name = take_word(line);
    const bool is_code = kind == "T" || kind == "t" || kind == "W" || kind == "w";
    if (!address || *address == 0 || !is_code || name.empty() || !has_room(name.size())) continue;
    kernel_.try_emplace(*address, Symbol{UINT64_MAX, valid_utf8(name), "kernel"});
  }
}

std::string_view Names::command(int32_t process) const {
  const auto it = commands_.find(process);
  return it == commands_.end() ? std::string_view() : it->second;
}

const Names::Symbol* Names::find(const Symbols& symbols, uint64_t address) {
  auto it = symbols.upper_bound(address);
  if (it == symbols.begin()) return nullptr;
  --it;
  return address < it->second.end ? &it->second : nullptr;
}

Place Names::place(int32_t process, uint64_t address) const {
  if (const auto it = jit_.find(address); it != jit_.end()) return {it->second, {}};
  if (const auto it = symbols_.find(process); it != symbols_.end()) {
    if (const Symbol* const symbol = find(it->second, address))
      return {symbol->name, symbol->object};
  }
  if (address >= kFirstOfKernel) {
    const Symbol* const symbol = find(kernel_, address);
    return {symbol == nullptr ? std::string_view() : symbol->name, "kernel"};
  }
  const auto maps = maps_.find(process);
  if (maps == maps_.end()) return {};
  const stacks::AddressMap::Object* const map = maps->second.find(address);
  if (map == nullptr) return {};
  const std::string_view file = map->name;
  return {{}, file.substr(file.rfind('/') + 1)};
}

}  // namespace weft::formats::sysprof
