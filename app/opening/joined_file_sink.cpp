#include "app/opening/joined_file_sink.h"

#include <fmt/core.h>

#include <map>
#include <set>
#include <utility>

namespace weft::app {
namespace {

namespace fs = std::filesystem;

// Its last parts, as many as asked for, or as there are.
std::string last_parts(const fs::path& file, size_t count) {
  fs::path parts;
  for (auto at = file.end(); at != file.begin() && count > 0; --count) {
    --at;
    if (*at == file.root_path()) break;
    parts = parts.empty() ? *at : *at / parts;
  }
  return parts.string();
}

}  // namespace

std::vector<std::string> distinct_names(const std::vector<fs::path>& files) {
  std::vector<std::string> names(files.size());
  std::vector<size_t> parts(files.size(), 1);
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    std::map<std::string, std::set<fs::path>> files_called;
    for (size_t i = 0; i < files.size(); ++i) {
      names[i] = last_parts(files[i], parts[i]);
      files_called[names[i]].insert(files[i]);
    }
    for (size_t i = 0; i < files.size(); ++i) {
      if (files_called[names[i]].size() < 2 || last_parts(files[i], parts[i] + 1) == names[i])
        continue;
      ++parts[i];
      is_changed = true;
    }
  }
  std::map<std::string, int> said;
  for (std::string& name : names) {
    if (const int before = said[name]++; before > 0) name += fmt::format(" ({})", before + 1);
  }
  return names;
}

JoinedFileSink::JoinedFileSink(trace::EventSink& target, std::string file_name, JoinedFiles& joined)
    : PassingSink(target), file_name_(std::move(file_name)), joined_(joined) {
  file_lane_ = PassingSink::add_lane({.name = file_name_});
}

void JoinedFileSink::set_metadata(std::string_view key, std::string_view value) {
  PassingSink::set_metadata(file_name_ + ": " + std::string(key), value);
}

void JoinedFileSink::loss(std::string_view kind, const trace::LossPlace& place, uint64_t count,
                          bool is_damage) {
  PassingSink::loss(file_name_ + ": " + std::string(kind), place, count, is_damage);
}

void JoinedFileSink::progress(uint64_t bytes_done, uint64_t) {
  PassingSink::progress(joined_.bytes_before + bytes_done, joined_.bytes_total);
}

trace::Lane JoinedFileSink::below_file(trace::Lane lane) const {
  if (lane.parent.is_none()) lane.parent = file_lane_;
  return lane;
}

bool JoinedFileSink::agrees_on_time() {
  if (!joined_.time_base) {
    joined_.time_base = time_base_;
    PassingSink::set_time_base(time_base_);
  }
  has_other_time_base_ = *joined_.time_base != time_base_;
  return !has_other_time_base_;
}

}  // namespace weft::app
