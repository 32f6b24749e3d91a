#include "capture/host/ssh_address.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/ascii.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

namespace weft::capture {
namespace {

constexpr std::string_view kScheme = "ssh://";
constexpr size_t kMostName = 255, kMostPath = 4096;

bool consists_of(std::string_view text, std::string_view others) {
  return std::ranges::all_of(text,
                             [&](char c) { return is_alphanumeric(c) || others.contains(c); });
}

// Names end up in configurations of others (ProxyCommand), where a shell reads them.
Status check_user(std::string_view user) {
  if (user.empty()) return fail("there is no user before the @");
  if (user.size() > kMostName || user.starts_with('-') || !consists_of(user, "._-+@"))
    return fail(fmt::format("'{}' is not the name of a user", printable(user, 80)));
  return {};
}

Status check_host(std::string_view host, bool is_bracketed) {
  if (host.empty()) return fail("no host is named");
  if (host.size() > kMostName || host.starts_with('-') ||
      !consists_of(host, is_bracketed ? ":.%" : "._-"))
    return fail(fmt::format("'{}' is not the name of a host", printable(host, 80)));
  return {};
}

Result<uint16_t> parse_port(std::string_view text) {
  const uint16_t port = parse_number<uint16_t>(text).value_or(0);
  if (port == 0) return fail(fmt::format("'{}' is not a port (1 to 65535)", printable(text, 80)));
  return port;
}

}  // namespace

bool is_ssh_address(std::string_view text) { return text.starts_with(kScheme); }

bool is_other_address(std::string_view text) {
  const std::string_view scheme = text.substr(0, text.find("://"));
  return !scheme.empty() && scheme.size() < text.size() && !is_ssh_address(text) &&
         consists_of(scheme, "+-.");
}

Result<SshHost> parse_ssh_host(std::string_view text) {
  SshHost parsed;
  if (const size_t at = text.rfind('@'); at != std::string_view::npos) {
    parsed.user = text.substr(0, at);
    WEFT_TRY(check_user(parsed.user));
    text.remove_prefix(at + 1);
  }
  const bool is_bracketed = text.starts_with('[');
  size_t end = is_bracketed ? text.find(']') : text.find(':');
  if (is_bracketed && end == std::string_view::npos) return fail("a bracket is not closed");
  end = std::min(end, text.size());
  parsed.host = text.substr(is_bracketed ? 1 : 0, end - (is_bracketed ? 1 : 0));
  WEFT_TRY(check_host(parsed.host, is_bracketed));
  std::string_view rest = text.substr(std::min(end + (is_bracketed ? 1 : 0), text.size()));
  if (rest.empty()) return parsed;
  if (!rest.starts_with(':')) return fail("after the bracket comes a port or nothing");
  WEFT_TRY_ASSIGN(parsed.port, parse_port(rest.substr(1)));
  return parsed;
}

Result<std::vector<SshHost>> parse_ssh_jumps(std::string_view text) {
  std::vector<SshHost> jumps;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    WEFT_TRY_ASSIGN(jumps.emplace_back(), parse_ssh_host(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return jumps;
}

Result<SshAddress> parse_ssh_address(std::string_view text) {
  if (!is_ssh_address(text))
    return fail("is not an address of the form ssh://[user@]host[:port]/path");
  text.remove_prefix(kScheme.size());
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return fail("no path is named behind the host");
  SshAddress parsed;
  WEFT_TRY_ASSIGN(parsed.at, parse_ssh_host(text.substr(0, slash)));
  std::string_view path = text.substr(slash);
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::ranges::any_of(path, is_control)) return fail("the path has a control character");
  if (path.size() > kMostPath) return fail("the path is too long");
  const bool is_at_home = path == "/~" || path.starts_with("/~/");
  if (is_at_home) path.remove_prefix(std::min<size_t>(3, path.size()));
  parsed.path = is_at_home ? "./" + std::string(path) : std::string(path);
  return parsed;
}

std::string to_text(const SshHost& host) {
  std::string text = host.user.empty() ? "" : host.user + "@";
  text += host.host.contains(':') ? "[" + host.host + "]" : host.host;
  if (host.port != 0) text += fmt::format(":{}", host.port);
  return text;
}

std::string to_text(std::span<const SshHost> jumps) {
  std::string text;
  for (const SshHost& jump : jumps) text += (text.empty() ? "" : ",") + to_text(jump);
  return text;
}

}  // namespace weft::capture
