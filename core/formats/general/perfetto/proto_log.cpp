#include "core/formats/general/perfetto/proto_log.h"

#include <fmt/core.h>

#include <bit>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/formats/base/args_text.h"
#include "core/formats/base/binary.h"
#include "core/formats/general/perfetto/packet_field.h"
#include "core/formats/general/perfetto/system_names.h"

namespace weft::formats::perfetto {
namespace {

constexpr std::string_view kLevels[] = {"", "debug", "verbose", "info", "warn", "error", "wtf"};

}  // namespace

bool ProtoLog::add(const Field& data, const Sequence& sequence, std::optional<Time> time,
                   uint64_t offset) {
  if (data.number != kProtoLogMessage && data.number != kProtoLogConfig) return false;
  bool is_good = true;
  if (data.number == kProtoLogConfig) {
    is_good = add_texts(data.bytes);
  } else if (!time) {
    sink_.loss("packet without a time", offset);
  } else {
    is_good = add_message(data.bytes, sequence, *time, offset);
  }
  if (!is_good) sink_.loss(fmt::format("{} damaged", packet_kind(data.number)), offset);
  return true;
}

bool ProtoLog::add_texts(std::string_view config) {
  bool is_good = true;
  is_good &= for_each_field(config, [&](const Field& field) {
    if (field.number == 1) is_good &= add_text(field.bytes);
    if (field.number == 2) is_good &= add_group(field.bytes);
  });
  return is_good;
}

bool ProtoLog::add_text(std::string_view message) {
  constexpr size_t kBytesPerText = 160;
  uint64_t id = 0;
  Text text;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) id = field.value;
    if (field.number == 2) text.text = field.bytes;
    if (field.number == 3) text.level = field.value;
    if (field.number == 4) text.group = field.uint32();
    if (field.number == 5) text.location = field.bytes;
  });
  const auto [it, is_new] = texts_.try_emplace(id);
  if (is_new) kept_bytes_ += kBytesPerText + text.text.size() + text.location.size();
  if (kept_bytes_ > memory_bytes_) return false;
  it->second = std::move(text);
  return is_good;
}

bool ProtoLog::add_group(std::string_view message) {
  uint32_t id = 0;
  std::string name, tag;
  const bool is_good = for_each_field(message, [&](const Field& field) {
    if (field.number == 1) id = field.uint32();
    if (field.number == 2) name = field.bytes;
    if (field.number == 3) tag = field.bytes;
  });
  groups_[id] = tag.empty() ? name : tag;
  return is_good;
}

bool ProtoLog::add_message(std::string_view message, const Sequence& sequence, Time time,
                           uint64_t offset) {
  Message added;
  added.time = time;
  added.offset = offset;
  bool is_good = true;
  is_good &= for_each_field(message, [&](const Field& field) {
    if (field.number == 1) added.id = field.value;
    if (field.number == 2) {
      is_good &= for_each_number(field, [&](uint64_t iid) {
        added.texts.emplace_back(sequence.text(Interned::kProtoLogText, iid));
      });
    }
    if (field.number == 3) {
      is_good &=
          for_each_number(field, [&](uint64_t n) { added.integers.push_back(from_zigzag(n)); });
    }
    if (field.number == 4) {
      is_good &= for_each_fixed64(
          field, [&](uint64_t bits) { added.reals.push_back(std::bit_cast<double>(bits)); });
    }
    if (field.number == 5)
      is_good &= for_each_number(field, [&](uint64_t n) { added.flags.push_back(n != 0); });
    if (field.number == 6) added.stack = sequence.text(Interned::kProtoLogStack, field.value);
  });
  uint64_t bytes = sizeof added + message.size() + added.stack.size();
  for (const std::string& text : added.texts) bytes += sizeof(std::string) + text.size();
  if (texts_.contains(added.id) || kept_bytes_ + bytes > memory_bytes_) {
    give(added);
  } else {
    kept_bytes_ += bytes;
    waiting_.push_back(std::move(added));
  }
  return is_good;
}

void ProtoLog::give(const Message& message) {
  ArgsText args;
  std::string tag = "unknown message";
  const auto it = texts_.find(message.id);
  if (it == texts_.end()) {
    sink_.note("ProtoLog message whose text is not there", message.offset);
    args.add("message_id", message.id);
    std::string values;
    for (const std::string& text : message.texts) values += " " + text;
    for (const int64_t number : message.integers) values += fmt::format(" {}", number);
    for (const double number : message.reals) values += fmt::format(" {}", number);
    for (const bool flag : message.flags) values += flag ? " true" : " false";
    if (!values.empty()) args.add("values", values.substr(1));
  } else {
    const Text& text = it->second;
    const auto group = groups_.find(text.group);
    tag = group != groups_.end() ? group->second : fmt::format("group {}", text.group);
    args.add("message", filled(text.text, message));
    if (text.level > 0 && text.level < std::size(kLevels))
      args.add("priority", kLevels[text.level]);
    if (!text.location.empty()) args.add("location", text.location);
  }
  if (!message.stack.empty()) args.add("stack", message.stack);
  const std::string name = valid_utf8(tag);
  sink_.give(trace::PunctualEvent{.time = message.time,
                                  .params = sink_.params(args.take()),
                                  .lane = lanes_.below(counters_.group("ProtoLog"), name),
                                  .type = sink_.type(trace::Category::kPunctual, name, "log")});
}

// %s is the next text, %d, %o and %x the next integer, %f, %e and %g the next real, %b the next
// flag; what is missing stays as it stands.
std::string ProtoLog::filled(std::string_view text, const Message& message) {
  std::string out;
  size_t texts = 0, integers = 0, reals = 0, flags = 0;
  const auto next_integer = [&] { return message.integers[integers++]; };
  for (size_t at = 0; at < text.size(); ++at) {
    const char form = text[at] == '%' && at + 1 < text.size() ? text[at + 1] : '\0';
    const bool has_integer = integers < message.integers.size(),
               has_real = reals < message.reals.size();
    bool is_filled = true;
    if (form == '%') {
      out += '%';
    } else if (form == 's' && texts < message.texts.size()) {
      out += message.texts[texts++];
    } else if (form == 'd' && has_integer) {
      out += fmt::format("{}", next_integer());
    } else if (form == 'o' && has_integer) {
      out += fmt::format("{:o}", static_cast<uint64_t>(next_integer()));
    } else if (form == 'x' && has_integer) {
      out += fmt::format("{:x}", static_cast<uint64_t>(next_integer()));
    } else if (form == 'f' && has_real) {
      out += fmt::format("{:f}", message.reals[reals++]);
    } else if (form == 'e' && has_real) {
      out += fmt::format("{:e}", message.reals[reals++]);
    } else if (form == 'g' && has_real) {
      out += fmt::format("{:g}", message.reals[reals++]);
    } else if (form == 'b' && flags < message.flags.size()) {
      out += message.flags[flags++] ? "true" : "false";
    } else {
      out += text[at];
      is_filled = false;
    }
    if (is_filled) ++at;
  }
  return out;
}

void ProtoLog::finish() {
  for (const Message& message : waiting_) give(message);
  waiting_.clear();
}

}  // namespace weft::formats::perfetto
