#include "core/formats/general/chrome_json/fuchsia_kernel.h"

#include "core/base/saturating.h"
#include "core/base/time.h"
#include "core/formats/general/fxt/fxt_scheduling.h"

namespace weft::formats::chrome_json {
namespace {

using json::Element;
using json::member;

std::optional<uint64_t> number_of(std::optional<Element> object, std::string_view name) {
  const auto number = json::integer(member(object, name));
  return number && *number >= 0 ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

std::optional<Time> time_of(Element event) {
  const auto us = json::number(member(event, "ts"));
  const auto ns = us ? checked_round(*us * kNsPerUs) : std::nullopt;
  return ns ? std::optional(Time{*ns}) : std::nullopt;
}

bool is_idle(std::optional<Element> thread) {
  // Without priorities, idle threads are known by numbers that are addresses.
  constexpr int64_t kFirstAddress = 6'444'000'000;
  const auto priority = json::integer(member(thread, "prio"));
  if (priority) return *priority == 0;
  return json::integer(member(thread, "tid")).value_or(0) > kFirstAddress;
}

}  // namespace

void FuchsiaKernel::read() {
  const auto document = json::Document::parse(text_);
  if (!document || json::text(member(document->root(), "type")) != "fuchsia")
    return sink_.loss("systemTraceEvents of an unknown kind", offset_);
  json::for_each_element(member(document->root(), "events"), [&](Element event) { add(event); });
  kernel_.finish();
}

void FuchsiaKernel::add(Element event) {
  const std::string_view phase = json::text(member(event, "ph"));
  const auto pid = number_of(event, "pid"), tid = number_of(event, "tid");
  const std::string_view name = json::text(member(event, "name"));
  if (phase == "p" && pid) {
    known_.suggest_process_name(*pid, name);
    return objects_.describe(*pid, fxt::Objects::kProcess, name, 0);
  }
  if (phase == "t" && pid && tid) {
    known_.suggest_thread_name(*pid, *tid, name);
    return objects_.describe(*tid, fxt::Objects::kThread, name, *pid);
  }
  constexpr uint64_t kMostCpus = 1 << 16;
  const auto time = time_of(event);
  const auto cpu = number_of(event, "cpu");
  if (!time || !cpu || *cpu >= kMostCpus || (phase != "k" && phase != "w"))
    return sink_.loss("event of the kernel that is not understood", offset_);
  const ftrace::At at{*time, static_cast<uint32_t>(*cpu), offset_};
  if (phase == "k") return switch_threads(event, at);
  const auto woken = thread(event);
  if (!woken) return sink_.loss("event of the kernel that is not understood", offset_);
  if (*woken != 0)
    kernel_.wake(objects_.number_of(*woken), objects_.name_of(*woken), lanes().cpu(at.cpu), at);
}

void FuchsiaKernel::switch_threads(Element event, const ftrace::At& at) {
  const auto out = member(event, "out"), in = member(event, "in");
  const auto previous = thread(out), next = thread(in);
  if (!previous || !next) return sink_.loss("event of the kernel that is not understood", offset_);
  const auto state = json::integer(member(out, "state")).value_or(-1);
  kernel_.switch_tasks({.previous_name = objects_.name_of(*previous),
                        .next_name = objects_.name_of(*next),
                        .previous_state = fxt::name_of_thread_state(state),
                        .previous = objects_.number_of(*previous),
                        .next = objects_.number_of(*next)},
                       at);
}

std::optional<uint64_t> FuchsiaKernel::thread(std::optional<Element> of) {
  if (is_idle(of)) return 0;
  const auto tid = number_of(of, "tid"), pid = number_of(of, "pid");
  if (tid && pid && *tid > 0) objects_.thread({*pid, *tid});
  return tid;
}

}  // namespace weft::formats::chrome_json
