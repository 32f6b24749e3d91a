#include "app/view/path_names.h"

#include <algorithm>

#include "core/base/text.h"

namespace weft::app {

PathNames::PathNames(const trace::Dictionary& dictionary) {
  for (const trace::Lane& lane : dictionary.lanes) {
    if (!lane.name.contains('/')) continue;
    longest_ = std::max(longest_, with_slash_.insert(printable(lane.name)).first->size());
  }
}

size_t PathNames::end_of_name(std::string_view path, size_t begin) const {
  const size_t first = std::min(path.find('/', begin), path.size());
  if (begin + longest_ <= first) return first;
  size_t end = path.size();
  while (end > first) {
    const std::string_view name = path.substr(begin, end - begin);
    if (name.size() <= longest_ && with_slash_.contains(name)) return end;
    end = path.rfind('/', std::min(end - 1, begin + longest_));
  }
  return first;
}

std::vector<size_t> PathNames::separators(std::string_view path) const {
  std::vector<size_t> places;
  for (size_t end = end_of_name(path, 0); end < path.size(); end = end_of_name(path, end + 1))
    places.push_back(end);
  return places;
}

}  // namespace weft::app
