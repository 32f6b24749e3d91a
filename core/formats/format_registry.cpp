#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/ascii.h"
#include "core/base/text.h"
#include "core/formats/formats.h"

// The trace types that are there: the program's own, and what was added at run time.
namespace weft::formats {
namespace {

// The registry; any thread may query added formats.
class Registry {
 public:
  Registry() {
    for (Format& format : built_in_formats())
      rows_.push_back(std::make_shared<const Format>(std::move(format)));
    built_in_ = rows_.size();
  }

  std::vector<FormatPtr> rows() const {
    const std::lock_guard lock(mutex_);
    return rows_;
  }

  void add_later(std::function<void()> add) {
    const std::lock_guard lock(later_mutex_);
    later_ = std::move(add);
  }

  void complete() {
    const std::lock_guard lock(later_mutex_);
    if (const auto add = std::exchange(later_, nullptr)) add();
  }

  FormatPtr find(std::string_view id) const {
    const std::lock_guard lock(mutex_);
    const auto it = place(id);
    return it == rows_.end() ? nullptr : *it;
  }

  Status add(Format format) {
    auto row = std::make_shared<const Format>(std::move(format));
    const std::lock_guard lock(mutex_);
    const auto at = static_cast<size_t>(place(row->id) - rows_.begin());
    if (at < built_in_) return fail(fmt::format("'{}' is a trace type of the program", row->id));
    if (at == rows_.size()) rows_.emplace_back();
    rows_[at] = std::move(row);
    return {};
  }

 private:
  std::vector<FormatPtr>::const_iterator place(std::string_view id) const {
    return std::ranges::find_if(rows_, [&](const FormatPtr& row) { return row->id == id; });
  }

  mutable std::mutex mutex_;
  std::vector<FormatPtr> rows_;
  size_t built_in_ = 0;
  std::mutex later_mutex_;  // held while they are added: who wants them waits
  std::function<void()> later_;
};

Registry& registry() {
  static Registry rows;
  return rows;
}

}  // namespace

std::vector<FormatPtr> formats() {
  registry().complete();
  return registry().rows();
}

std::vector<FormatPtr> present_formats() { return registry().rows(); }

FormatPtr format_from_id(std::string_view id) {
  if (FormatPtr present = registry().find(id)) return present;
  registry().complete();
  return registry().find(id);
}

void add_formats_later(std::function<void()> add) { registry().add_later(std::move(add)); }

Status add_format(Format format) {
  const auto is_of_word = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  if (format.id.empty() || !std::ranges::all_of(format.id, is_of_word))
    return fail(fmt::format("'{}' is not an id: a word of a-z, 0-9 and -", printable(format.id)));
  const auto has_no_name = [](const Page& page) { return page.id.empty() || page.title.empty(); };
  if (format.name.empty() || std::ranges::any_of(format.pages, has_no_name))
    return fail(fmt::format("'{}' has no name, or a page without one", format.id));
  return registry().add(std::move(format));
}

}  // namespace weft::formats
