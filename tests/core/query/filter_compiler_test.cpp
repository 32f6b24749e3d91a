// The language against a plain reading of it: random traces, random expressions, every event.
#include "core/query/filter/filter_compiler.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "core/base/thread_pool.h"
#include "core/query/cpu_lanes.h"
#include "core/query/event_stream.h"
#include "core/query/filter/text_predicate.h"
#include "core/store/builder.h"
#include "tests/core/query/flat_events.h"

namespace weft::query {
namespace {

using nlohmann::json;
using store::RowKind;
using testing_traces::Events;
using testing_traces::random_events;

struct Param {
  std::string json;
  std::string payload{};
};

// A trace of a tree of lanes, types in groups, and parameters for some events.
store::TracePtr build_rich(Events events, const std::vector<Param>& params,
                           const std::filesystem::path& path) {
  ThreadPool pool(2);
  auto builder = store::StoreBuilder::create({path, "test", 400 << 20, false}, pool);
  EXPECT_TRUE(builder);
  trace::EventSink& sink = **builder;
  const LaneId machine = sink.add_lane({"machine", LaneId::none(), trace::LaneKind::kMachine, 0});
  for (uint32_t i = 1; i < events.lanes; ++i) {
    sink.add_lane({"CPU " + std::to_string(i), machine, trace::LaneKind::kCpu, 0});
  }
  for (uint32_t i = 0; i < events.types; ++i) {
    sink.type(trace::Category::kState, "type " + std::to_string(i), i % 3 == 0 ? "irq" : "task");
  }
  std::vector<ParamsId> ids;
  for (const Param& param : params) {
    ids.push_back(sink.params(param.json, std::as_bytes(std::span(param.payload))));
  }
  size_t next = 0;
  const auto give = [&](auto& list) {
    for (auto& event : list) {
      if (ids.empty() || ++next % 3 == 0) continue;
      event.params = ids[next % ids.size()];
    }
  };
  give(events.states);
  give(events.punctuals);
  give(events.links);
  give(events.variables);
  for (size_t i = 0; i < events.links.size(); i += 3) {  // lost on the way
    (i % 2 == 0 ? events.links[i].source : events.links[i].target) = LaneId::none();
  }
  sink.states(events.states);
  sink.punctuals(events.punctuals);
  sink.links(events.links);
  sink.variables(events.variables);
  auto trace = (*builder)->finish();
  EXPECT_TRUE(trace);
  return *trace;
}

// An event as the manual speaks of it.
struct PlainEvent {
  trace::Category category;
  std::string type, group;
  LaneId lane;
  LaneId source = LaneId::none(), target = LaneId::none();
  int64_t begin = 0;
  std::optional<int64_t> end{}, dur{}, latency{}, depth{};
  std::optional<double> value{};
  json params{};
  size_t payload = 0;
};

PlainEvent plain(const store::Trace& trace, const FlatEvent& event) {
  const auto& [row, record] = event;
  const trace::EventType& type = trace.dictionary().type(record.type);
  PlainEvent plain{.category = category_of(row->kind),
                   .type = std::string(type.name),
                   .group = std::string(type.group),
                   .lane = row->lane,
                   .begin = record.begin.ticks,
                   .end = record.begin.ticks};
  if (row->kind == RowKind::kState) {
    plain.dur = record.duration.ticks;
    plain.end = plain.begin + *plain.dur;
    plain.depth = row->depth;
  } else if (row->kind == RowKind::kVariable) {
    plain.value = record.value;
  } else if (row->kind == RowKind::kLinkOut) {
    plain.source = row->lane;
    plain.target = record.peer;
    plain.end = std::nullopt;
    if (!record.peer.is_none()) {
      plain.latency = record.duration.ticks;
      plain.end = plain.begin + *plain.latency;
    }
  } else if (row->kind == RowKind::kLinkIn) {
    plain.source = record.peer;
    plain.target = row->lane;
    if (!record.peer.is_none()) {
      plain.lane = record.peer;
      plain.latency = record.duration.ticks;
      plain.begin = *plain.end - *plain.latency;
    }
  }
  if (!record.params.is_none()) {
    const store::Params params = trace.params(record.params);
    plain.params = params.json.empty() ? json() : json::parse(params.json);
    plain.payload = params.payload.size();
  }
  return plain;
}

using Oracle = std::function<bool(const PlainEvent&)>;
struct Random {
  std::mt19937_64 bits;
  uint64_t below(uint64_t n) { return bits() % n; }
  template <class T, size_t n>
  const T& of(const T (&values)[n]) {
    return values[below(n)];
  }
};
struct Sentence {
  std::string text;
  Oracle oracle;
};

struct NumberWord {
  const char* name;
  std::optional<double> (*get)(const PlainEvent&);
  double most;
};
template <auto kMember>
std::optional<double> number(const PlainEvent& e) {
  if (!(e.*kMember)) return std::nullopt;
  return static_cast<double>(*(e.*kMember));
}
constexpr NumberWord kNumbers[] = {
    {"begin", [](const PlainEvent& e) { return std::optional(static_cast<double>(e.begin)); }, 2e4},
    {"end", number<&PlainEvent::end>, 2e4},
    {"dur", number<&PlainEvent::dur>, 200},
    {"latency", number<&PlainEvent::latency>, 400},
    {"depth", number<&PlainEvent::depth>, 6},
    {"cpu",  // lane 0 is the machine
     [](const PlainEvent& e) {
       return e.lane == LaneId(0) ? std::nullopt : std::optional(e.lane.value() * 1.0);
     },
     6},
    {"value", number<&PlainEvent::value>, 100},
    {"payload",
     [](const PlainEvent& e) {
       return e.payload == 0 ? std::nullopt : std::optional(static_cast<double>(e.payload));
     },
     6},
    {"params.size",
     [](const PlainEvent& e) -> std::optional<double> {
       if (!e.params.contains("size")) return std::nullopt;
       return e.params["size"].get<double>();
     },
     100},
    {"params.pos.x",
     [](const PlainEvent& e) -> std::optional<double> {
       if (!e.params.contains("pos")) return std::nullopt;
       return e.params["pos"]["x"].get<double>();
     },
     100},
};

Sentence number_sentence(Random& random) {
  const NumberWord& word = random.of(kNumbers);
  double value = std::floor(static_cast<double>(random.below(1000)) / 1000 * word.most);
  if (random.below(3) == 0) value += 0.5;
  static constexpr const char* kOperators[] = {"==", "!=", "<", "<=", ">", ">="};
  const std::string op = random.of(kOperators);
  const auto get = word.get;
  return {fmt::format("{} {} {}", word.name, op, value), [=](const PlainEvent& e) {
            const std::optional<double> has = get(e);
            if (!has) return false;
            return op == "=="   ? *has == value
                   : op == "!=" ? *has != value
                   : op == "<"  ? *has < value
                   : op == "<=" ? *has <= value
                   : op == ">"  ? *has > value
                                : *has >= value;
          }};
}

std::string small(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(c));
  return text;
}

std::vector<std::string> lane_texts(const trace::Dictionary& dictionary, LaneId lane) {
  if (lane.is_none()) return {};
  return {dictionary.lane(lane).name, dictionary.path_text(lane)};
}

Sentence text_sentence(Random& random, const trace::Dictionary& dictionary) {
  static constexpr const char* kFields[] = {"category", "type",   "name",   "group",
                                            "lane",     "source", "target", "params.name"};
  static constexpr const char* kValues[] = {"state", "variable",      "type 1", "irq",
                                            "CPU 1", "machine/CPU 2", "ab",     "B"};
  static constexpr const char* kOperators[] = {"==", "!=", "contains", "in"};
  const std::string field = random.of(kFields);
  const std::string op = random.of(kOperators);
  std::string value = random.of(kValues);
  if (field == "category" && op != "contains") value = "state";
  const std::string text = op == "in" ? fmt::format("{} in [link, \"{}\"]", field, value)
                                      : fmt::format("{} {} \"{}\"", field, op, value);
  return {text, [=, &dictionary](const PlainEvent& e) {
            std::vector<std::string> texts;
            if (field == "category") texts = {std::string(name_of(e.category))};
            if (field == "type" || field == "name") texts = {e.type};
            if (field == "group") texts = {e.group};
            if (field == "lane") texts = lane_texts(dictionary, e.lane);
            if (field == "source") texts = lane_texts(dictionary, e.source);
            if (field == "target") texts = lane_texts(dictionary, e.target);
            if (field == "params.name" && e.params.contains("name")) texts = {e.params["name"]};
            if (texts.empty()) return false;
            const bool is_in = std::ranges::any_of(texts, [&](const std::string& t) {
              if (op == "contains") return small(t).contains(small(value));
              return t == value || (op == "in" && t == "link");
            });
            return is_in != (op == "!=");
          }};
}

// Names and values, a line each.
void append_texts(const json& value, std::string& texts) {
  if (value.is_structured()) {
    for (const auto& [name, inner] : value.items()) {
      if (value.is_object()) texts += '\n' + name;
      append_texts(inner, texts);
    }
  } else if (!value.is_null()) {
    texts += '\n' + (value.is_string() ? value.get<std::string>() : value.dump());
  }
}

Sentence word_sentence(Random& random, const trace::Dictionary& dictionary) {
  static constexpr const char* kWords[] = {"IRQ", "machine", "size", "42", "abc", "pos", "2"};
  const std::string word = random.of(kWords);
  return {word, [=, &dictionary](const PlainEvent& e) {
            std::string texts = e.type + '\n' + e.group + '\n' + dictionary.path_text(e.lane);
            if (!e.target.is_none()) texts += '\n' + dictionary.path_text(e.target);
            append_texts(e.params, texts);
            return small(texts).contains(small(word));
          }};
}

Sentence sentence(Random& random, const trace::Dictionary& dictionary, int conditions) {
  if (conditions <= 1) {
    const uint64_t which = random.below(10);
    return which < 6   ? number_sentence(random)
           : which < 9 ? text_sentence(random, dictionary)
                       : word_sentence(random, dictionary);
  }
  const int left = 1 + static_cast<int>(random.below(static_cast<uint64_t>(conditions - 1)));
  const Sentence a = sentence(random, dictionary, left);
  const Sentence b = sentence(random, dictionary, conditions - left);
  const bool is_and = random.below(2) == 0;
  const bool is_not = random.below(4) == 0;
  return {fmt::format("{}({} {} {})", is_not ? "!" : "", a.text, is_and ? "&&" : "or", b.text),
          [=](const PlainEvent& e) {
            const bool both = is_and ? a.oracle(e) && b.oracle(e) : a.oracle(e) || b.oracle(e);
            return both != is_not;
          }};
}

class FilterCompilerTest : public testing::Test {
 protected:
  FilterCompilerTest() {
    std::vector<Param> params;
    for (int i = 0; i < 20; ++i) {
      params.push_back({fmt::format(R"({{"size":{},"name":"{}","pos":{{"x":{}.5,"y":"2"}}}})",
                                    i * 5, i % 2 == 0 ? "ab" : "abC", i * 3),
                        std::string(static_cast<size_t>(i % 6), 'p')});
    }
    params.push_back(
        {R"({"list":[1,{"a":"deep"},"7"],"a.b":{"c":"esc\"aped\u00e9"},"flag":true})"});
    params.push_back(
        {R"({"size":"77","none":null,"big":9007199254740993,"rate":"1.5e2","reg":"1e2"})"});
    trace_ = build_rich(random_events(21, 5, 3000), params, folder_ / "t.weft");
    for (const store::Row& row : trace_->rows()) {
      for (uint64_t i = 0; i < row.count; ++i) all_.push_back({&row, trace_->record(row, i)});
    }
  }

  // How many events pass.
  size_t count(std::string_view text) const {
    const auto filter = compile_filter(text, *trace_);
    if (!filter) {
      ADD_FAILURE() << text << '\n' << filter.error().one_line(text);
      return 0;
    }
    size_t passing = 0;
    for (const FlatEvent& event : all_) {
      passing += (*filter)->for_row(*trace_, *event.row).passes(event.record) ? 1 : 0;
    }
    return passing;
  }
  std::string error(std::string_view text) const {
    const auto filter = compile_filter(text, *trace_);
    return filter ? "none" : filter.error().one_line(text);
  }

  ScratchFolder folder_;
  store::TracePtr trace_;
  std::vector<FlatEvent> all_;
};

TEST_F(FilterCompilerTest, AgreesWithAPlainReadingOfRandomExpressions) {
  const trace::Dictionary& dictionary = trace_->dictionary();
  std::vector<PlainEvent> events;
  for (const FlatEvent& event : all_) {
    // A size that is a text: read as a number by the language, not by the oracle.
    PlainEvent e = plain(*trace_, event);
    if (e.params.contains("size") && e.params["size"].is_string()) e.params["size"] = 77;
    events.push_back(std::move(e));
  }
  Random random{std::mt19937_64(22)};
  size_t mixed = 0;
  for (int i = 0; i < 600; ++i) {
    const Sentence s = sentence(random, dictionary, 1 + static_cast<int>(random.below(6)));
    const auto filter = compile_filter(s.text, *trace_);
    ASSERT_TRUE(filter) << s.text << ": " << filter.error().message;
    size_t passing = 0;
    for (size_t k = 0; k < events.size(); ++k) {
      const aggregate::RowFilter of_row = (*filter)->for_row(*trace_, *all_[k].row);
      const bool is_passing = of_row.passes(all_[k].record);
      ASSERT_EQ(is_passing, s.oracle(events[k])) << s.text << "\nevent " << k;
      passing += is_passing ? 1 : 0;
      ASSERT_TRUE(is_passing || !of_row.passes_all()) << s.text;
      ASSERT_FALSE(is_passing && of_row.passes_none()) << s.text;
      if (!is_passing) continue;
      const store::Record& r = all_[k].record;
      ASSERT_TRUE(of_row.may_pass(r.begin.ticks, r.duration.ticks, r.type)) << s.text;
      ASSERT_TRUE(of_row.begin().contains(r.begin.ticks)) << s.text;
      ASSERT_TRUE(of_row.duration().contains(r.duration.ticks)) << s.text;
      ASSERT_FALSE(of_row.passes_none_of(r.type)) << s.text;
    }
    mixed += passing > 0 && passing < events.size() ? 1 : 0;
  }
  EXPECT_GT(mixed, 300u);  // the expressions are not all trivial
}

TEST_F(FilterCompilerTest, ReadsParametersOfEveryShape) {
  EXPECT_GT(count("params.list.0 == 1"), 0u);
  EXPECT_EQ(count("params.list.0 == 1"), count("params.list.1.a == deep"));
  EXPECT_EQ(count("params.list.0 == 1"), count("params.list.2 == 7"));
  EXPECT_EQ(count("params.list.0 == 1"), count(R"(params."a.b".c == "esc\"apedé")"));
  EXPECT_EQ(count("params.list.0 == 1"), count("params.flag == true"));
  EXPECT_EQ(count("params.list.0 == 1"), count(R"("aped")"));
  EXPECT_EQ(count("params.list == 1"), 0u);
  EXPECT_EQ(count("params.list.3 != 1"), 0u);
  EXPECT_GT(count("params.none == null"), 0u);
  EXPECT_EQ(count("params.none == null"), count("params.big == 9007199254740993"));
  EXPECT_EQ(count("params.big == 9007199254740992"), 0u);
  EXPECT_EQ(count("params.none == null"), count("params.size == 77"));
  EXPECT_EQ(count("params.none == null"), count("params.rate == 150"));
  EXPECT_EQ(count("params.none == null"), count("params.reg == \"1e2\""));
  EXPECT_EQ(count("params.reg == 100"), 0u);
  EXPECT_EQ(count("params.name =~ /^AB$/i"), count("params.name == ab"));
}

TEST_F(FilterCompilerTest, TreatsWhatIsNotThereAsFalse) {
  const size_t states = count("category == state");
  EXPECT_GT(states, 0u);
  EXPECT_EQ(count("dur >= 0"), states);
  EXPECT_EQ(count("dur < 5 || !(dur < 5)"), all_.size());
  EXPECT_EQ(count("dur < 5 || dur >= 5"), states);
  EXPECT_EQ(count("dur == 3 || dur != 3"), states);
  EXPECT_EQ(count("dur != 2.5"), states);
  EXPECT_EQ(count("source != nobody"), count("category == link && !(source == nobody)") -
                                           count("category == link && !(source =~ //)"));
}

// covers B-04, XC-29: its own example, and what the words mean
TEST_F(FilterCompilerTest, HasTheWordsOfThePeers) {
  const std::string example = "dur > 5ms && name =~ /irq/ && cpu == 2";
  EXPECT_EQ(error(example), "none");
  EXPECT_EQ(count(R"(dur > 50 && name =~ /type/ && cpu == 2)"),
            count(R"(dur > 50 && type =~ /type/ && lane == "CPU 2")"));
  EXPECT_GT(count("dur > 50 && name =~ /type/ && cpu == 2"), 0u);
  EXPECT_EQ(count("cpu in [1, 2]"), count(R"(lane in ["CPU 1", "CPU 2"])"));
  EXPECT_EQ(count("type matches /1$/"), count("type =~ /1$/"));
  EXPECT_EQ(error("type == x && lane matches CPU"), "none");
  EXPECT_EQ(error("cpu == x"), "column 8: 'x' is not a number, and cpu is one");
}

TEST(CpuLanes, AreThoseThatAreCalledSoAndAllBelow) {
  trace::Dictionary dictionary;
  const auto add = [&](std::string name, LaneId parent = LaneId::none(),
                       trace::LaneKind kind = trace::LaneKind::kGroup) {
    dictionary.lanes.push_back({std::move(name), parent, kind, 0});
    return LaneId(static_cast<uint32_t>(dictionary.lanes.size() - 1));
  };
  const LaneId machine = add("machine 7");
  const LaneId cpu = add("CPU 2", machine);
  add("irq 5", cpu);
  add("cpu-11");
  add("cpu3");
  add("Proc 4", machine, trace::LaneKind::kCpu);
  add("cpus 9");
  add("CPU");
  add("cpu 99999999999999999999");
  using Number = std::optional<int64_t>;
  EXPECT_EQ(cpu_of_lanes(dictionary), (std::vector<Number>{{}, 2, 2, 11, 3, 4, {}, {}, {}}));
}

// A task is now here, now there: its events say it themselves.
TEST(Cpus, AreThoseOfTheLaneElseThoseThatTheEventSays) {
  const testing_traces::ScratchFolder folder;
  ThreadPool pool(1);
  auto builder = store::StoreBuilder::create({folder / "t.weft", "test"}, pool);
  trace::EventSink& sink = **builder;
  const LaneId cpu = sink.add_lane({"CPU 2", LaneId::none(), trace::LaneKind::kCpu, 0});
  const LaneId task = sink.add_lane({"task", LaneId::none(), trace::LaneKind::kThread, 0});
  const EventTypeId type = sink.type(trace::Category::kPunctual, "tick");
  const ParamsId on_1 = sink.params(R"({"cpu":1})"), on_2 = sink.params(R"({"n":7,"cpu":2})");
  sink.punctuals({{{{0}, ParamsId::none(), cpu, type},
                   {{1}, on_1, cpu, type},  // about another one
                   {{2}, on_1, task, type},
                   {{3}, on_2, task, type},
                   {{4}, sink.params(R"({"cpu":"none"})"), task, type},
                   {{5}, ParamsId::none(), task, type},
                   {{6}, sink.params(R"({"cpu":1.5})"), task, type},
                   {{7}, sink.params(R"({"cpu":18446744073709551615})"), task, type}}});
  const auto trace = (*builder)->finish();
  ASSERT_TRUE(trace);
  const auto lanes = cpu_of_lanes((*trace)->dictionary());
  std::vector<std::optional<int64_t>> found;
  EventStream events(*trace, Selection::all(**trace));
  for (Event event{}; events.next(event);)
    found.push_back(cpu_of_event(lanes, **trace, *event.row, *event.record));
  using Number = std::optional<int64_t>;
  EXPECT_EQ(found, (std::vector<Number>{2, 2, 1, 2, {}, {}, {}, {}}));
  const auto count = [&](std::string_view text) {
    const auto formula = compile_formula(text, **trace);
    EXPECT_TRUE(formula) << text;
    Selection selection = Selection::all(**trace);
    selection.narrow(**trace, *formula);
    EventStream passing(*trace, std::move(selection));
    uint64_t events_passing = 0;
    for (Event event{}; passing.next(event);) ++events_passing;
    return events_passing;
  };
  EXPECT_EQ(count("cpu == 2"), 3u);
  EXPECT_EQ(count("cpu != 2"), 3u);
  EXPECT_EQ(count("cpu in [1, 2]"), 4u);
  EXPECT_EQ(count("cpu < 2"), 2u);
  EXPECT_EQ(count("cpu > 1"), 5u);
  EXPECT_EQ(count("cpu == 1.5"), 1u);
  EXPECT_EQ(count("cpu > 1e18"), 1u);
  EXPECT_EQ(count("!(cpu >= 0)"), 2u);
  // All bits count of numbers beyond 63, too.
  EXPECT_EQ(count("params.cpu == 18446744073709551615"), 1u);
  EXPECT_EQ(count("params.cpu == 0xffffffffffffffff"), 1u);
  EXPECT_EQ(count("params.cpu == 18446744073709551614"), 0u);
  EXPECT_EQ(count("params.cpu > 18446744073709551614"), 1u);
  EXPECT_EQ(count("params.cpu > 18446744073709551615"), 0u);
}

TEST_F(FilterCompilerTest, ConvertsTimesToTheTicksOfTheTrace) {
  EXPECT_EQ(count("dur >= 1us"), count("dur >= 1000"));
  EXPECT_EQ(count("dur >= 0.05us"), count("dur >= 50ns"));
  const int64_t begin = trace_->range().begin.ticks;
  EXPECT_EQ(count("begin < +1us"), count(fmt::format("begin < {}", begin + 1000)));
  EXPECT_EQ(count("begin < 0% || end > 100%"), 0u);
  EXPECT_EQ(count("dur > 9223372036854775807 or dur < -9223372036854775808"), 0u);
  EXPECT_EQ(count("dur < 1e300 && dur > -1e300"), count("category == state"));
}

TEST_F(FilterCompilerTest, SaysWhatCannotBeCompared) {
  EXPECT_EQ(error("category < state"), "column 1: '<' compares numbers, and category is a text");
  EXPECT_EQ(error("category == stat"),
            "column 13: 'stat' is not a category (punctual, state, link, variable)");
  EXPECT_EQ(error("a && dur =~ /5/"), "column 6: '=~' compares texts, and dur is a number");
  EXPECT_EQ(error("dur > long"), "column 7: 'long' is not a number, and dur is one");
  EXPECT_EQ(error("dur > 5parsecs"),
            "column 7: '5parsecs' has an unknown unit (ps, ns, us, ms, s, min, h, d)");
  EXPECT_EQ(error("depth > 5ms"), "column 9: '5ms' is not a number");
  EXPECT_EQ(error("params.t > 5ms"),
            "column 12: '5ms' is not a plain number, as parameters are; as a text it is written in "
            "quotes");
  EXPECT_EQ(error("params.t > five"), "column 12: '>' compares numbers, and 'five' is none");
  EXPECT_TRUE(error("type =~ /(/").starts_with("column 9: regular expression '('"))
      << error("type =~ /(/");
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_FALSE(compile_filter("type == x", *trace_, stopped.get_token()));
}

TEST(TextPredicate, TakesWhatASymbolTableCallsAFunction) {
  for (const Comparison comparison : {Comparison::kEqual, Comparison::kContains}) {
    const auto test = TextPredicate::make(comparison, {{.text = "_ZN3Foo3barEi"}});
    ASSERT_TRUE(test);
    EXPECT_TRUE(test->passes("Foo::bar(int)"));
    EXPECT_TRUE(test->passes("_ZN3Foo3barEi"));
    EXPECT_FALSE(test->passes("Foo::bar(char)"));
    EXPECT_TRUE(test->may_pass_within("… Foo::bar(int) …"));
  }
}

}  // namespace
}  // namespace weft::query
