#include "app/session/symbol_names.h"

#include <fmt/core.h>

#include <cstdint>
#include <optional>

#include "core/base/counted.h"
#include "core/base/dispose.h"
#include "core/symbols/payload.h"
#include "core/symbols/symbol_files.h"

namespace weft::app {
namespace {

// "7 lanes by QUEUE_".
std::string part(uint64_t named, std::string_view what, const std::string& family) {
  const std::string count = counted(named, what);
  return named == 0 ? count : fmt::format("{} by {}", count, family);
}

}  // namespace

// "symbols: names of 7 lanes by QUEUE_ and 8 types by enum MessageType; 12 structs known".
std::string NamedTrace::news() const {
  if (!symbols) return error.empty() ? std::string() : "symbols: " + error;
  const symbols::Target& target = symbols->target;
  const std::string order = target.is_big_endian ? " (big-endian)" : "";
  return fmt::format("symbols: names of {} and {}; {} known{}",
                     part(naming.lanes_named, "lane", naming.queues),
                     part(naming.types_named, "type", naming.types),
                     counted(symbols->structs.size(), "struct"), order);
}

namespace {

class StructReader final : public store::PayloadReader {
 public:
  StructReader(const trace::Dictionary& dictionary, std::shared_ptr<const symbols::Symbols> symbols)
      : symbols_(std::move(symbols)) {
    for (const trace::EventType& type : dictionary.types)
      structs_.push_back(symbols::struct_of_type(*symbols_, type.name));
  }

  std::string fields(EventTypeId type, std::span<const std::byte> payload) const override {
    if (type.value() >= structs_.size() || structs_[type.value()].is_none()) return {};
    return symbols::json_of(symbols::decode_payload(*symbols_, structs_[type.value()], payload,
                                                    symbols_->target.is_big_endian));
  }

 private:
  std::shared_ptr<const symbols::Symbols> symbols_;
  std::vector<symbols::DataTypeId> structs_;  // by type; none: not known
};

}  // namespace

NamedTrace with_names(const store::TracePtr& trace,
                      std::shared_ptr<const symbols::Symbols> symbols) {
  NamedTrace named{.trace = trace, .symbols = std::move(symbols)};
  named.naming = symbols::name_trace(trace->dictionary(), *named.symbols);
  const std::shared_ptr<const trace::Dictionary>& dictionary = named.naming.dictionary;
  std::shared_ptr<const store::PayloadReader> payloads;
  if (!named.symbols->structs.empty()) {
    payloads = std::make_shared<const StructReader>(dictionary ? *dictionary : trace->dictionary(),
                                                    named.symbols);
  }
  if (dictionary || payloads) named.trace = store::Trace::with_names(*trace, dictionary, payloads);
  return named;
}

void SymbolNames::set_paths(std::vector<std::filesystem::path> paths, std::function<void()> wake) {
  if (named_) dispose_of(std::move(named_));  // its thread may be reading sources still
  symbols_.reset();
  told_.clear();
  paths_ = std::move(paths);
  is_pending_ = !paths_.empty();
  if (paths_.empty()) return;
  using Read = std::optional<Result<std::shared_ptr<const symbols::Symbols>>>;
  const auto name = [paths = paths_, read = std::make_shared<Read>()](
                        const Key& trace,
                        const std::stop_token& stop) -> std::optional<NamedTrace> {
    if (!*read) {
      auto symbols = symbols::read_symbols(paths, stop);
      if (stop.stop_requested()) return std::nullopt;
      *read = std::move(symbols);
    }
    if (**read) return with_names(trace, ***read);
    return NamedTrace{.trace = trace, .error = (**read).error().message};
  };
  named_ = std::make_unique<Latest<Key, NamedTrace>>(name, std::move(wake));
}

store::TracePtr SymbolNames::of(const Key& trace) {
  if (!named_ || !trace) return trace;
  const auto found = named_->find(trace);
  is_pending_ = found.is_stale;
  if (!found.value) return nullptr;
  if (std::string news = found.value->news(); news != told_) {
    told_ = news;
    news_ = {.text = std::move(news), .is_error = !found.value->error.empty()};
  }
  symbols_ = found.value->symbols;
  return found.value->trace;
}

}  // namespace weft::app
