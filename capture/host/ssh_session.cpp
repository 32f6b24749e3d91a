#include "capture/host/ssh_session.h"

#include <fmt/core.h>
#include <netdb.h>
#include <poll.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "capture/host/known_hosts.h"
#include "capture/host/ssh_jump.h"
#include "core/base/ascii.h"
#include "core/base/text.h"

namespace weft::capture {
namespace {

constexpr std::chrono::milliseconds kBetweenAsks{
    50};  // between looks at whether anybody still waits

// libssh 0.11 goes through the hosts of ProxyJump by itself, and asks nobody; with this it makes a
// ProxyCommand of them, as 0.10 does, out of which they are read. Before there are threads.
[[maybe_unused]] const int kJumpsAreOurs = ::setenv("OPENSSH_PROXYJUMP", "1", 1);

struct FreeText {
  void operator()(char* text) const { ssh_string_free_char(text); }
};
using Text = std::unique_ptr<char, FreeText>;

struct FreeKey {
  void operator()(ssh_key key) const { ssh_key_free(key); }
};
using Key = std::unique_ptr<ssh_key_struct, FreeKey>;

std::string fingerprint_of(ssh_key key) {
  unsigned char* hash = nullptr;
  size_t size = 0;
  if (ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &size) != 0) return "?";
  const Text text(ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, size));
  ssh_clean_pubkey_hash(&hash);
  return text ? text.get() : "?";
}

// "board", or "[board]:2222".
std::string name_in_known_hosts(std::string host, uint16_t port) {
  host = lower_case(std::move(host));
  return port == 22 ? host : fmt::format("[{}]:{}", host, port);
}

}  // namespace

void FreeSession::operator()(ssh_session session) const {
  ssh_disconnect(session);
  ssh_free(session);
}

SshSession::SshSession(SessionHandle handle, Asker::IsGivenUp is_given_up)
    : handle_(std::move(handle)), is_given_up_(std::move(is_given_up)) {}
SshSession::SshSession(SshSession&&) noexcept = default;
SshSession& SshSession::operator=(SshSession&&) noexcept = default;
SshSession::~SshSession() = default;

std::expected<SshSession, SshFailure> SshSession::open(const SshHost& at, const SshWay& way,
                                                       Asker* asker, Asker::IsGivenUp is_given_up,
                                                       int jumps) {
  SshSession session(SessionHandle(ssh_new()), std::move(is_given_up));
  session.name_ = to_text(at);
  const auto refused = [&](Error error) {
    return std::unexpected(SshFailure{std::move(error).context(session.name_)});
  };
  if (!session.handle_) return refused(Error{"out of memory"});
  if (Status set = session.configure(at, way); !set) return refused(std::move(set).error());
  SshWay to_it = way;
  if (way.config != "none" && way.jump.empty()) {
    auto jump = session.configured_jump(at);
    if (!jump) return refused(std::move(jump).error());
    to_it.jump = std::move(*jump);
  }
  auto connected = session.connect(to_it, asker, jumps);
  if (!connected) {
    SshFailure failure = std::move(connected).error();
    failure.error = std::move(failure.error).context(session.name_);
    return std::unexpected(std::move(failure));
  }
  Status entered = session.verify_host(asker);
  if (entered) entered = log_in(session, asker);
  if (entered) return session;
  const bool is_lost = session.is_too_slow_ || ssh_is_connected(session.handle()) == 0;
  return std::unexpected(
      SshFailure{std::move(entered).error().context(session.name_),
                 is_lost ? SshFailure::Kind::kLost : SshFailure::Kind::kRefused});
}

Error SshSession::error(const std::string& what) const {
  return Error{what + ": " + printable(ssh_get_error(handle_.get()))};
}

Result<int> SshSession::until_done(const std::function<int()>& call,
                                   std::chrono::seconds patience) const {
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    const int code = call();
    if (code != SSH_AGAIN) return code;
    if (is_given_up_()) return fail("given up");
    if (std::chrono::steady_clock::now() > end) {
      is_too_slow_ = true;
      return fail("no answer came in time");
    }
    pollfd poll_fd = {ssh_get_fd(handle_.get()), POLLIN, 0};
    if ((ssh_get_poll_flags(handle_.get()) & SSH_WRITE_PENDING) != 0) poll_fd.events |= POLLOUT;
    ::poll(&poll_fd, 1, static_cast<int>(kBetweenAsks.count()));
  }
}

// Explicit settings take precedence over the configuration.
Status SshSession::configure(const SshHost& at, const SshWay& way) {
  ssh_session const handle = handle_.get();
  const auto set = [&](ssh_options_e which, const void* value) -> Status {
    if (ssh_options_set(handle, which, value) == 0) return {};
    return fail(error("cannot be set up"));
  };
  const bool reads_none = false;
  WEFT_TRY(set(SSH_OPTIONS_PROCESS_CONFIG, &reads_none));  // read here, and once
  WEFT_TRY(set(SSH_OPTIONS_HOST, at.host.c_str()));
  if (way.config != "none") {
    const char* const file = way.config.empty() ? nullptr : way.config.c_str();
    if (ssh_options_parse_config(handle, file) != 0) return fail(error("ssh's configuration"));
  }
  if (!at.user.empty()) WEFT_TRY(set(SSH_OPTIONS_USER, at.user.c_str()));
  const unsigned port = at.port;
  if (port != 0) WEFT_TRY(set(SSH_OPTIONS_PORT, &port));
  if (!way.key.empty()) WEFT_TRY(set(SSH_OPTIONS_IDENTITY, way.key.c_str()));
  const int log_nothing = SSH_LOG_NOLOG;
  WEFT_TRY(set(SSH_OPTIONS_LOG_VERBOSITY, &log_nothing));
  ssh_set_blocking(handle, 0);
  return {};
}

// As with ssh, a host is not its own jump host: "Host *" with a ProxyJump means the others.
Result<std::string> SshSession::configured_jump(const SshHost& at) {
  const std::string jump = jump_of_command(option(SSH_OPTIONS_PROXYCOMMAND));
  if (jump.empty()) return jump;
  if (ssh_options_set(handle_.get(), SSH_OPTIONS_PROXYCOMMAND, "none") != 0)
    return fail(error("cannot be set up"));
  if (const auto parsed = parse_ssh_jumps(jump); parsed && parsed->front().host == at.host)
    return "";
  return jump;
}

std::expected<void, SshFailure> SshSession::connect(const SshWay& way, Asker* asker, int jumps) {
  if (!way.jump.empty()) {
    const SshHost target = {.user = "", .host = option(SSH_OPTIONS_HOST), .port = port()};
    auto jump = SshJump::open(target, way, asker, is_given_up_, jumps + 1);
    if (!jump) return std::unexpected(std::move(jump).error());
    jump_ = std::move(*jump);
    const socket_t socket = jump_->take_socket();
    if (ssh_options_set(handle_.get(), SSH_OPTIONS_FD, &socket) != 0)
      return std::unexpected(SshFailure{error("cannot be set up")});
  }
  const auto code = until_done([&] { return ssh_connect(handle_.get()); });
  if (code && *code == SSH_OK) return {};
  Error why = code ? error("no connection") : code.error();
  if (const Status ended = jump_ ? jump_->status() : Status(); code && !ended) why = ended.error();
  return std::unexpected(SshFailure{std::move(why), kind_of_no_connection()});
}

// A host that sent its greeting was reached and refused; an unknown name is more likely mistyped
// than yet to appear.
SshFailure::Kind SshSession::kind_of_no_connection() const {
  const std::string_view said = ssh_get_error(handle_.get());
  const bool is_named =
      !said.contains("resolve hostname") || said.contains(::gai_strerror(EAI_AGAIN));
  const bool has_greeted = ssh_get_serverbanner(handle_.get()) != nullptr;
  return has_greeted || !is_named ? SshFailure::Kind::kLost : SshFailure::Kind::kUnreached;
}

std::string SshSession::option(ssh_options_e which) const {
  char* value = nullptr;
  if (ssh_options_get(handle_.get(), which, &value) != 0 || value == nullptr) return {};
  const Text owned(value);
  return value;
}

uint16_t SshSession::port() const {
  unsigned port = 22;
  if (ssh_options_get_port(handle_.get(), &port) != 0) return 22;
  return static_cast<uint16_t>(port);
}

Status SshSession::verify_host(Asker* asker) {
  ssh_key shown = nullptr;
  if (ssh_get_server_publickey(handle_.get(), &shown) != SSH_OK)
    return fail(error("the host shows no key"));
  const Key key(shown);
  const std::vector<std::string> files = {option(SSH_OPTIONS_KNOWNHOSTS),
                                          option(SSH_OPTIONS_GLOBAL_KNOWNHOSTS)};
  const std::string host = name_in_known_hosts(option(SSH_OPTIONS_HOST), port());
  const std::string type = ssh_key_type_to_char(ssh_key_type(key.get()));
  fingerprint_ = fingerprint_of(key.get());
  WEFT_TRY_ASSIGN(const HostKeyFinding found, look_up_host_key(host, key.get(), files));
  if (found.verdict == HostKeyVerdict::kKnown) return {};
  if (found.verdict == HostKeyVerdict::kRevoked)
    return fail(
        fmt::format("the host's key {} {} is revoked by {}", type, fingerprint_, found.place));
  const bool is_unknown = found.verdict == HostKeyVerdict::kUnknown;
  if (asker == nullptr && is_unknown)
    return fail(fmt::format("the host is not known ({} {}), and there is nobody to ask", type,
                            fingerprint_));
  const DoubtfulHost doubtful = {host, type, fingerprint_, files.front(), found.place};
  const bool is_trusted = asker != nullptr && asker->trusts(doubtful, is_given_up_);
  if (!is_trusted && is_unknown) return fail("the host's key was not trusted");
  if (!is_trusted)
    return fail(fmt::format(
        "the host's key {}: somebody may be listening. It is now {} {}; another one stands in {}. "
        "Where the change is right, take that line out and connect again",
        found.verdict == HostKeyVerdict::kChanged ? "has changed" : "is of another type", type,
        fingerprint_, found.place));
  has_other_key_ = !is_unknown;
  if (is_unknown && ssh_session_update_known_hosts(handle_.get()) != SSH_OK)
    return fail(error("the host's key cannot be kept"));
  return {};
}

}  // namespace weft::capture
