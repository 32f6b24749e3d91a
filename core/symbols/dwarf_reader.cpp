#include "core/symbols/dwarf_reader.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gelf.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <unordered_map>

#include "core/base/os_error.h"

namespace weft::symbols {
namespace {

using Kind = DataType::Kind;

constexpr int kMostScopes = 200;

std::optional<uint64_t> number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

std::optional<int64_t> signed_number(Dwarf_Die& die, unsigned name) {
  Dwarf_Attribute attribute;
  Dwarf_Sword value = 0;
  if (dwarf_attr_integrate(&die, name, &attribute) == nullptr ||
      dwarf_formsdata(&attribute, &value) != 0)
    return std::nullopt;
  return value;
}

std::string name_of(Dwarf_Die& die) {
  const char* const name = dwarf_diename(&die);
  return name == nullptr ? std::string() : std::string(name);
}

// Calls `body` for every child.
template <class Body>
void for_each_child(Dwarf_Die& die, const Body& body) {
  Dwarf_Die child;
  if (dwarf_child(&die, &child) != 0) return;
  do {
    body(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::string tagged(std::string_view keyword, const std::string& name) {
  return name.empty() ? std::string(keyword) : fmt::format("{} {}", keyword, name);
}

class DwarfReader {
 public:
  DwarfReader(Dwarf* dwarf, const Target& target, const std::stop_token& stop)
      : dwarf_(dwarf), stop_(stop) {
    symbols_.target = target;
    symbols_.files = 1;
  }

  Result<Symbols> read() {
    Dwarf_CU* unit = nullptr;
    uint64_t units = 0;
    for (;;) {
      Dwarf_Die die;
      uint8_t kind = 0;
      Dwarf_CU* next = nullptr;
      if (dwarf_get_units(dwarf_, unit, &next, nullptr, &kind, &die, nullptr) != 0) break;
      unit = next;
      ++units;
      if (stop_.stop_requested() || is_full()) break;
      add_declarations(die, 0);
    }
    if (units == 0) return fail("has no debug information: compile with -g");
    return std::move(symbols_);
  }

 private:
  bool is_full() {
    if (symbols_.types.size() < kMostDwarfTypes) return false;
    symbols_.report.add("type beyond what is read", trace::LossPlace::nowhere());
    return true;
  }

  void add_declarations(Dwarf_Die& scope, int depth) {
    for_each_child(scope, [&](Dwarf_Die& die) {
      const int tag = dwarf_tag(&die);
      if (tag == DW_TAG_namespace && depth < kMostScopes) add_declarations(die, depth + 1);
      const bool is_struct =
          tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
      if (!is_struct && tag != DW_TAG_enumeration_type && tag != DW_TAG_typedef) return;
      const std::string name = name_of(die);
      const auto type = make(die);
      if (!type || name.empty()) return;
      const DataType& made = symbols_.type(*type);
      if (made.kind != Kind::kStruct && made.kind != Kind::kUnion) return;
      symbols_.structs.try_emplace(tag == DW_TAG_typedef ? name : made.name, *type);
    });
  }

  // The type of the DIE, made where it is met first; none where it is not known in full.
  std::optional<DataTypeId> make(Dwarf_Die& die) {
    const Dwarf_Off offset = dwarf_dieoffset(&die);
    const auto [at, is_new] = made_.try_emplace(offset, std::nullopt);
    if (!is_new) return at->second;
    if (depth_ >= kMostScopes || is_full()) return std::nullopt;
    ++depth_;
    const auto type = make_new(die);
    --depth_;
    return made_[offset] = type;
  }

  std::optional<DataTypeId> type_of(Dwarf_Die& die) {
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    if (dwarf_attr_integrate(&die, DW_AT_type, &attribute) == nullptr ||
        dwarf_formref_die(&attribute, &type) == nullptr)
      return std::nullopt;
    return make(type);
  }

  DataTypeId add(DataType type) {
    type.align_bytes = static_cast<uint32_t>(std::clamp<uint64_t>(type.size_bytes, 1, 16));
    symbols_.types.push_back(std::move(type));
    return DataTypeId(static_cast<uint32_t>(symbols_.types.size() - 1));
  }

  std::optional<DataTypeId> make_new(Dwarf_Die& die) {
    switch (dwarf_tag(&die)) {
      case DW_TAG_base_type:
        return make_base(die);
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_atomic_type:
      case DW_TAG_restrict_type:
        return type_of(die);
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        return add(
            {.kind = Kind::kPointer,
             .name = "pointer",
             .size_bytes = number(die, DW_AT_byte_size).value_or(symbols_.target.pointer_bytes)});
      case DW_TAG_enumeration_type:
        return make_enum(die);
      case DW_TAG_array_type:
        return make_array(die);
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        return make_struct(die);
      default:
        return std::nullopt;
    }
  }

  std::optional<DataTypeId> make_base(Dwarf_Die& die) {
    DataType type{.name = name_of(die)};
    type.size_bytes = number(die, DW_AT_byte_size).value_or(0);
    if (type.size_bytes == 0 || type.size_bytes > 16) return std::nullopt;
    switch (number(die, DW_AT_encoding).value_or(0)) {
      case DW_ATE_boolean:
        type.kind = Kind::kBoolean;
        break;
      case DW_ATE_float:
        type.kind = Kind::kFloat;
        break;
      case DW_ATE_signed:
        type.kind = Kind::kInteger;
        type.is_signed = true;
        break;
      case DW_ATE_unsigned:
        type.kind = Kind::kInteger;
        break;
      case DW_ATE_signed_char:
      case DW_ATE_unsigned_char:
      case DW_ATE_UTF:
        type.kind = type.name == "char" ? Kind::kCharacter : Kind::kInteger;
        type.is_signed = number(die, DW_AT_encoding) == DW_ATE_signed_char;
        break;
      default:
        break;
    }
    return add(std::move(type));
  }

  std::optional<DataTypeId> make_enum(Dwarf_Die& die) {
    DataType type{.kind = Kind::kEnum, .name = tagged("enum", name_of(die))};
    type.size_bytes = number(die, DW_AT_byte_size).value_or(4);
    if (type.size_bytes == 0 || type.size_bytes > 8) return std::nullopt;
    for_each_child(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_enumerator) return;
      const auto value = signed_number(child, DW_AT_const_value);
      if (!value) return;
      type.is_signed |= *value < 0;
      type.enumerators.push_back({name_of(child), *value});
      const bool is_tagged = type.name != "enum";
      symbols_.constants.push_back(
          {name_of(child), is_tagged ? type.name : family_of_macro(name_of(child)), *value});
    });
    return add(std::move(type));
  }

  std::optional<DataTypeId> make_array(Dwarf_Die& die) {
    auto element = type_of(die);
    if (!element) return std::nullopt;
    std::vector<uint64_t> counts;
    for_each_child(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
      const auto upper = number(child, DW_AT_upper_bound);
      counts.push_back(number(child, DW_AT_count).value_or(upper ? *upper + 1 : 0));
    });
    for (size_t i = counts.size(); i-- > 0;) {
      const DataType& of = symbols_.type(*element);
      uint64_t size_bytes = 0;
      if (__builtin_mul_overflow(of.size_bytes, counts[i], &size_bytes) ||
          size_bytes > Symbols::kMostTypeBytes) {
        symbols_.report.add("array whose size cannot be", dwarf_dieoffset(&die), 1, false);
        return std::nullopt;
      }
      element = add({.kind = Kind::kArray,
                     .name = of.name,
                     .size_bytes = size_bytes,
                     .element = *element,
                     .count = counts[i]});
    }
    return element;
  }

  std::optional<DataTypeId> make_struct(Dwarf_Die& die) {
    if (number(die, DW_AT_declaration)) return std::nullopt;
    const bool is_union = dwarf_tag(&die) == DW_TAG_union_type;
    DataType type{.kind = is_union ? Kind::kUnion : Kind::kStruct,
                  .name = tagged(is_union ? "union" : "struct", name_of(die))};
    type.size_bytes = number(die, DW_AT_byte_size).value_or(0);
    bool is_known = type.size_bytes <= Symbols::kMostTypeBytes;
    for_each_child(die, [&](Dwarf_Die& child) {
      if (dwarf_tag(&child) != DW_TAG_member || number(child, DW_AT_external)) return;
      const auto member = make_member(child);
      if (!member) {
        is_known = false;
        return;
      }
      const uint64_t width =
          member->bit_width > 0 ? member->bit_width : 8 * symbols_.type(member->type).size_bytes;
      is_known = is_known && member->bit_offset + width <= 8 * type.size_bytes;
      type.members.push_back(*member);
    });
    if (is_known) return add(std::move(type));
    symbols_.report.add("struct whose members are not known or lie outside of it",
                        dwarf_dieoffset(&die), 1, false);
    return std::nullopt;
  }

  std::optional<Member> make_member(Dwarf_Die& die) {
    const auto type = type_of(die);
    if (!type) return std::nullopt;
    Member member{.name = name_of(die), .type = *type};
    const uint64_t bytes = number(die, DW_AT_data_member_location).value_or(0);
    if (bytes > Symbols::kMostTypeBytes) return std::nullopt;
    member.bit_offset = 8 * bytes;
    const auto width = number(die, DW_AT_bit_size);
    if (!width) return member;
    const DataType& of = symbols_.type(*type);
    if (*width == 0 || *width > 64) return std::nullopt;
    member.bit_width = static_cast<uint32_t>(*width);
    if (const auto bits = number(die, DW_AT_data_bit_offset)) {
      member.bit_offset += *bits;
    } else if (const auto from_top = number(die, DW_AT_bit_offset)) {  // DWARF 2 and 3
      const uint64_t unit = 8 * number(die, DW_AT_byte_size).value_or(of.size_bytes);
      if (*from_top + *width > unit) return std::nullopt;
      member.bit_offset += symbols_.target.is_big_endian ? *from_top : unit - *from_top - *width;
    }
    if (member.bit_offset > 8 * Symbols::kMostTypeBytes) return std::nullopt;
    return member;
  }

  Dwarf* dwarf_;
  std::stop_token stop_;
  Symbols symbols_;
  std::unordered_map<Dwarf_Off, std::optional<DataTypeId>> made_;
  int depth_ = 0;
};

// Opens an object file, whose sections refer to each other by relocations, which libdwfl applies.
// Nothing else is searched.
Dwfl* open_unlinked(const std::filesystem::path& path) {
  static constexpr Dwfl_Callbacks kCallbacks = {
      .find_elf = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; },
      .find_debuginfo = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                           GElf_Word, char**) { return -1; },
      .section_address = dwfl_offline_section_address,
      .debuginfo_path = nullptr};
  Dwfl* const dwfl = dwfl_begin(&kCallbacks);
  if (dwfl != nullptr) {
    (void)dwfl_report_offline(dwfl, "", path.c_str(), -1);
    (void)dwfl_report_end(dwfl, nullptr, nullptr);
  }
  return dwfl;
}

// Returns the DWARF of the only module; null if it has none.
Dwarf* dwarf_of(Dwfl* dwfl) {
  Dwarf* dwarf = nullptr;
  if (dwfl == nullptr) return dwarf;
  const auto take = [](Dwfl_Module* module, void**, const char*, Dwarf_Addr, void* found) -> int {
    Dwarf_Addr bias = 0;
    *static_cast<Dwarf**>(found) = dwfl_module_getdwarf(module, &bias);
    return DWARF_CB_ABORT;
  };
  (void)dwfl_getmodules(dwfl, take, &dwarf, 0);
  return dwarf;
}

// The section headers stand at a file's end.
bool is_cut_off(Elf* elf, const GElf_Ehdr& header) {
  size_t size = 0;
  if (elf_rawfile(elf, &size) == nullptr) return false;
  const uint64_t headers = uint64_t{header.e_shnum} * header.e_shentsize;
  return header.e_shoff > size || headers > size - header.e_shoff;
}

// Owns what libdw opens.
struct OpenElf {
  int file = -1;
  Elf* elf = nullptr;
  Dwarf* dwarf = nullptr;
  Dwfl* dwfl = nullptr;  // owns its own Dwarf

  OpenElf() = default;
  OpenElf(const OpenElf&) = delete;
  OpenElf& operator=(const OpenElf&) = delete;
  ~OpenElf() {
    if (dwfl != nullptr) dwfl_end(dwfl);
    if (dwarf != nullptr) dwarf_end(dwarf);
    if (elf != nullptr) elf_end(elf);
    if (file >= 0) ::close(file);
  }
};

}  // namespace

Result<Symbols> read_dwarf(const std::filesystem::path& path, const std::stop_token& stop) {
  OpenElf open;
  open.file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (open.file < 0) return fail(os_error("cannot be read"));
  elf_version(EV_CURRENT);
  open.elf = elf_begin(open.file, ELF_C_READ, nullptr);
  GElf_Ehdr header;
  if (open.elf == nullptr || gelf_getehdr(open.elf, &header) == nullptr)
    return fail(fmt::format("is not an ELF file: {}", elf_errmsg(-1)));
  if (is_cut_off(open.elf, header)) return fail("is cut off: its end is missing");
  const bool is_object = header.e_type == ET_REL;
  if (is_object) {
    open.dwfl = open_unlinked(path);
  } else {
    open.dwarf = dwarf_begin_elf(open.elf, DWARF_C_READ, nullptr);
  }
  Dwarf* const dwarf = is_object ? dwarf_of(open.dwfl) : open.dwarf;
  if (dwarf == nullptr) return fail("has no debug information: compile with -g");
  Target target;
  target.is_big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
  target.pointer_bytes = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  target.long_bytes = target.pointer_bytes;
  return DwarfReader(dwarf, target, stop).read();
}

}  // namespace weft::symbols
