#include "core/query/filter/param_predicate.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/numbers.h"
#include "core/base/text.h"
#include "core/query/filter/filter_lexer.h"

namespace weft::query {
namespace {

constexpr std::string_view kPayloadField = "payload.";

// Follows the events of the parser: where in the object a value lies. Objects and arrays deeper
// than kDeepest are passed over.
class PathReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return scalar("null", std::nullopt); }
  bool boolean(bool value) override { return scalar(value ? "true" : "false", std::nullopt); }
  bool number_integer(number_integer_t value) override {
    return scalar(std::to_string(value), static_cast<long double>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return scalar(std::to_string(value), static_cast<long double>(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    return scalar(text, static_cast<long double>(value));
  }
  bool string(string_t& value) override { return scalar(value, number_in(value)); }
  bool binary(binary_t&) override { return true; }

  bool start_object(size_t) override { return open(false); }
  bool key(string_t& name) override {
    if (is_deep()) return true;
    levels_.back().name = name;
    return on_name(name);
  }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool parse_error(size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 protected:
  static constexpr size_t kDeepest = 32;
  struct Level {
    bool is_array = false;
    size_t next = 0;   // arrays: the index of the value to come
    std::string name;  // of the value that is being read
  };

  // Values at this path, which begins with the outermost object. False: enough was read.
  virtual bool on_value(std::span<const Level> path, std::string_view text,
                        std::optional<long double> number) = 0;
  virtual bool on_name(std::string_view) { return true; }

 private:
  // Reals with an exponent are printed with a point or a sign, too; 1e2 may be hexadecimal digits.
  static std::optional<long double> number_in(std::string_view text) {
    if (const auto whole = parse_number<int64_t>(text)) return static_cast<long double>(*whole);
    if (const auto whole = parse_number<uint64_t>(text)) return static_cast<long double>(*whole);
    const bool may_be_hexadecimal = text.find_first_of("eE") != std::string_view::npos &&
                                    text.find_first_of(".+-", 1) == std::string_view::npos;
    if (may_be_hexadecimal) return std::nullopt;
    return parse_number<double>(text);
  }

  bool is_deep() const { return depth_ > kDeepest; }
  void step() {
    if (is_deep() || levels_.empty() || !levels_.back().is_array) return;
    levels_.back().name = std::to_string(levels_.back().next++);
  }
  bool scalar(std::string_view text, std::optional<long double> number) {
    step();
    return is_deep() || on_value(levels_, text, number);
  }
  bool open(bool is_array) {
    step();
    ++depth_;
    if (!is_deep()) levels_.push_back({is_array, 0, {}});
    return true;
  }
  bool close() {
    if (!is_deep()) levels_.pop_back();
    --depth_;
    return true;
  }

  size_t depth_ = 0;
  std::vector<Level> levels_;
};

void read_params(std::string_view json, PathReader& reader) {
  // The parser ends at the first byte that is not a UTF-8.
  if (is_valid_utf8(json)) {
    nlohmann::json::sax_parse(json, &reader);
  } else {
    nlohmann::json::sax_parse(valid_utf8(json), &reader);
  }
}

class ParamReader final : public PathReader {
 public:
  explicit ParamReader(const ParamCondition& condition) : condition_(&condition) {}
  bool has_passed() const { return has_passed_; }

 private:
  bool on_value(std::span<const Level> path, std::string_view text,
                std::optional<long double> number) override {
    const bool is_asked =
        condition_->path.empty() || std::ranges::equal(path, condition_->path, {}, &Level::name);
    if (!is_asked) return true;
    const bool is_in =
        (number && std::ranges::any_of(condition_->numbers,
                                       [&](const auto& n) { return n.contains(*number); })) ||
        holds(text);
    has_passed_ = is_in != condition_->is_negated;
    return !has_passed_;
  }
  bool on_name(std::string_view name) override {
    if (condition_->path.empty() && holds(name)) has_passed_ = true;
    return !has_passed_;
  }
  bool holds(std::string_view text) const {
    return std::ranges::any_of(condition_->texts,
                               [&](const TextPredicate& t) { return t.passes(text); });
  }

  const ParamCondition* condition_;
  bool has_passed_ = false;
};

class ParamPredicate final : public aggregate::RecordPredicate {
 public:
  explicit ParamPredicate(ParamCondition condition) : condition_(std::move(condition)) {}

  bool passes(const store::Trace& trace, const store::Row&,
              const store::Record& record) const override {
    std::string fields;
    if (condition_.is_of_payload) fields = trace.payload_fields(record.type, record.params);
    const std::string_view json =
        condition_.is_of_payload ? std::string_view(fields) : trace.params(record.params).json;
    if (json.empty() || !may_pass(json)) return false;
    ParamReader reader(condition_);
    read_params(json, reader);
    return reader.has_passed();
  }

 private:
  // Without escapes, names and texts appear in the bytes verbatim.
  bool may_pass(std::string_view json) const {
    if (json.contains('\\')) return true;
    if (condition_.path.empty()) {
      return std::ranges::any_of(condition_.texts,
                                 [&](const TextPredicate& t) { return t.may_pass_within(json); });
    }
    return json.contains(condition_.path.front());
  }

  ParamCondition condition_;
};

class PayloadTest final : public aggregate::RecordPredicate {
 public:
  explicit PayloadTest(std::vector<aggregate::Interval<int64_t>> sizes)
      : sizes_(std::move(sizes)) {}
  bool passes(const store::Trace& trace, const store::Row&,
              const store::Record& record) const override {
    const auto size = static_cast<int64_t>(trace.params(record.params).payload.size());
    return size > 0 &&
           std::ranges::any_of(sizes_, [&](const auto& sizes) { return sizes.contains(size); });
  }

 private:
  std::vector<aggregate::Interval<int64_t>> sizes_;
};

// Calls body(name, value) until it returns false.
class NamedValueReader final : public PathReader {
 public:
  using Body = std::function<bool(std::string_view name, std::string_view value)>;
  explicit NamedValueReader(const Body& body) : body_(&body) {}

 private:
  bool on_value(std::span<const Level> path, std::string_view text,
                std::optional<long double>) override {
    name_.clear();
    for (const Level& level : path) {
      if (!name_.empty()) name_ += '.';
      const bool is_plain =
          !level.name.empty() && is_filter_word("_" + level.name) && !level.name.contains('.');
      name_ += is_plain ? level.name : quoted_for_filter(level.name);
    }
    return (*body_)(name_, text);
  }

  const Body* body_;
  std::string name_;
};

}  // namespace

std::shared_ptr<const aggregate::RecordPredicate> param_predicate(ParamCondition condition) {
  return std::make_shared<ParamPredicate>(std::move(condition));
}

std::shared_ptr<const aggregate::RecordPredicate> payload_test(
    std::vector<aggregate::Interval<int64_t>> sizes) {
  return std::make_shared<PayloadTest>(std::move(sizes));
}

void for_each_param_name(std::string_view json, const std::function<void(std::string_view)>& body) {
  const NamedValueReader::Body take = [&](std::string_view name, std::string_view) {
    body(name);
    return true;
  };
  NamedValueReader reader(take);
  read_params(json, reader);
}

std::optional<std::string> param_text(std::string_view json, std::string_view name) {
  std::optional<std::string> found;
  const NamedValueReader::Body take = [&](std::string_view each, std::string_view value) {
    if (each == name) found = value;
    return !found;
  };
  NamedValueReader reader(take);
  read_params(json, reader);
  return found;
}

std::optional<std::string> field_text(const store::Trace& trace, const store::Record& record,
                                      std::string_view name) {
  const auto param = param_text(trace.params(record.params).json, name);
  if (param || !name.starts_with(kPayloadField)) return param;
  const std::string fields = trace.payload_fields(record.type, record.params);
  return param_text(fields, name.substr(kPayloadField.size()));
}

void for_each_field_name(const store::Trace& trace, const store::Record& record,
                         const std::function<void(std::string_view)>& body) {
  for_each_param_name(trace.params(record.params).json, body);
  const std::string fields = trace.payload_fields(record.type, record.params);
  for_each_param_name(
      fields, [&](std::string_view name) { body(std::string(kPayloadField).append(name)); });
}

}  // namespace weft::query
