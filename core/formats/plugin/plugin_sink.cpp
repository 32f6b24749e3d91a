#include "core/formats/plugin/plugin_sink.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/text.h"

namespace weft::formats {
namespace {

using trace::Category;

constexpr size_t kBatch = 4096;          // events that are handed on together
constexpr uint64_t kParamsKept = 65536;  // part of the interface
constexpr std::chrono::milliseconds kBetweenSendings{50};
constexpr int kSendings = 2;  // with the first the sink may wait, since it has just sent something

// The other side of weftscope_reading: each function of the interface is one here. A thread hands
// events on while the plugin does something else, so that little is lost with a plugin that dies.
class Host {
 public:
  Host(io::Source& source, trace::EventSink& sink, const ReadContext& context)
      : source_(source), sink_(sink), context_(context), path_(source.path().string()) {}

  weftscope_reading interface();
  Status finish(int answer);

 private:
  // The host, which nobody else touches meanwhile.
  class Held {
   public:
    explicit Held(Host& host) : lock_(host.mutex_), host_(host) {}
    Host* operator->() const { return &host_; }

   private:
    std::lock_guard<std::mutex> lock_;
    Host& host_;
  };
  static Held of(void* host) { return Held(*static_cast<Host*>(host)); }
  // Texts may be null.
  static std::string text(const char* text) { return text == nullptr ? "" : valid_utf8(text); }

  size_t read_bytes(void* to, size_t size);
  const char* option(const char* name) const;
  uint32_t add_lane(const char* name, uint32_t parent, weftscope_lane_kind kind);
  uint32_t add_type(weftscope_category category, const char* name, const char* group);
  uint64_t params(const char* json, const void* payload, size_t payload_bytes);
  void punctual(uint32_t lane, uint32_t type, int64_t time, uint64_t params);
  void state(uint32_t lane, uint32_t type, int64_t begin, int64_t duration, uint64_t params);
  void link(const trace::LinkEvent& event);
  void variable(uint32_t lane, uint32_t type, int64_t time, double value, uint64_t params);

  // Counts nonsense.
  void nonsense(std::string_view what) { loss(what, source_.offset()); }
  void loss(std::string_view kind, uint64_t offset) {
    sink_.loss(kind, offset);
    sendings_due_ = kSendings;
  }
  bool knows(uint32_t lane) const { return lane < lanes_.size(); }
  // Whether an event may be of them; if not it is counted.
  bool is_event(uint32_t type, Category category, uint64_t params);
  LaneId lane(uint32_t number) const { return knows(number) ? lanes_[number] : LaneId::none(); }
  EventTypeId type(uint32_t number) const { return types_[number].id; }
  bool knows_params(uint64_t number) const {
    return number < params_count_ && params_count_ - number <= kParamsKept;
  }
  ParamsId params_id(uint64_t number) const {
    return number == WEFTSCOPE_NO_PARAMS ? ParamsId::none() : params_[number % kParamsKept];
  }
  template <class Event>
  void add(std::vector<Event>& events, const Event& event) {
    events.push_back(event);
    sendings_due_ = kSendings;
    if (events.size() == kBatch) flush();
  }
  void flush();
  void send_by_time(const std::stop_token& stop);

  struct Type {
    EventTypeId id;
    Category category;
  };

  io::Source& source_;
  trace::EventSink& sink_;
  const ReadContext& context_;
  std::string path_;
  std::vector<LaneId> lanes_;
  std::vector<Type> types_;
  std::vector<ParamsId> params_;  // a ring
  uint64_t params_count_ = 0;
  std::map<std::pair<Category, std::pair<std::string, std::string>>, uint32_t> type_numbers_;
  std::vector<trace::PunctualEvent> punctuals_;
  std::vector<trace::StateEvent> states_;
  std::vector<trace::LinkEvent> links_;
  std::vector<trace::VariableSample> variables_;
  std::optional<Error> error_;  // of the source
  std::string reason_;          // of the plugin
  int sendings_due_ = 0;        // until the last event and loss are on their way
  std::mutex mutex_;            // guards all of this
  std::condition_variable_any finished_;
  std::jthread sender_{[this](const std::stop_token& stop) { send_by_time(stop); }};
};

weftscope_reading Host::interface() {
  return {
      .version = WEFTSCOPE_READER_VERSION,
      .host = this,
      .path = path_.c_str(),
      .read_bytes = [](void* host, void* to,
                       size_t size) { return of(host)->read_bytes(to, size); },
      .keep_going = [](void* host) { return of(host)->sink_.keep_going() ? 1 : 0; },
      .option = [](void* host, const char* name) { return of(host)->option(name); },
      .set_time_unit =
          [](void* host, weftscope_time_unit unit) {
            const auto number = static_cast<unsigned>(unit);
            if (number > static_cast<unsigned>(TimeBase::kTicks))
              return of(host)->nonsense("unit of time that is none");
            of(host)->sink_.set_time_base(static_cast<TimeBase>(number));
          },
      .set_metadata =
          [](void* host, const char* key, const char* value) {
            of(host)->sink_.set_metadata(text(key), text(value));
          },
      .add_lane = [](void* host, const char* name, uint32_t parent,
                     weftscope_lane_kind kind) { return of(host)->add_lane(name, parent, kind); },
      .add_type = [](void* host, weftscope_category category, const char* name,
                     const char* group) { return of(host)->add_type(category, name, group); },
      .set_color =
          [](void* host, uint32_t type, uint32_t rgb) {
            const Held self = of(host);
            if (type >= self->types_.size() || rgb > 0xFFFFFF)
              return self->nonsense("colour that makes no sense");
            self->sink_.set_type_color(self->type(type), rgb);
          },
      .params = [](void* host, const char* json, const void* payload,
                   size_t bytes) { return of(host)->params(json, payload, bytes); },
      .punctual = [](void* host, uint32_t lane, uint32_t type, int64_t time,
                     uint64_t params) { of(host)->punctual(lane, type, time, params); },
      .state = [](void* host, uint32_t lane, uint32_t type, int64_t begin, int64_t duration,
                  uint64_t params) { of(host)->state(lane, type, begin, duration, params); },
      .link =
          [](void* host, uint32_t source, int64_t send, uint32_t target, int64_t receive,
             uint32_t type, uint64_t params) {
            const Held self = of(host);
            if (!self->is_event(type, Category::kLink, params)) return;
            const bool is_known = (self->knows(source) || source == WEFTSCOPE_NO_LANE) &&
                                  (self->knows(target) || target == WEFTSCOPE_NO_LANE) &&
                                  (self->knows(source) || self->knows(target));
            if (!is_known) return self->nonsense("link between lanes that were not added");
            self->link({.send = {send},
                        .receive = {receive},
                        .params = self->params_id(params),
                        .source = self->lane(source),
                        .target = self->lane(target),
                        .type = self->type(type)});
          },
      .variable = [](void* host, uint32_t lane, uint32_t type, int64_t time, double value,
                     uint64_t params) { of(host)->variable(lane, type, time, value, params); },
      .loss =
          [](void* host, const char* kind, uint64_t offset) {
            of(host)->loss(kind == nullptr ? "loss without a name" : text(kind), offset);
          },
      .fail = [](void* host, const char* reason) { of(host)->reason_ = text(reason); },
  };
}

size_t Host::read_bytes(void* to, size_t size) {
  if (to == nullptr || size == 0 || error_) return 0;
  auto got = source_.read({static_cast<std::byte*>(to), size});
  sink_.progress(source_.disk_bytes_read(), source_.disk_bytes_total());
  if (got) return *got;
  error_ = std::move(got).error();
  return 0;
}

const char* Host::option(const char* name) const {
  const auto option = name == nullptr ? context_.options.end() : context_.options.find(name);
  return option == context_.options.end() ? nullptr : option->second.c_str();
}

uint32_t Host::add_lane(const char* name, uint32_t parent, weftscope_lane_kind kind) {
  const auto number = static_cast<unsigned>(kind);
  const bool is_kind = number <= static_cast<unsigned>(trace::LaneKind::kCounter);
  if (!is_kind || (parent != WEFTSCOPE_NO_LANE && !knows(parent)))
    nonsense("lane of a kind or below a lane that there is not");
  lanes_.push_back(
      sink_.add_lane({text(name), lane(parent),
                      is_kind ? static_cast<trace::LaneKind>(number) : trace::LaneKind{}}));
  return static_cast<uint32_t>(lanes_.size() - 1);
}

uint32_t Host::add_type(weftscope_category category, const char* name, const char* group) {
  const auto number = static_cast<unsigned>(category);
  if (number >= trace::kCategoryCount) {
    nonsense("type of no category");
    return UINT32_MAX;
  }
  const auto of = static_cast<Category>(number);
  const auto next = static_cast<uint32_t>(types_.size());
  const auto [it, is_new] = type_numbers_.try_emplace({of, {text(name), text(group)}}, next);
  if (is_new)
    types_.push_back({sink_.type(of, it->first.second.first, it->first.second.second), of});
  return it->second;
}

uint64_t Host::params(const char* json, const void* payload, size_t payload_bytes) {
  std::string_view object = json == nullptr ? "" : json;
  if (!object.empty() && !nlohmann::json::parse(object, nullptr, false).is_object()) {
    nonsense("parameters that are not a JSON object");
    object = {};
  }
  if (object == "{}") object = {};
  const auto* bytes = static_cast<const std::byte*>(payload);
  const std::span<const std::byte> raw(bytes, bytes == nullptr ? 0 : payload_bytes);
  if (object.empty() && raw.empty()) return WEFTSCOPE_NO_PARAMS;
  if (params_.size() < kParamsKept) params_.emplace_back();
  params_[params_count_ % kParamsKept] = sink_.params(object, raw);
  return params_count_++;
}

bool Host::is_event(uint32_t type, Category category, uint64_t params) {
  const bool is_of_type = type < types_.size() && types_[type].category == category;
  const bool has_params = params == WEFTSCOPE_NO_PARAMS || knows_params(params);
  if (!is_of_type) nonsense("event of a type that was not added, or of another category");
  if (is_of_type && !has_params) nonsense("event with parameters that are not known");
  return is_of_type && has_params;
}

void Host::punctual(uint32_t lane, uint32_t type, int64_t time, uint64_t params) {
  if (!is_event(type, Category::kPunctual, params)) return;
  if (!knows(lane)) return nonsense("event on a lane that was not added");
  add(punctuals_, {{time}, params_id(params), lanes_[lane], this->type(type)});
}

void Host::state(uint32_t lane, uint32_t type, int64_t begin, int64_t duration, uint64_t params) {
  if (!is_event(type, Category::kState, params)) return;
  if (!knows(lane)) return nonsense("event on a lane that was not added");
  int64_t end = 0;
  if (duration < 0 || __builtin_add_overflow(begin, duration, &end))
    return nonsense("state of a length that cannot be");
  add(states_, {.begin = {begin},
                .duration = {duration},
                .params = params_id(params),
                .lane = lanes_[lane],
                .type = this->type(type)});
}

void Host::link(const trace::LinkEvent& event) { add(links_, event); }

void Host::variable(uint32_t lane, uint32_t type, int64_t time, double value, uint64_t params) {
  if (!is_event(type, Category::kVariable, params)) return;
  if (!knows(lane)) return nonsense("event on a lane that was not added");
  if (!std::isfinite(value)) return nonsense("value that is not a number");
  add(variables_, {{time}, value, params_id(params), lanes_[lane], this->type(type)});
}

void Host::flush() {
  sink_.punctuals(punctuals_);
  sink_.states(states_);
  sink_.links(links_);
  sink_.variables(variables_);
  punctuals_.clear();
  states_.clear();
  links_.clear();
  variables_.clear();
}

// Sends nothing for a plugin that adds nothing: by that it is known that one goes round in circles.
void Host::send_by_time(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!finished_.wait_for(lock, stop, kBetweenSendings, [&] { return stop.stop_requested(); })) {
    if (sendings_due_ == 0) continue;
    --sendings_due_;
    flush();
    sink_.progress(source_.disk_bytes_read(), source_.disk_bytes_total());
  }
}

Status Host::finish(int answer) {
  sender_ = {};
  flush();
  if (error_) return std::unexpected(*std::move(error_));
  if (answer == 0) return {};
  return fail(reason_.empty() ? "the plugin cannot read it" : printable(reason_));
}

}  // namespace

Status read_by_plugin(const weftscope_trace_type& plugin, io::Source& source,
                      trace::EventSink& sink, const ReadContext& context) {
  Host host(source, sink, context);
  const weftscope_reading reading = host.interface();
  return host.finish(plugin.read(&reading));
}

}  // namespace weft::formats
