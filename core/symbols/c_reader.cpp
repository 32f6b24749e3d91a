#include "core/symbols/c_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/symbols/c_expression.h"
#include "core/symbols/c_layout.h"

namespace weft::symbols {
namespace {

constexpr int kMostNestedStructs = 100;  // of structs within structs

constexpr std::string_view kNotUnderstood = "declaration that was not understood";

template <size_t N>
bool is_one_of(const Token& token, const std::array<std::string_view, N>& words) {
  return token.is_word() && std::ranges::find(words, token.text) != words.end();
}

constexpr std::array<std::string_view, 20> kIgnored = {
    "const",    "volatile",   "extern",        "register",  "inline",
    "restrict", "auto",       "__extension__", "__const",   "__volatile",
    "__inline", "__inline__", "__restrict",    "_Noreturn", "constexpr",
    "mutable",  "_Atomic",    "_Thread_local", "signed__",  "__thread"};
constexpr std::array<std::string_view, 8> kBaseWords = {"signed", "unsigned", "short", "long",
                                                        "int",    "char",     "float", "double"};
constexpr std::array<std::string_view, 3> kAccess = {"public", "private", "protected"};

// The declaration specifiers, with attributes.
struct Specifiers {
  CNodeId type = CNodeId::none();
  bool is_typedef = false;
  bool is_static = false;
  bool is_packed = false;
  uint32_t align = 0;
};

struct Declarator {
  std::string name;
  CNodeId type = CNodeId::none();
  bool is_function = false;
};

// The declarations of one file.
class Parser {
 public:
  Parser(std::span<const Token> tokens, CTree& tree) : tokens_(tokens), tree_(tree) {}

  void run() {
    while (now().kind != Token::Kind::kEnd) {
      const size_t before = at_;
      parse_external();
      if (at_ == before) ++at_;
    }
  }

 private:
  const Token& now() const { return tokens_[at_]; }
  const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  void step() {
    if (now().kind != Token::Kind::kEnd) ++at_;
  }
  bool take(std::string_view what) {
    if (!now().is(what)) return false;
    ++at_;
    return true;
  }

  // From an opening bracket to behind the one that closes it.
  void skip_brackets() {
    int depth = 0;
    do {
      const Token& token = now();
      if (token.kind == Token::Kind::kEnd) return;
      if (token.is("(") || token.is("[") || token.is("{")) ++depth;
      if (token.is(")") || token.is("]") || token.is("}")) --depth;
      ++at_;
    } while (depth > 0);
  }
  std::vector<Token> bracketed() {
    const size_t begin = at_ + 1;
    skip_brackets();
    const size_t end = at_ > begin ? at_ - 1 : begin;
    return {tokens_.begin() + static_cast<ptrdiff_t>(begin),
            tokens_.begin() + static_cast<ptrdiff_t>(end)};
  }
  // Up to one of these signs, brackets passed over whole.
  std::vector<Token> tokens_until(std::string_view a, std::string_view b, std::string_view c) {
    const size_t begin = at_;
    while (now().kind != Token::Kind::kEnd && !now().is(a) && !now().is(b) && !now().is(c) &&
           !now().is("}") && !now().is(")")) {
      now().is("(") || now().is("[") || now().is("{") ? skip_brackets() : step();
    }
    return {tokens_.begin() + static_cast<ptrdiff_t>(begin),
            tokens_.begin() + static_cast<ptrdiff_t>(at_)};
  }
  // Behind the next semicolon, or the body of a function.
  void recover() {
    while (now().kind != Token::Kind::kEnd && !now().is("}")) {
      if (take(";")) return;
      const bool is_body = now().is("{");
      is_body || now().is("(") || now().is("[") ? skip_brackets() : step();
      if (is_body) return void(take(";"));
    }
  }

  void set_pack() {
    step();
    if (!now().is("(")) return;
    const std::vector<Token> words = bracketed();
    const auto has = [&](std::string_view word) {
      return std::ranges::any_of(words, [&](const Token& token) { return token.is(word); });
    };
    if (has("push")) packs_.push_back(pack_);
    if (has("pop") && !packs_.empty()) {
      pack_ = packs_.back();
      packs_.pop_back();
    }
    if (words.empty()) pack_ = 0;
    for (const Token& token : words) {
      if (const auto value = constant_of({&token, 1})) pack_ = *value;
    }
  }

  static std::optional<uint32_t> constant_of(std::span<const Token> tokens) {
    const ExpressionNames nothing{[](std::string_view) { return std::nullopt; },
                                  [](std::span<const Token>) { return std::nullopt; }};
    const auto value = evaluate(tokens, nothing);
    return value && *value >= 0 && *value <= 4096 ? std::optional(static_cast<uint32_t>(*value))
                                                  : std::nullopt;
  }

  // __attribute__((packed, aligned(8))), _Alignas(8); false: there is none here.
  bool take_attribute(bool& is_packed, uint32_t& align) {
    const bool is_alignas = now().is("_Alignas") || now().is("alignas");
    if (!is_alignas && !now().is("__attribute__") && !now().is("__attribute")) return false;
    step();
    if (!now().is("(")) return true;
    const std::vector<Token> words = bracketed();
    if (is_alignas) align = constant_of(words).value_or(align);
    for (size_t i = 0; i < words.size(); ++i) {
      if (words[i].is("packed") || words[i].is("__packed__")) is_packed = true;
      const bool is_aligned = words[i].is("aligned") || words[i].is("__aligned__");
      if (is_aligned && i + 2 < words.size())
        align = constant_of({&words[i + 2], 1}).value_or(align);
    }
    return true;
  }

  void parse_external() {
    if (now().kind == Token::Kind::kPack) return set_pack();
    if (take(";") || take("}")) return;  // of a namespace, or extern "C"
    if (now().is("extern") && next().kind == Token::Kind::kText) {
      at_ += 2;
      return void(take("{"));
    }
    if (now().is("namespace")) {
      while (now().kind != Token::Kind::kEnd && !now().is("{") && !now().is(";")) step();
      return step();
    }
    const uint32_t line = now().line;
    if (!parse_declaration()) {
      tree_.report.add(kNotUnderstood, {line, trace::PlaceUnit::kLine}, 1, false);
      recover();
    }
  }

  bool parse_declaration() {
    const auto specifiers = parse_specifiers();
    if (!specifiers) return false;
    if (take(";")) return true;
    for (;;) {
      const auto declarator = parse_declarator(specifiers->type);
      if (!declarator) return false;
      if (specifiers->is_typedef && !declarator->is_function)
        name_node(declarator->name, declarator->type);
      while (now().is_word() && (next().is("(") || now().is("__asm__"))) {  // __attribute__, asm
        step();
        if (now().is("(")) skip_brackets();
      }
      if (declarator->is_function && now().is("{")) {
        skip_brackets();
        return true;
      }
      if (take("=")) tokens_until(",", ";", ";");
      if (take(";")) return true;
      if (!take(",")) return false;
    }
  }

  void name_node(const std::string& name, CNodeId node) {
    if (!name.empty()) tree_.named.try_emplace(name, node);
  }

  std::optional<Specifiers> parse_specifiers() {
    Specifiers specifiers;
    std::vector<std::string_view> words;
    for (;;) {
      const Token& token = now();
      if (token.is("typedef")) {
        specifiers.is_typedef = true;
        step();
      } else if (token.is("static")) {
        specifiers.is_static = true;
        step();
      } else if (is_one_of(token, kIgnored)) {
        step();
      } else if (take_attribute(specifiers.is_packed, specifiers.align)) {
      } else if (token.is("struct") || token.is("union") || token.is("enum")) {
        if (!specifiers.type.is_none() || !words.empty()) return std::nullopt;
        const auto node = token.is("enum") ? parse_enum() : parse_struct();
        if (!node) return std::nullopt;
        specifiers.type = *node;
      } else if (is_one_of(token, kBaseWords)) {
        words.push_back(token.text);
        step();
      } else if (token.is_word() && specifiers.type.is_none() && words.empty()) {
        specifiers.type = named_type(std::string(token.text), token.line);
        step();
      } else {
        break;
      }
    }
    if (!words.empty()) {
      const auto base = base_type(words, tree_.target);
      if (!base || !specifiers.type.is_none()) return std::nullopt;
      specifiers.type = tree_.add({.base = *base});
    }
    return specifiers.type.is_none() ? std::nullopt : std::optional(specifiers);
  }

  CNodeId named_type(std::string name, uint32_t line) {
    return tree_.add({.kind = CNode::Kind::kNamed, .line = line, .name = std::move(name)});
  }

  std::optional<CNodeId> parse_struct() {
    CNode node{.kind = now().is("union") ? CNode::Kind::kUnion : CNode::Kind::kStruct,
               .line = now().line,
               .pack = pack_};
    const std::string keyword(now().text);
    step();
    while (take_attribute(node.is_packed, node.align)) {
    }
    std::string tag;
    if (now().is_word()) {
      tag = keyword + ' ' + std::string(now().text);
      step();
    }
    if (now().is(":")) {  // bases of C++
      node.is_understood = false;
      tokens_until("{", ";", ";");
    }
    if (!now().is("{")) {
      return tag.empty() ? std::nullopt : std::optional(named_type(tag, node.line));
    }
    node.name = tag.empty() ? keyword : tag;
    if (++depth_ > kMostNestedStructs) return std::nullopt;
    step();
    while (!now().is("}") && now().kind != Token::Kind::kEnd) parse_member(node);
    --depth_;
    step();
    while (take_attribute(node.is_packed, node.align)) {
    }
    const CNodeId id = tree_.add(std::move(node));
    name_node(tag, id);
    return id;
  }

  void parse_member(CNode& node) {
    if (now().kind == Token::Kind::kPack) return set_pack();
    if (take(";")) return;
    if (is_one_of(now(), kAccess) && next().is(":")) {
      at_ += 2;
      return;
    }
    const uint32_t line = now().line;
    const size_t before = at_;
    if (parse_member_declaration(node)) return;
    tree_.report.add(kNotUnderstood, {line, trace::PlaceUnit::kLine}, 1, false);
    node.is_understood = false;
    recover();
    if (at_ == before && !now().is("}")) step();
  }

  bool parse_member_declaration(CNode& node) {
    const auto specifiers = parse_specifiers();
    if (!specifiers) return false;
    if (take(";")) {
      const CNode& type = tree_.nodes[specifiers->type.value()];
      const bool is_anonymous = type.name == "struct" || type.name == "union";
      if (is_anonymous) node.fields.push_back({.name = {}, .type = specifiers->type});
      return true;
    }
    for (;;) {
      Declarator declarator{.name = {}, .type = specifiers->type};
      if (!now().is(":")) {
        auto parsed = parse_declarator(specifiers->type);
        if (!parsed) return false;
        declarator = std::move(*parsed);
      }
      CField field{.name = std::move(declarator.name),
                   .type = declarator.type,
                   .is_packed = specifiers->is_packed,
                   .align = specifiers->align};
      if (take(":")) {
        field.is_bit_field = true;
        field.width = tokens_until(",", ";", "__attribute__");
      }
      while (take_attribute(field.is_packed, field.align)) {
      }
      if (!declarator.is_function && !specifiers->is_static && !specifiers->is_typedef)
        node.fields.push_back(std::move(field));
      if (declarator.is_function && now().is("{")) {
        skip_brackets();
        return true;
      }
      if (take("=")) tokens_until(",", ";", ";");
      if (take(";")) return true;
      if (!take(",")) return false;
    }
  }

  std::optional<CNodeId> parse_enum() {
    CNode node{.kind = CNode::Kind::kEnum, .line = now().line};
    step();
    while (take_attribute(node.is_packed, node.align)) {
    }
    if (now().is("class") || now().is("struct")) step();
    std::string tag;
    if (now().is_word()) {
      tag = "enum " + std::string(now().text);
      step();
    }
    if (take(":")) {
      const auto kept_in = parse_specifiers();
      if (!kept_in) return std::nullopt;
      node.element = kept_in->type;
    }
    if (!take("{")) {
      return tag.empty() ? std::nullopt : std::optional(named_type(tag, node.line));
    }
    node.name = tag.empty() ? "enum" : tag;
    std::optional<uint32_t> before;
    while (!now().is("}")) {
      if (!now().is_word()) return std::nullopt;
      CConstant constant{.name = now().text, .family = tag, .expression = {}};
      if (tag.empty()) constant.family = family_of_macro(now().text);
      step();
      bool is_packed = false;
      uint32_t align = 0;
      take_attribute(is_packed, align);
      if (take("=")) {
        constant.expression = tokens_until(",", "}", "}");
      } else {
        constant.before = before;
      }
      before = static_cast<uint32_t>(tree_.constants.size());
      node.enumerators.push_back(*before);
      tree_.constants.push_back(std::move(constant));
      if (!take(",") && !now().is("}")) return std::nullopt;
    }
    step();
    while (take_attribute(node.is_packed, node.align)) {
    }
    const CNodeId id = tree_.add(std::move(node));
    name_node(tag, id);
    return id;
  }

  CNodeId pointer() { return tree_.add({.kind = CNode::Kind::kPointer}); }

  // "*name[4]", "(*name)(int)", "name"; the name may be missing.
  std::optional<Declarator> parse_declarator(CNodeId type) {
    Declarator declarator{.name = {}, .type = type};
    bool is_packed = false;
    uint32_t align = 0;
    while (now().is("*") || now().is("&") || is_one_of(now(), kIgnored) ||
           take_attribute(is_packed, align)) {
      if (now().is("*") || now().is("&")) declarator.type = pointer();
      if (!now().is("__attribute__")) step();
    }
    if (now().is("(") && (next().is("*") || next().is("("))) {
      // To a function or an array: a pointer, whatever it leads to.
      step();
      while (now().is("*") || now().is("(") || is_one_of(now(), kIgnored)) step();
      if (now().is_word()) declarator.name = take_word();
      declarator.type = with_dimensions(pointer());
      while (take(")")) {
      }
      while (now().is("(") || now().is("[")) skip_brackets();
      return declarator;
    }
    if (now().is_word()) declarator.name = take_word();
    if (now().is("(")) {
      skip_brackets();
      declarator.is_function = true;
      while (is_one_of(now(), kIgnored)) step();
      return declarator;
    }
    if (declarator.name.empty() && !now().is("[")) return std::nullopt;
    declarator.type = with_dimensions(declarator.type);
    return declarator;
  }

  std::string take_word() {
    std::string word(now().text);
    step();
    return word;
  }

  CNodeId with_dimensions(CNodeId type) {
    std::vector<std::vector<Token>> dimensions;
    while (now().is("[")) dimensions.push_back(bracketed());
    for (size_t i = dimensions.size(); i-- > 0;) {
      type = tree_.add({.kind = CNode::Kind::kArray,
                        .line = now().line,
                        .element = type,
                        .count = std::move(dimensions[i])});
    }
    return type;
  }

  std::span<const Token> tokens_;
  CTree& tree_;
  size_t at_ = 0;
  uint32_t pack_ = 0;
  std::vector<uint32_t> packs_;
  int depth_ = 0;
};

}  // namespace

void CReader::add(std::string text) {
  Tokens tokens = tokens_of(texts_.emplace_back(std::move(text)));
  for (Macro& macro : tokens.macros) {
    tree_.constants.push_back({.name = macro.name.text,
                               .family = family_of_macro(macro.name.text),
                               .expression = std::move(macro.body)});
  }
  Parser(tokens.tokens, tree_).run();
}

Symbols CReader::finish() && { return lay_out(tree_); }

}  // namespace weft::symbols
