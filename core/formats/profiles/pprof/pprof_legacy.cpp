#include "core/formats/profiles/pprof/pprof_legacy.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <protozero/pbf_writer.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/time.h"
#include "core/formats/base/text.h"

namespace weft::formats {
namespace {

// A Profile, of whose stacks the addresses are known.
class ProfileWriter {
 public:
  void add_type(std::string_view type, std::string_view unit) { add_value_type(1, type, unit); }
  void set_period(std::string_view type, std::string_view unit, int64_t period) {
    add_value_type(11, type, unit);
    profile_.add_int64(12, period);
  }
  // The innermost address first.
  void add_sample(const std::vector<uint64_t>& addresses, const std::vector<int64_t>& values) {
    std::vector<uint64_t> ids;
    ids.reserve(addresses.size());
    for (const uint64_t address : addresses)
      ids.push_back(locations_.try_emplace(address, locations_.size() + 1).first->second);
    std::string message;
    protozero::pbf_writer sample(message);
    sample.add_packed_uint64(1, ids.begin(), ids.end());
    sample.add_packed_int64(2, values.begin(), values.end());
    profile_.add_message(2, message);
  }
  void add_mapping(uint64_t begin, uint64_t end, std::string_view file) {
    mappings_.push_back({begin, end});
    std::string message;
    protozero::pbf_writer mapping(message);
    mapping.add_uint64(1, mappings_.size());
    mapping.add_int64(5, number_of(file));
    profile_.add_message(3, message);
  }
  // Inlined functions at an address precede the function that contains them.
  void add_symbol(uint64_t address, std::string_view name) {
    std::vector<int64_t>& names = functions_[address];
    const int64_t number = number_of(name);
    if (std::ranges::find(names, number) == names.end()) names.push_back(number);
  }
  std::string finish() {
    for (const auto& [address, id] : locations_) add_location(address, id);
    for (const std::string* text : in_order_) profile_.add_string(6, *text);
    return std::move(bytes_);
  }

 private:
  void add_value_type(uint32_t field, std::string_view type, std::string_view unit) {
    std::string message;
    protozero::pbf_writer value_type(message);
    value_type.add_int64(1, number_of(type));
    value_type.add_int64(2, number_of(unit));
    profile_.add_message(field, message);
  }
  void add_location(uint64_t address, uint64_t id) {
    std::string message;
    protozero::pbf_writer location(message);
    location.add_uint64(1, id);
    for (size_t i = 0; i < mappings_.size(); ++i) {
      if (mappings_[i].first <= address && address < mappings_[i].second)
        location.add_uint64(2, i + 1);
    }
    location.add_uint64(3, address);
    const auto functions = functions_.find(address);
    const size_t count = functions == functions_.end() ? 0 : functions->second.size();
    for (size_t i = 0; i < count; ++i) {
      std::string named, line;
      protozero::pbf_writer(named).add_uint64(1, ++function_ids_);
      protozero::pbf_writer(named).add_int64(2, functions->second[i]);
      profile_.add_message(5, named);
      protozero::pbf_writer(line).add_uint64(1, function_ids_);
      location.add_message(4, line);
    }
    profile_.add_message(4, message);
  }
  int64_t number_of(std::string_view text) {
    const auto [it, is_new] =
        texts_.try_emplace(std::string(text), static_cast<int64_t>(in_order_.size()));
    if (is_new) in_order_.push_back(&it->first);
    return it->second;
  }

  std::string bytes_;
  protozero::pbf_writer profile_{bytes_};
  std::map<std::string, int64_t> texts_{{"", 0}};
  std::vector<const std::string*> in_order_{&texts_.begin()->first};
  std::map<uint64_t, uint64_t> locations_;                        // ids, by address
  std::unordered_map<uint64_t, std::vector<int64_t>> functions_;  // names, by address
  uint64_t function_ids_ = 0;
  std::vector<std::pair<uint64_t, uint64_t>> mappings_;
};

// ---- the binary form: numbers as wide as an address was

struct Words {
  size_t bytes = 8;
  bool is_little = true;

  std::optional<uint64_t> take(std::string_view& rest) const {
    if (rest.size() < bytes) return std::nullopt;
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; ++i) {
      const size_t shift = 8 * (is_little ? i : bytes - 1 - i);
      value |= uint64_t{static_cast<unsigned char>(rest[i])} << shift;
    }
    rest.remove_prefix(bytes);
    return value;
  }
};

// 0, the words that follow, the version (1: Java), the microseconds between samples, 0.
std::optional<Words> words_of(std::string_view head) {
  constexpr uint64_t kMostMicroseconds = 1'000'000'000;
  for (const Words words : {Words{8, true}, Words{8, false}, Words{4, true}, Words{4, false}}) {
    std::string_view rest = head;
    uint64_t n[5] = {1, 0, 9, 0, 1};
    for (uint64_t& word : n) word = words.take(rest).value_or(1);
    const bool is_it =
        n[0] == 0 && n[1] == 3 && n[2] <= 1 && n[3] > 0 && n[3] < kMostMicroseconds && n[4] == 0;
    if (is_it) return words;
  }
  return std::nullopt;
}

// The samples; returns what stands behind them.
std::string_view read_cpu_samples(std::string_view bytes, const Words& words,
                                  ProfileWriter& profile, trace::EventSink& sink) {
  constexpr size_t kHeaderWords = 5, kMostDepth = 1 << 12;
  std::string_view rest = bytes.substr(3 * words.bytes);
  const auto period_ns = static_cast<int64_t>(*words.take(rest)) * kNsPerUs;
  profile.add_type("samples", "count");
  profile.add_type("cpu", "nanoseconds");
  profile.set_period("cpu", "nanoseconds", period_ns);
  rest = bytes.substr(kHeaderWords * words.bytes);
  std::vector<uint64_t> addresses;
  for (;;) {
    const auto offset = bytes.size() - rest.size();
    const auto count = words.take(rest), depth = words.take(rest);
    if (!count || !depth || *depth > kMostDepth || rest.size() < *depth * words.bytes) {
      sink.loss("profile that breaks off", offset);
      return {};
    }
    addresses.clear();
    for (uint64_t i = 0; i < *depth; ++i) addresses.push_back(*words.take(rest));
    if (*count == 0 && addresses == std::vector<uint64_t>{0}) return rest;
    constexpr int64_t kMostNs = 1'000'000'000'000'000'000;
    const auto most_samples = static_cast<uint64_t>(kMostNs / period_ns);
    const auto samples = static_cast<int64_t>(std::min(*count, most_samples));
    // Callers are known by where they go on.
    for (size_t i = 1; i < addresses.size(); ++i) addresses[i] -= addresses[i] > 0 ? 1 : 0;
    profile.add_sample(addresses, {samples, samples * period_ns});
  }
}

// ---- text

// "00400000-00fcb000: cppbench", or a line of /proc/self/maps; "0x4a1b name", which Go writes
// behind "#" with "+0x1f" behind the name. There a caller's address may be within its call, where
// its sample says what follows.
bool read_place(std::string_view line, ProfileWriter& profile) {
  std::string_view rest = trimmed(line);
  const bool is_of_go = take_prefix(rest, "#");
  if (is_of_go) rest = trimmed(rest);
  if (const auto address = take_address(rest)) {
    std::string_view name = trimmed(rest);
    if (is_of_go) name = name.substr(0, std::min(name.find('+'), name.find_first_of("\t ")));
    if (!name.empty()) profile.add_symbol(*address, name);
    if (!name.empty() && is_of_go) profile.add_symbol(*address + 1, name);
    return true;
  }
  if (is_of_go) return true;
  const auto begin = take_hexadecimal(rest);
  if (!begin || !take_prefix(rest, "-")) return false;
  const auto end = take_hexadecimal(rest);
  if (!end) return false;
  rest = trimmed(rest);
  profile.add_mapping(*begin, *end, rest.substr(rest.find_last_of(" /:") + 1));
  return true;
}

// Headers of contention profiles: "contentionz" of C++ and Java, the others of Go.
constexpr std::string_view kContentions[] = {"--- contentionz ", "--- contention:", "--- mutex:"};
bool is_contention(std::string_view header) {
  return std::ranges::any_of(kContentions,
                             [&](std::string_view each) { return header.starts_with(each); });
}

// What jemalloc writes: "heap_v2/524288", and for each stack the sums of all threads, and of each:
//
//   @ 0x5f86da8 0x5f5a1dc
//     t*: 13: 6688 [0: 0]
//     t3: 13: 6688 [0: 0]
constexpr std::string_view kJemalloc = "heap_v2/", kAllThreads = "t*:";

class TextProfile {
  static constexpr int64_t kJavaRate = 512 << 10;

 public:
  TextProfile(std::string_view header, ProfileWriter& profile) : profile_(profile) {
    if (header.starts_with("heap profile:")) {
      read_heap_header(header);
    } else if (header.starts_with(kJemalloc)) {
      read_heap_header(header);
      is_of_threads_ = true;
    } else if (header.starts_with("--- heapz")) {
      add_types({"inuse_space", "bytes"}, {"inuse_objects", "count"});
      rate_ = kJavaRate;
    } else if (is_contention(header)) {
      add_types({"delay", "nanoseconds"}, {"contentions", "count"});
      is_contention_ = true;
    } else {
      profile_.add_type(header.substr(0, header.find(' ')), "count");
    }
  }

  // "sampling period = 100", "cycles/second = 3201000000", "resolution = microseconds". False:
  // another line.
  bool read_attribute(std::string_view line) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos || line.starts_with('#')) return false;
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view value = trimmed(line.substr(equals + 1));
    const double number = parse_number<double>(value).value_or(0);
    const bool is_period = key == "sampling period", is_rate = key == "cycles/second",
               is_unit = key == "resolution";
    if (is_period && number > 0) period_ = number;
    if (is_rate && number > 0) ns_per_tick_ = kNsPerSecond / number;
    if (is_unit && value == "microseconds") ns_per_tick_ = kNsPerUs;
    return is_period || is_rate || is_unit;
  }

  // "1: 9216 [2: 18432] @ 0xc635c8 0x42ecc3", or a line of jemalloc's. False: another line.
  bool read_sample(std::string_view line) {
    if (is_of_threads_) return read_sample_of_threads(trimmed(line));
    const size_t at = line.find('@');
    return at != std::string_view::npos &&
           add_sample(line.substr(0, at), addresses_of(line.substr(at + 1)));
  }

 private:
  using Type = std::pair<std::string_view, std::string_view>;

  bool read_sample_of_threads(std::string_view line) {
    if (take_prefix(line, "@")) {
      stack_ = addresses_of(line);
      return true;
    }
    if (take_prefix(line, kAllThreads)) {
      // The first one is that of all stacks.
      return !stack_ || add_sample(line, *std::exchange(stack_, std::nullopt));
    }
    return take_prefix(line, "t") && take_number<uint64_t>(line) && line.starts_with(':');
  }

  static std::vector<uint64_t> addresses_of(std::string_view text) {
    std::vector<uint64_t> addresses;
    text = trimmed(text);
    while (const auto address = take_address(text)) {
      addresses.push_back(*address);
      text = trimmed(text);
    }
    return addresses;
  }

  // Returns false if the numbers are not values.
  bool add_sample(std::string_view numbers, const std::vector<uint64_t>& addresses) {
    std::vector<int64_t> values;
    for (;;) {
      numbers.remove_prefix(std::min(numbers.find_first_not_of(" :[]\t\r"), numbers.size()));
      if (numbers.empty()) break;
      const auto value = take_number<int64_t>(numbers);
      if (!value) return false;
      values.push_back(*value);
    }
    if (values.size() != values_) return false;
    if (rate_ > 1 && is_heap_) {
      estimate(values[0], values[1]);
      estimate(values[2], values[3]);
    } else if (rate_ > 1) {
      estimate(values[1], values[0]);
    }
    if (is_contention_) {
      values[0] = times(values[0], ns_per_tick_ * period_);
      values[1] = times(values[1], period_);
    }
    if (is_heap_) values = {values[2], values[3], values[0], values[1]};
    if (values.size() == 2) std::swap(values[0], values[1]);
    profile_.add_sample(addresses, values);
    return true;
  }

  // The one that is shown comes last.
  void add_types(Type first_in_line, Type second) {
    profile_.add_type(second.first, second.second);
    profile_.add_type(first_in_line.first, first_in_line.second);
    values_ = 2;
  }
  void read_heap_header(std::string_view header) {
    profile_.add_type("alloc_objects", "count");
    profile_.add_type("alloc_space", "bytes");
    profile_.add_type("inuse_objects", "count");
    profile_.add_type("inuse_space", "bytes");
    is_heap_ = true;
    values_ = 4;
    std::string_view kind = trimmed(header.substr(header.find('@') + 1));  // npos + 1 is 0
    const size_t slash = kind.find('/');
    if (slash == std::string_view::npos) return;
    std::string_view number = kind.substr(slash + 1);
    const auto rate = take_number<int64_t>(number);
    kind = kind.substr(0, slash);
    // Go writes twice its rate.
    if (rate && kind == "heap") rate_ = *rate / 2;
    if (rate && (kind == "heap_v2" || kind == "heapz_v2")) rate_ = *rate;
  }
  // Scales up a sample of about one in `rate_` bytes.
  void estimate(int64_t& count, int64_t& bytes) const {
    if (count <= 0 || bytes <= 0) return;
    const double mean = static_cast<double>(bytes) / static_cast<double>(count);
    const double scale = 1 / (1 - std::exp(-mean / static_cast<double>(rate_)));
    count = times(count, scale);
    bytes = times(bytes, scale);
  }
  static int64_t times(int64_t value, double factor) {
    constexpr double kMost = 1e18;
    return static_cast<int64_t>(std::clamp(static_cast<double>(value) * factor, -kMost, kMost));
  }

  ProfileWriter& profile_;
  size_t values_ = 1;
  bool is_heap_ = false, is_contention_ = false, is_of_threads_ = false;
  std::optional<std::vector<uint64_t>> stack_;  // whose values come in the next lines
  int64_t rate_ = 0;
  double period_ = 1, ns_per_tick_ = 1;  // of contention
};

constexpr std::string_view kHeaders[] = {"heap profile:", kJemalloc, "--- heapz ",
                                         "goroutine profile: total", "threadcreate profile: total"};

}  // namespace

bool is_legacy_profile(std::string_view head) {
  const bool is_text = std::ranges::any_of(
      kHeaders, [&](std::string_view header) { return head.starts_with(header); });
  return is_text || is_contention(head) || words_of(head).has_value();
}

std::string profile_from_legacy(std::string_view bytes, trace::EventSink& sink) {
  ProfileWriter profile;
  std::optional<TextProfile> text;
  std::string_view rest = bytes;
  if (const auto words = words_of(bytes)) {
    rest = read_cpu_samples(bytes, *words, profile, sink);
  } else {
    text.emplace(bytes.substr(0, bytes.find('\n')), profile);
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  while (!rest.empty()) {
    const auto offset = bytes.size() - rest.size();
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (trimmed(line).empty()) continue;
    if (text && (text->read_sample(line) || text->read_attribute(line))) continue;
    // Any other line with a stack is damaged; the rest describe the recorder.
    const bool is_stack =
        line.find('@') != std::string_view::npos || trimmed(line).starts_with(kAllThreads);
    if (!read_place(line, profile) && is_stack) sink.loss("damaged sample", offset);
  }
  return profile.finish();
}

}  // namespace weft::formats
