// The pages of statistics of a trace: one that every trace has, and those of its type
// (formats::Page). Used by the panel "pages" and by `weftscope stats --page`.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/session/sql_answer.h"
#include "core/base/thread_pool.h"
#include "core/base/time.h"
#include "core/formats/formats.h"
#include "core/store/trace.h"

namespace weft::app {

// Counts the events of each type, in the whole trace and in the range side by side. (NX-12)
inline constexpr std::string_view kEventsPage = "events";

// All pages, kEventsPage first. Cheap; frame-safe.
std::vector<formats::Page> pages_of(const store::Trace& trace);

struct PageKey {
  store::TracePtr trace;
  std::string page;  // an id
  TimeRange range;
  bool operator==(const PageKey&) const = default;
};
struct PageAnswer {
  PageKey key;
  std::shared_ptr<const SqlAnswer> answer;
};
// nullopt if it was stopped. Worker threads only: reads what the page covers once or twice.
std::optional<PageAnswer> answer_page(const PageKey& key, ThreadPool& pool,
                                      const std::stop_token& stop);

}  // namespace weft::app
