#include "app/panels/figures/type_list.h"

#include <algorithm>

#include "app/panels/theme.h"

namespace weft::app {

bool TypeList::set(const std::vector<std::string>& heaviest) {
  if (heaviest == heaviest_) return false;
  heaviest_ = heaviest;
  choices_.clear();
  return true;
}

Choices TypeList::choices(const std::string& shown) {
  constexpr size_t kMostLetters = 60;
  if (!choices_.empty() && shown == shown_) return choices_;
  shown_ = shown;
  names_ = heaviest_;
  std::erase(names_, "");  // in options, the empty name is none
  if (!shown.empty()) {
    std::erase(names_, shown);
    names_.insert(names_.begin(), shown);
  }
  titles_.clear();
  for (const std::string& name : names_) {
    titles_.push_back(short_name(name, kMostLetters));
    std::ranges::replace(titles_.back(), '#', '_');  // ImGui hides what follows two of them
  }
  choices_.clear();
  for (size_t i = 0; i < names_.size(); ++i) choices_.push_back({names_[i], titles_[i].c_str()});
  return choices_;
}

}  // namespace weft::app
