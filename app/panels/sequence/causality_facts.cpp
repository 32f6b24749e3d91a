#include "app/panels/sequence/causality_facts.h"

#include <algorithm>
#include <set>

#include "core/query/filter/param_predicate.h"
#include "core/trace/message_id.h"

namespace weft::app {
namespace {

using query::Causal;
using query::Causality;
using query::CausalMessage;
using query::CausalTree;
using query::Element;
using query::Elements;
using query::LinkEnds;

// The ends of a message, from whichever end it is identified.
LinkEnds ends_of_ref(const query::ElementRef& ref) {
  store::Record record;
  record.begin = ref.begin;
  record.duration = ref.duration;
  record.peer = ref.peer;
  record.type = ref.type;
  return query::ends_of(ref.kind, ref.lane, record);
}

class FactsMaker {
 public:
  FactsMaker(const CausalityKey& key, const std::stop_token& stop)
      : stop_(stop), elements_(key.trace), causality_(elements_) {
    facts_.key = key;
  }

  std::optional<CausalityFacts> make() {
    const auto element = elements_.find(facts_.key.element);
    if (!element) return std::move(facts_);
    constexpr size_t kMost = CausalityFacts::kMostMessages;
    const CausalTree causes = causality_.tree(*element, Causal::kCauses, kMost, stop_);
    const CausalTree effects = causality_.tree(*element, Causal::kEffects, kMost, stop_);
    facts_.is_cut = causes.is_cut || effects.is_cut;
    find_path(*element);
    own_ = own_line(*element, causes);
    add_lines(causes, -1);
    std::ranges::reverse(facts_.lines);
    facts_.causes = facts_.own_line = facts_.lines.size();
    facts_.lines.push_back(own_);
    add_lines(effects, 1);
    facts_.effects = facts_.lines.size() - facts_.own_line - 1;
    facts_.fields.assign(fields_.begin(), fields_.end());
    if (stop_.stop_requested()) return std::nullopt;
    return std::move(facts_);
  }

 private:
  // Whichever of the two comes first leads to the other.
  void find_path(const Element& element) {
    if (!facts_.key.path_end) return;
    const auto end = elements_.find(*facts_.key.path_end);
    if (!end) return;
    constexpr size_t kMost = CausalityFacts::kMostOfPath;
    facts_.path = query::critical_path(causality_, *end, element, kMost, stop_);
    if (!facts_.path) facts_.path = query::critical_path(causality_, element, *end, kMost, stop_);
    if (!facts_.path) return;
    for (const CausalMessage& message : facts_.path->messages) on_path_.push_back(message.ends);
  }

  CausalLine line_of(const CausalMessage& message) {
    CausalLine line;
    line.element = elements_.at(message.place).value_or(Element{});
    line.ends = message.ends;
    line.handling = message.handling;
    line.distance = message.distance;
    line.travel = query::latency_of(*facts_.key.trace, message.ends);
    line.waiting = message.waiting();
    line.is_on_path = std::ranges::find(on_path_, message.ends) != on_path_.end();
    read_fields(message.record, line);
    return line;
  }

  void read_fields(const store::Record& record, CausalLine& line) {
    const store::Trace& trace = *facts_.key.trace;
    line.id = trace::message_id(trace.params(record.params).json);
    query::for_each_field_name(trace, record, [&](std::string_view name) {
      if (fields_.size() < CausalityFacts::kMostFields) fields_.emplace(name);
    });
    if (facts_.key.field.empty()) return;
    line.value = query::field_text(trace, record, facts_.key.field).value_or("");
  }

  CausalLine own_line(const Element& element, const CausalTree& causes) {
    CausalLine line;
    if (element.is_link() && !causes.messages.empty()) {
      line = line_of(causes.messages.front());
      line.total = line.travel;
    } else {
      line.total = element.record.duration;
      read_fields(element.record, line);
    }
    line.element = element;
    return line;
  }

  // All of the tree but the element itself.
  void add_lines(const CausalTree& tree, int way) {
    constexpr size_t kOwn = ~size_t{0};
    std::vector<size_t> line_of_message(tree.messages.size(), kOwn);
    const Element& own = own_.element;
    const Time begin = own.is_link() ? own_.ends.send : own.record.begin;
    const Time end = own.is_link() ? own_.ends.receive : query::span_of(own).end;
    for (const uint32_t i : depth_first(tree)) {
      if (stop_.stop_requested()) return;
      const CausalMessage& message = tree.messages[i];
      if (own.is_link() && message.distance == 0) continue;
      CausalLine line = line_of(message);
      line.way = way;
      if (!own.is_link()) ++line.distance;  // the state is the first
      if (line.has_both())
        line.total = way < 0 ? end - message.ends.send : message.ends.receive - begin;
      const size_t nearer =
          message.from == CausalMessage::kNone ? kOwn : line_of_message[message.from];
      note_change(nearer == kOwn ? own_ : facts_.lines[nearer], line);
      line_of_message[i] = facts_.lines.size();
      facts_.lines.push_back(std::move(line));
    }
  }

  // Of two messages, the later one is marked if its value differs from that of the earlier one.
  void note_change(CausalLine& nearer, CausalLine& farther) {
    if (nearer.value.empty() || farther.value.empty() || nearer.value == farther.value) return;
    (farther.way < 0 ? nearer : farther).has_changed = true;
  }

  const std::stop_token& stop_;
  Elements elements_;
  Causality causality_;
  CausalityFacts facts_;
  std::vector<LinkEnds> on_path_;
  CausalLine own_;
  std::set<std::string, std::less<>> fields_;
};

}  // namespace

bool CausalLine::is(const query::ElementRef& ref) const {
  if (query::is_link(ref.kind)) return is_message() && ends_of_ref(ref) == ends;
  return ref == element.ref || (handling.state && ref == handling.state->ref);
}

std::optional<CausalityFacts> make_causality_facts(const CausalityKey& key,
                                                   const std::stop_token& stop) {
  return FactsMaker(key, stop).make();
}

Sheet sheet_of(const std::shared_ptr<const CausalityFacts>& facts) {
  enum Column : size_t {
    kWay,
    kDistance,
    kId,
    kType,
    kSender,
    kReceiver,
    kSend,
    kReceive,
    kBegin,
    kEnd,
    kTravel,
    kWaiting,
    kTotal,
    kPath,
    kField
  };
  std::vector<std::string> columns = {"way",      "distance", "id",      "type",   "sender",
                                      "receiver", "send",     "receive", "begin",  "end",
                                      "travel",   "waiting",  "total",   "on_path"};
  if (!facts->key.field.empty()) columns.push_back(facts->key.field);
  const uint64_t count = facts->lines.size();
  return sheet_of_cells(std::move(columns), count, [facts](uint64_t row, size_t column) -> Cell {
    const CausalLine& line = facts->lines[row];
    const trace::Dictionary& dictionary = facts->key.trace->dictionary();
    const bool is_sent = line.is_message() && line.ends.is_sent();
    const bool is_received = line.is_message() && line.ends.is_received();
    const auto when = [](bool is_known, auto value) { return is_known ? Cell(value) : Cell(); };
    const auto length = [](std::optional<Duration> d) { return d ? Cell(d->ticks) : Cell(); };
    switch (column) {
      case kWay:
        return line.way < 0 ? "cause" : line.way > 0 ? "effect" : "";
      case kDistance:
        return uint64_t{line.distance};
      case kId:
        return when(line.id.has_value(), line.id.value_or(0));
      case kType:
        return std::string(dictionary.type(line.element.record.type).name);
      case kSender:
        return is_sent ? dictionary.path_text(line.ends.source) : Cell();
      case kReceiver:
        return is_received ? dictionary.path_text(line.ends.target) : Cell();
      case kSend:
        return when(is_sent, line.ends.send.ticks);
      case kReceive:
        return when(is_received, line.ends.receive.ticks);
      case kBegin:
        return is_received ? line.handling.begin.ticks : line.element.record.begin.ticks;
      case kEnd:
        if (!line.is_message()) return line.element.record.end().ticks;
        return line.handling.state ? Cell(line.handling.state->record.end().ticks) : Cell();
      case kTravel:
        return length(line.travel);
      case kWaiting:
        return when(is_received, line.waiting.ticks);
      case kTotal:
        return length(line.total);
      case kPath:
        return uint64_t{line.is_on_path};
      default:
        return line.value;
    }
  });
}

}  // namespace weft::app
