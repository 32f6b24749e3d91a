#include "capture/host/known_hosts.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>

#include "core/base/text.h"

namespace weft::capture {
namespace {

constexpr std::string_view kRevoked = "@revoked";

struct FreeEntry {
  void operator()(ssh_knownhosts_entry* entry) const { ssh_knownhosts_entry_free(entry); }
};
using Entry = std::unique_ptr<ssh_knownhosts_entry, FreeEntry>;

// Null where the line says nothing of the host, or nothing at all.
Entry entry_of(const std::string& host, const std::string& line) {
  ssh_knownhosts_entry* entry = nullptr;
  const int code = ssh_known_hosts_parse_line(host.c_str(), line.c_str(), &entry);
  Entry parsed(entry);
  if (code != SSH_OK || entry == nullptr || entry->publickey == nullptr) return nullptr;
  return parsed;
}

bool is_key_of(const Entry& entry, ssh_key key) {
  return entry && ssh_key_cmp(entry->publickey, key, SSH_KEY_CMP_PUBLIC) == 0;
}

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

// "@revoked HOSTS TYPE KEY": whether the key is this one.
bool revokes(std::string_view line, ssh_key key) {
  line = without_blanks(line.substr(kRevoked.size()));
  const size_t end_of_hosts = line.find_first_of(" \t");
  if (end_of_hosts == std::string_view::npos) return false;
  return is_key_of(entry_of("any", "any " + std::string(without_blanks(line.substr(end_of_hosts)))),
                   key);
}

class Search {
 public:
  Search(const std::string& host, ssh_key key) : host_(host), key_(key) {}

  Status read(const std::string& file) {
    std::error_code error;
    if (!std::filesystem::exists(file, error) && !error) return {};
    std::ifstream lines(file, std::ios::binary);
    std::string line;
    uint64_t number = 0;
    while (std::getline(lines, line)) take(line, file, ++number);
    if (lines.bad() || !lines.eof())
      return fail(
          fmt::format("{} cannot be read: no host can be told from another", printable(file)));
    return {};
  }

  // The worst there is.
  HostKeyFinding finding() const {
    for (const auto& found : {revoked_, known_, changed_, other_type_}) {
      if (found) return *found;
    }
    return {};
  }

 private:
  void take(std::string& line, const std::string& file, uint64_t number) {
    if (line.ends_with('\r')) line.pop_back();
    const std::string_view text = without_blanks(line);
    const auto note = [&](std::optional<HostKeyFinding>& found, HostKeyVerdict verdict) {
      if (!found) found = {verdict, fmt::format("line {} of {}", number, printable(file))};
    };
    if (text.starts_with(kRevoked)) {
      if (revokes(text, key_)) note(revoked_, HostKeyVerdict::kRevoked);
      return;
    }
    if (text.empty() || text.starts_with('#') || text.starts_with('@')) return;
    const Entry entry = entry_of(host_, std::string(text));
    if (!entry) return;
    if (is_key_of(entry, key_)) return note(known_, HostKeyVerdict::kKnown);
    const bool is_same_type = ssh_key_type(entry->publickey) == ssh_key_type(key_);
    note(is_same_type ? changed_ : other_type_,
         is_same_type ? HostKeyVerdict::kChanged : HostKeyVerdict::kOtherType);
  }

  const std::string& host_;
  ssh_key key_;
  std::optional<HostKeyFinding> revoked_, known_, changed_, other_type_;
};

}  // namespace

Result<HostKeyFinding> look_up_host_key(const std::string& host, ssh_key key,
                                        const std::vector<std::string>& files) {
  Search search(host, key);
  for (const std::string& file : files) WEFT_TRY(search.read(file));
  return search.finding();
}

}  // namespace weft::capture
