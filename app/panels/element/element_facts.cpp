#include "app/panels/element/element_facts.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <ranges>

#include "app/base/json.h"
#include "app/session/losses.h"
#include "core/base/text.h"
#include "core/query/thread_states.h"
#include "core/symbols/naming.h"
#include "core/trace/message_id.h"

namespace weft::app {
namespace {

using OrderedJson = nlohmann::ordered_json;

class ParamLines {
 public:
  explicit ParamLines(ElementFacts& facts) : facts_(facts) {}

  void add_below(const OrderedJson& json, uint32_t level) {
    size_t number = 0;
    for (const auto& [name, value] : json.items()) {
      add(json.is_array() ? fmt::format("[{}]", number++) : name, value, level);
    }
  }

 private:
  void add(std::string name, const OrderedJson& value, uint32_t level) {
    if (facts_.params.size() == ElementFacts::kMostParamLines) {
      facts_.params_are_cut = true;
      return;
    }
    const size_t line = facts_.params.size();
    facts_.params.push_back({level, 0, std::move(name), text_of(value)});
    if (!value.is_structured()) return;
    add_below(value, level + 1);
    facts_.params[line].below = static_cast<uint32_t>(facts_.params.size() - line - 1);
  }

  std::string text_of(const OrderedJson& value) {
    if (value.is_structured()) return {};
    std::string text = plain_text(value);
    if (text.size() > ElementFacts::kMostValueBytes) {
      text.resize(ElementFacts::kMostValueBytes);
      facts_.params_are_cut = true;
    }
    return text;
  }

  ElementFacts& facts_;
};

void add_params(const store::Params& params, ElementFacts& facts) {
  facts.payload_bytes = params.payload.size();
  const size_t kept = std::min(params.payload.size(), ElementFacts::kMostPayloadBytes);
  facts.payload.assign(params.payload.begin(),
                       params.payload.begin() + static_cast<ptrdiff_t>(kept));
  if (params.json.empty()) return;
  facts.params_text = params.json;
  const OrderedJson json = parse_json<OrderedJson>(params.json);
  if (json.is_structured()) {
    ParamLines(facts).add_below(json, 0);
  } else {
    facts.params.push_back({0, 0, "", facts.params_text.substr(0, ElementFacts::kMostValueBytes)});
  }
}

// nullopt if there is no payload, or no struct for it.
std::optional<symbols::Fields> fields_of(const symbols::Symbols& symbols, std::string_view type,
                                         std::span<const std::byte> payload) {
  const symbols::DataTypeId id = symbols::struct_of_type(symbols, type);
  if (payload.empty() || id.is_none()) return std::nullopt;
  return symbols::decode_payload(symbols, id, payload, symbols.target.is_big_endian);
}

std::vector<LinkFact> link_facts(const query::Elements& elements, const query::Links& links,
                                 bool is_sent) {
  std::vector<LinkFact> facts;
  for (const query::Element& link : links.links) {
    const query::LinkEnds ends = query::ends_of(link);
    facts.push_back({link, ends, is_sent ? elements.receiver_of(ends) : elements.sender_of(ends)});
  }
  return facts;
}

// What a thread that waits was woken by, which it receives when it runs again.
std::vector<LinkFact> wakers_of(const query::Elements& elements, const query::Element& wait,
                                const query::CausalTree& causes) {
  std::vector<LinkFact> wakers;
  if (!query::run_after(elements, wait)) return wakers;
  for (const query::CausalMessage& message : causes.messages) {
    if (message.from != query::CausalMessage::kNone) break;  // what led to these
    if (const auto link = elements.at(message.place))
      wakers.push_back({*link, message.ends, elements.sender_of(message.ends)});
  }
  return wakers;
}

// Of each direction so many, the nearest.
std::vector<layout::LinkItem> chain_of(const query::Elements& elements, const ElementFacts& facts,
                                       size_t most) {
  std::vector<layout::LinkItem> items;
  for (const auto* tree : {&facts.causes, &facts.effects}) {
    for (const query::CausalMessage& message : tree->messages | std::views::take(most)) {
      items.push_back({message.ends, 1});
    }
  }
  layout::find_ends(elements, items, {});
  return items;
}

}  // namespace

ElementFacts make_element_facts(const ElementFactsKey& key) {
  ElementFacts facts;
  facts.key = key;
  const query::Elements elements(key.trace);
  facts.element = elements.find(key.element);
  if (!facts.element) return facts;
  const query::Element& element = *facts.element;
  facts.parents = elements.parents_of(element);
  if (element.ref.kind == store::RowKind::kState) {
    facts.self = elements.self_time(element);
    const UnpairedEnds unpaired(key.trace->dictionary().report, key.trace->range().end);
    facts.lacks_end =
        unpaired.lacks_end(element.ref.lane, element.record.begin, element.record.end());
  }
  facts.instead = query::ran_instead(elements, element);
  const query::Links sent = elements.links_sent(element, ElementFacts::kMostLinks);
  const query::Links received = elements.links_received(element, ElementFacts::kMostLinks);
  facts.sent = link_facts(elements, sent, /*is_sent=*/true);
  facts.received = link_facts(elements, received, /*is_sent=*/false);
  facts.sent_count = sent.count;
  facts.received_count = received.count;
  if (element.is_link()) {
    facts.sender = elements.sender_of(query::ends_of(element));
    facts.receiver = elements.receiver_of(query::ends_of(element));
    facts.message_id = trace::message_id(key.trace->params(element.record.params).json);
  }
  const query::Causality causality(elements);
  facts.causes = causality.tree(element, query::Causal::kCauses, ElementFacts::kMostChain);
  facts.effects = causality.tree(element, query::Causal::kEffects, ElementFacts::kMostChain);
  facts.wakers = wakers_of(elements, element, facts.causes);
  facts.chain = chain_of(elements, facts, ElementFacts::kMostChain);
  facts.nearest = chain_of(elements, facts, ElementFacts::kMostDrawn);
  if (element.is_link() && !facts.effects.messages.empty())
    facts.handling = facts.effects.messages.front().handling;
  if (element.record.params.is_none()) return facts;
  const store::Params params = key.trace->params(element.record.params);
  add_params(params, facts);
  if (key.symbols)
    facts.fields = fields_of(*key.symbols, key.trace->dictionary().type(element.record.type).name,
                             params.payload);
  return facts;
}

query::ElementRef element_of(const store::Trace& trace, const layout::Hit& hit) {
  query::ElementRef ref;
  ref.type = hit.type;
  ref.begin = hit.begin;
  ref.duration = hit.duration;
  if (hit.kind != layout::Hit::Kind::kLink) {
    const store::Row& row = trace.row(hit.row);
    ref.lane = row.lane;
    ref.kind = row.kind;
    if (row.kind == store::RowKind::kState) ref.which = row.depth;
    if (row.kind == store::RowKind::kVariable) ref.which = row.variable.value();
    if (row.kind != store::RowKind::kState) ref.duration = {};
    return ref;
  }
  const bool is_sent = !hit.link.source.is_none();
  ref.kind = is_sent ? store::RowKind::kLinkOut : store::RowKind::kLinkIn;
  ref.lane = is_sent ? hit.link.source : hit.link.target;
  ref.peer = is_sent ? hit.link.target : hit.link.source;
  return ref;
}

namespace {

// "payload.position.x", and its value.
void add_fields(const symbols::Fields& fields, std::vector<std::pair<std::string, Cell>>& lines) {
  std::vector<std::string> path;
  for (const symbols::FieldLine& line : fields.lines) {
    path.resize(line.level);
    path.push_back((line.name.starts_with('[') ? "" : ".") + line.name);
    if (line.value.empty()) continue;
    std::string name = "payload";
    for (const std::string& part : path) name += part;
    lines.emplace_back(std::move(name), line.value);
  }
}

}  // namespace

Sheet sheet_of(const std::shared_ptr<const ElementFacts>& facts) {
  std::vector<std::pair<std::string, Cell>> lines;
  if (facts->element) {
    const trace::Dictionary& dictionary = facts->key.trace->dictionary();
    const query::Element& element = *facts->element;
    const trace::EventType& type = dictionary.type(element.record.type);
    lines = {{"type", std::string(type.name)},
             {"group", std::string(type.group)},
             {"lane", dictionary.path_text(element.ref.lane)},
             {"begin", element.record.begin.ticks}};
    const bool is_state = element.ref.kind == store::RowKind::kState;
    const bool has_peer = element.is_link() && !element.record.peer.is_none();
    if (has_peer) lines.emplace_back("peer", dictionary.path_text(element.record.peer));
    if (facts->message_id) lines.emplace_back("id", *facts->message_id);
    const bool is_measured = is_state || facts->key.trace->knows_latencies();
    if (is_measured && (has_peer || is_state))
      lines.emplace_back("duration", element.record.duration.ticks);
    if (is_state) lines.emplace_back("self", facts->self.ticks);
    if (element.ref.kind == store::RowKind::kVariable) {
      lines.emplace_back("value", element.record.value);
    }
    if (!facts->params_text.empty()) lines.emplace_back("params", facts->params_text);
    if (!facts->payload.empty()) lines.emplace_back("payload", hexadecimal(facts->payload));
    if (facts->fields) add_fields(*facts->fields, lines);
  }
  const uint64_t count = lines.size();
  return sheet_of_cells({"name", "value"}, count, [lines](uint64_t row, size_t column) {
    return column == 0 ? Cell(lines[row].first) : lines[row].second;
  });
}

}  // namespace weft::app
