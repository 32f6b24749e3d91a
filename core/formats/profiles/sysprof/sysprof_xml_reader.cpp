#include "core/formats/profiles/sysprof/sysprof_xml_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/formats/base/text.h"
#include "core/formats/base/xml_stream.h"
#include "core/formats/profiles/stack_text/call_tree.h"
#include "core/formats/profiles/stack_text/stack_output.h"

namespace weft::formats {
namespace {

struct CallNode {
  uint64_t object = 0, parent = 0;
  int64_t total = 0, self = 0;
  uint64_t offset = 0;
  std::vector<uint64_t> below = {};  // in order of the file
};

class SysprofXmlReader final : public XmlStream {
 public:
  SysprofXmlReader(trace::EventSink& sink, uint64_t memory_bytes)
      : XmlStream(sink), left_bytes_(memory_bytes / 2), output_(sink) {
    sink.set_time_base(TimeBase::kTicks);
  }

  Status finish() {
    if (order_.empty()) return fail("is a profile of sysprof without a tree of calls");
    std::vector<uint64_t> roots;
    for (const uint64_t id : order_) {
      const auto parent = nodes_.find(nodes_[id].parent);
      if (parent != nodes_.end()) {
        parent->second.below.push_back(id);
      } else if (nodes_[id].parent == 0) {
        roots.push_back(id);
      } else {
        ++met_;
        sink().loss("function without its caller", nodes_[id].offset);
      }
    }
    stack_text::CallTree tree(output_);
    for (const uint64_t root : roots) draw(root, tree);
    if (met_ < order_.size())
      sink().loss("function that is below none without a caller", trace::LossPlace::nowhere(),
                  order_.size() - met_);
    tree.begin("stacks");  // all are over
    output_.finish();
    return {};
  }

 private:
  bool has_events() const override { return !order_.empty(); }

  void begin_element(std::string_view name, std::span<const XmlAttribute> attributes) override {
    constexpr size_t kInList = 3;  // profile, nodes, node
    text_.clear();
    element_ = name;
    if (depth() != kInList) return;
    const auto id = std::ranges::find(attributes, std::string_view("id"), &XmlAttribute::name);
    id_ = id == attributes.end() ? 0 : parse_number<uint64_t>(id->value).value_or(0);
    node_ = {.offset = offset()};
    is_node_ = name == "node";
  }

  void end_element() override {
    constexpr size_t kInList = 3, kMember = 4;
    if (depth() == kMember) take_member(trimmed(text_));
    if (depth() == kInList && is_node_) add_node();
    text_.clear();
  }

  void add_text(std::string_view text) override {
    constexpr size_t kMostText = 1 << 16;
    if (text_.size() + text.size() <= kMostText) text_ += text;
  }

  void take_member(std::string_view text) {
    if (!is_node_) {
      if (element_ != "name") return;
      take_prefix(text, "\"");
      if (text.ends_with('"')) text.remove_suffix(1);
      if (claim(text.size())) types_.insert_or_assign(id_, output_.type_of({text}));
      return;
    }
    const auto number = parse_number<int64_t>(text);
    if (!number || *number < 0) return sink().loss("number that is none", offset());
    if (element_ == "object") node_.object = static_cast<uint64_t>(*number);
    if (element_ == "parent") node_.parent = static_cast<uint64_t>(*number);
    if (element_ == "total") node_.total = *number;
    if (element_ == "self") node_.self = *number;
  }

  void add_node() {
    is_node_ = false;
    if (id_ == 0 || nodes_.contains(id_))
      return sink().loss("node without a number of its own", node_.offset);
    if (!claim(sizeof node_)) return;
    nodes_.emplace(id_, node_);
    order_.push_back(id_);
  }

  bool claim(size_t bytes) {
    constexpr size_t kEntryBytes = 64;
    if (bytes + kEntryBytes > left_bytes_) {
      sink().loss("node beyond the reader's memory (--memory)", offset());
      return false;
    }
    left_bytes_ -= bytes + kEntryBytes;
    return true;
  }

  void draw(uint64_t root, stack_text::CallTree& tree) {
    struct Step {
      uint64_t id;
      size_t depth;
    };
    std::vector<Step> steps = {{root, 0}};
    while (!steps.empty() && sink().keep_going()) {
      const auto [id, depth] = steps.back();
      steps.pop_back();
      ++met_;
      const CallNode& node = nodes_[id];
      const auto type = types_.find(node.object);
      const EventTypeId frame =
          type == types_.end() ? output_.type_of({"(unknown)"}) : type->second;
      if (!tree.add(depth, frame, node.total, node.self)) {
        sink().loss("calls nested too deep", node.offset);
        continue;
      }
      for (auto below = node.below.rbegin(); below != node.below.rend(); ++below)
        steps.push_back({*below, depth + 1});
    }
  }

  uint64_t left_bytes_;
  stack_text::StackOutput output_;
  std::unordered_map<uint64_t, EventTypeId> types_;  // by the number of the object
  std::unordered_map<uint64_t, CallNode> nodes_;
  std::vector<uint64_t> order_;  // of the nodes in the file
  uint64_t met_ = 0;             // of those, on the way from the roots, or without a caller
  std::string text_, element_;
  uint64_t id_ = 0;
  CallNode node_;
  bool is_node_ = false;
};

}  // namespace

int sniff_sysprof_xml(std::span<const std::byte> head) {
  std::string_view text = trimmed(as_chars(head));
  if (!take_prefix(text, "<profile>")) return 0;
  const std::string_view rest = trimmed(text);
  return rest.starts_with("<size>") && rest.find("<call_tree>") != std::string_view::npos ? 100 : 0;
}

Status read_sysprof_xml(io::Source& source, trace::EventSink& sink, const ReadContext& context) {
  SysprofXmlReader reader(sink, context.memory_bytes);
  WEFT_TRY(reader.read(source));
  return reader.finish();
}

}  // namespace weft::formats
