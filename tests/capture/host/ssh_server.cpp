#include "tests/capture/host/ssh_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/core/base/eventually.h"

namespace weft::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSshd = "/usr/sbin/sshd";
constexpr const char* kKeygen = "/usr/bin/ssh-keygen";

pid_t start_program(const std::vector<std::string>& arguments) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(nothing, fd);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

sockaddr_in local(uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = local(0);
  socklen_t size = sizeof(address);
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool accepts(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = local(port);
  const bool is_there =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  ::close(fd);
  return is_there;
}

// Every process with its parent.
std::vector<std::pair<pid_t, pid_t>> processes() {
  std::vector<std::pair<pid_t, pid_t>> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::ifstream stat(entry.path() / "stat");
    std::string line;
    if (!std::getline(stat, line)) continue;
    pid_t parent = 0;
    char state = 0;
    const size_t name_end = line.rfind(')');
    if (name_end == std::string::npos ||
        std::sscanf(line.c_str() + name_end + 1, " %c %d", &state, &parent) != 2)
      continue;
    all.emplace_back(parent, std::atoi(entry.path().filename().c_str()));
  }
  return all;
}

std::string program_of(pid_t process) {
  std::ifstream comm(fmt::format("/proc/{}/comm", process));
  std::string name;
  std::getline(comm, name);
  return name;
}

}  // namespace

bool run_program(const std::vector<std::string>& arguments) {
  int status = 0;
  return ::waitpid(start_program(arguments), &status, 0) > 0 && WIFEXITED(status) &&
         WEXITSTATUS(status) == 0;
}

bool SshServer::is_installed() {
  return ::access(kSshd, X_OK) == 0 && ::access(kKeygen, X_OK) == 0;
}

SshServer::SshServer(const ScratchFolder& folder, const std::string& name)
    : folder_((folder.path() / name).string()) {
  fs::create_directories(folder_);
  if (::geteuid() == 0) ::mkdir("/run/sshd", 0755);  // sshd wants it when root starts it
  EXPECT_TRUE(run_program({kKeygen, "-q", "-t", "ed25519", "-N", "", "-f", folder_ + "/host_key"}));
  EXPECT_TRUE(run_program({kKeygen, "-q", "-t", "ed25519", "-N", "", "-f", user_key()}));
  authorize(user_key() + ".pub");
  for (int tries = 0; server_ < 0 && tries < 5; ++tries) start();
  EXPECT_GT(server_, 0) << content_of(folder_ + "/log");
}

void SshServer::start() {
  port_ = free_port();
  const std::string file = folder_ + "/config";
  const std::string config = fmt::format(
      "Port {0}\nListenAddress 127.0.0.1\nHostKey {1}/host_key\nPidFile {1}/pid\n"
      "AuthorizedKeysFile {1}/authorized_keys\nStrictModes no\nUsePAM no\n"
      "PermitRootLogin yes\nPasswordAuthentication yes\nKbdInteractiveAuthentication no\n"
      "MaxStartups 100\nLogLevel DEBUG1\nUseDNS no\n"
      "SetEnv SHLVL=2\n",  // bash reads the user's .bashrc in the first shell of a connection only
      port_, folder_);
  // Newer ones (9.8) keep those away for a while whose passwords were wrong; older ones know no
  // such thing.
  std::ofstream(file) << config << "PerSourcePenalties no\n";
  if (!run_program({kSshd, "-t", "-f", file})) std::ofstream(file) << config;
  listen();
}

void SshServer::listen() {
  const std::string file = folder_ + "/config";
  const pid_t started = start_program({kSshd, "-D", "-f", file, "-E", folder_ + "/log"});
  bool has_ended = false;  // the port was taken meanwhile
  const bool is_settled = eventually([&] {
    has_ended = ::waitpid(started, nullptr, WNOHANG) != 0;
    return has_ended || accepts(port_);
  });
  if (has_ended) return;
  if (is_settled) {
    server_ = started;
    return;
  }
  ::kill(started, SIGKILL);
  ::waitpid(started, nullptr, 0);
}

SshServer::~SshServer() { stop(); }

void SshServer::stop() {
  if (server_ < 0) return;
  signal_connections(SIGKILL);
  ::kill(server_, SIGKILL);
  ::waitpid(server_, nullptr, 0);
  server_ = -1;
}

void SshServer::start_again() {
  for (int tries = 0; server_ < 0 && tries < 5; ++tries) listen();
  EXPECT_GT(server_, 0) << content_of(folder_ + "/log");
}

capture::SshHost SshServer::host() const {
  const passwd* const me = ::getpwuid(::geteuid());
  return {.user = me != nullptr ? me->pw_name : "", .host = "127.0.0.1", .port = port_};
}

std::string SshServer::host_key() const {
  const std::string line = content_of(folder_ + "/host_key.pub");  // TYPE KEY COMMENT
  return line.substr(0, line.find(' ', line.find(' ') + 1));
}

std::string SshServer::known_host() const { return fmt::format("[127.0.0.1]:{}", port_); }

capture::SshWay SshServer::way(const std::string& known_hosts, const std::string& key) const {
  if (!known_hosts.empty()) std::ofstream(known_hosts_file()) << known_hosts;
  std::ofstream(folder_ + "/client_config") << fmt::format(
      "UserKnownHostsFile {}\nGlobalKnownHostsFile {}/none\n", known_hosts_file(), folder_);
  return {.key = key.empty() ? user_key() : key, .config = folder_ + "/client_config"};
}

void SshServer::authorize(const std::string& public_key_file) const {
  std::ofstream(folder_ + "/authorized_keys", std::ios::app) << content_of(public_key_file);
}

size_t SshServer::login_attempts() const {
  const std::string log = content_of(folder_ + "/log");
  size_t count = 0;
  for (size_t at = 0; (at = log.find("userauth-request for user", at)) != std::string::npos; ++at)
    ++count;
  return count;
}

std::vector<pid_t> SshServer::connection_processes() const {
  std::vector<pid_t> found;
  std::set<pid_t> parents = {server_};
  const auto all = processes();
  for (size_t before = 0; before != parents.size();) {
    before = parents.size();
    for (const auto& [parent, process] : all) {
      if (!parents.contains(parent) || parents.contains(process)) continue;
      if (!program_of(process).starts_with("sshd")) continue;  // what it has started
      parents.insert(process);
      found.push_back(process);
    }
  }
  return found;
}

void SshServer::signal_connections(int signal) const {
  for (const pid_t process : connection_processes()) ::kill(process, signal);
}

size_t SshServer::connections() const { return connection_processes().size(); }

}  // namespace weft::test
