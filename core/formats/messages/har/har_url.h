// Parts of addresses, as they are shown.
#pragma once

#include <string>
#include <string_view>

#include "core/base/text.h"

namespace weft::formats::har {

struct Url {
  std::string_view origin;  // "https://example.org:8080"; empty where there is no host
  std::string_view host;
  std::string_view path;  // without the query
};

inline Url parts_of(std::string_view url) {
  Url parts;
  const size_t scheme = url.find("://");
  // In "data:image/png;base64,…", what follows the comma is not a path.
  if (scheme == std::string_view::npos || scheme > url.find(','))
    return {.origin = {}, .host = {}, .path = url.substr(0, url.find_first_of(",;?#"))};
  const size_t host = scheme + 3;
  const size_t end = std::min(url.find_first_of("/?#", host), url.size());
  parts.origin = url.substr(0, end);
  parts.host = url.substr(host, end - host);
  parts.host.remove_prefix(parts.host.rfind('@') + 1);  // npos + 1 is 0
  const std::string_view rest = url.substr(end);
  parts.path = rest.substr(0, rest.find_first_of("?#"));
  return parts;
}

inline std::string host_of(std::string_view url) {
  const Url parts = parts_of(url);
  return parts.host.empty() ? "(no host)" : valid_utf8(parts.host);
}

// The last part of the path; the host where there is none.
inline std::string name_of(std::string_view url) {
  constexpr size_t kMost = 200;
  const Url parts = parts_of(url);
  std::string_view name = parts.path;
  while (name.ends_with('/')) name.remove_suffix(1);
  name.remove_prefix(name.rfind('/') + 1);
  if (parts.host.empty()) name = parts.path;
  if (name.empty()) name = parts.host;
  return name.empty() ? "request" : valid_utf8(name.substr(0, kMost));
}

// An address that may be relative to the one that it was found at; empty where it is.
inline std::string resolved(std::string_view url, std::string_view base) {
  if (url.empty() || !parts_of(url).origin.empty()) return std::string(url);
  const std::string_view origin = parts_of(base).origin;
  if (url.starts_with("//")) return std::string(origin.substr(0, origin.find("//"))).append(url);
  if (url.starts_with('/')) return std::string(origin).append(url);
  const std::string_view folder = base.substr(0, base.find_first_of("?#"));
  return std::string(folder.substr(0, folder.rfind('/') + 1)).append(url);
}

}  // namespace weft::formats::har
