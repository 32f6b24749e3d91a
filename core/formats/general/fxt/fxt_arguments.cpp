#include "core/formats/general/fxt/fxt_arguments.h"

#include <fmt/core.h>

#include <bit>
#include <span>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"

namespace weft::formats::fxt {
namespace {

Argument take_argument(const Provider& provider, Words& record) {
  Words at_header = record;
  const uint64_t header = at_header.word();
  const uint64_t words = bits(header, 4, 15);
  Words part = record.part(std::max<uint64_t>(words, 1));
  part.word();
  Argument argument{.name = provider.text(bits(header, 16, 31), part),
                    .type = static_cast<ArgumentType>(bits(header, 0, 3))};
  switch (argument.type) {
    case ArgumentType::kInt32:
      argument.value = static_cast<uint64_t>(
          static_cast<int64_t>(static_cast<int32_t>(static_cast<uint32_t>(header >> 32))));
      break;
    case ArgumentType::kUint32:
      argument.value = bits(header, 32, 63);
      break;
    case ArgumentType::kBool:
      argument.value = bits(header, 32, 32);
      break;
    case ArgumentType::kInt64:
    case ArgumentType::kUint64:
    case ArgumentType::kDouble:
    case ArgumentType::kPointer:
    case ArgumentType::kKernelObject:
      argument.value = part.word();
      break;
    case ArgumentType::kString:
      argument.text = provider.text(bits(header, 32, 47), part);
      break;
    case ArgumentType::kBlob:
      argument.text = part.stream(bits(header, 32, 63));
      break;
    default:  // nothing, or of a kind that came later
      argument.type = ArgumentType::kNull;
      break;
  }
  // A value that does not fit its argument spoils the whole record.
  if (part.is_cut()) record.spoil();
  return argument;
}

void add_named(ArgsText& text, std::string_view number, std::string_view name) {
  if (name.empty()) return text.text(number);
  text.text(fmt::format("{} ({})", name, number));
}

}  // namespace

std::optional<double> Argument::number() const {
  switch (type) {
    case ArgumentType::kInt32:
    case ArgumentType::kInt64:
      return static_cast<double>(static_cast<int64_t>(value));
    case ArgumentType::kUint32:
    case ArgumentType::kUint64:
      return static_cast<double>(value);
    case ArgumentType::kDouble:
      return std::bit_cast<double>(value);
    default:
      return std::nullopt;
  }
}

std::vector<Argument> take_arguments(uint64_t count, const Provider& provider, Words& record) {
  std::vector<Argument> arguments;
  for (uint64_t i = 0; i < count; ++i) {
    const Argument argument = take_argument(provider, record);
    if (record.is_cut()) break;
    arguments.push_back(argument);
  }
  return arguments;
}

std::string json_of(const std::vector<Argument>& arguments, uint64_t process,
                    const Provider& provider, const Objects& objects) {
  ArgsText text;
  for (const Argument& each : arguments) {
    text.name(each.name);
    switch (each.type) {
      case ArgumentType::kNull:
        text.nothing();
        break;
      case ArgumentType::kInt32:
      case ArgumentType::kInt64:
        text.number(static_cast<int64_t>(each.value));
        break;
      case ArgumentType::kUint32:
      case ArgumentType::kUint64:
        text.number(each.value);
        break;
      case ArgumentType::kDouble:
        text.number(std::bit_cast<double>(each.value));
        break;
      case ArgumentType::kString:
        text.text(each.text);
        break;
      case ArgumentType::kPointer:
        add_named(text, fmt::format("{:#x}", each.value),
                  provider.user_object(process, each.value));
        break;
      case ArgumentType::kKernelObject:
        add_named(text, fmt::format("{}", each.value), objects.name_of(each.value));
        break;
      case ArgumentType::kBool:
        text.flag(each.value != 0);
        break;
      case ArgumentType::kBlob:
        text.text(hexadecimal(std::as_bytes(std::span(each.text))));
        break;
    }
  }
  return text.take();
}

}  // namespace weft::formats::fxt
