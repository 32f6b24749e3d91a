#include "app/reader/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "core/io/file_descriptor.h"

namespace weft::app {
namespace {

constexpr rlim_t kMostBytes = rlim_t{4} << 30;  // of memory that is not a mapped file

// System calls that are always refused: they fail as not permitted, which libraries tolerate.
constexpr int kRefused[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(setxattr),
    SCMP_SYS(utimensat),
    SCMP_SYS(mount),
    SCMP_SYS(umount2),
    SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),
    SCMP_SYS(setns),
    SCMP_SYS(unshare),
    SCMP_SYS(bpf),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(perf_event_open),
};
// System calls refused, too, if the kernel cannot confine writing to a folder.
constexpr int kWriting[] = {
    SCMP_SYS(creat),    SCMP_SYS(unlink), SCMP_SYS(unlinkat), SCMP_SYS(rename),
    SCMP_SYS(renameat), SCMP_SYS(link),   SCMP_SYS(linkat),   SCMP_SYS(renameat2),
    SCMP_SYS(symlink),  SCMP_SYS(mkdir),  SCMP_SYS(mkdirat),  SCMP_SYS(symlinkat),
    SCMP_SYS(mknod),    SCMP_SYS(rmdir),  SCMP_SYS(mknodat),  SCMP_SYS(truncate),
    SCMP_SYS(openat2),  // its flags lie in memory, where a filter cannot look
};

bool refuse_calls(bool refuses_writing) {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                 seccomp_release);
  if (!filter) return false;
  const auto refuse = SCMP_ACT_ERRNO(EPERM);
  int error = 0;
  for (const int call : kRefused) error |= seccomp_rule_add(filter.get(), refuse, call, 0);
  if (refuses_writing) {
    for (const int call : kWriting) error |= seccomp_rule_add(filter.get(), refuse, call, 0);
    // Opening is for reading: none of the bits of writing and making may be set.
    for (const unsigned flag : {O_WRONLY, O_RDWR, O_CREAT, O_TRUNC}) {
      const auto has = [&](unsigned argument) {
        return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, flag, flag};
      };
      error |= seccomp_rule_add(filter.get(), refuse, SCMP_SYS(open), 1, has(1));
      error |= seccomp_rule_add(filter.get(), refuse, SCMP_SYS(openat), 1, has(2));
    }
  }
  return error == 0 && seccomp_load(filter.get()) == 0;
}

// Confines writing by Landlock (kernel 5.13), which has no library: false if the kernel does not
// support it.
bool confine_writing(const std::filesystem::path& folder) {
  constexpr uint64_t kAll = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                            LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                            LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  landlock_ruleset_attr attributes{};  // later kernels' headers have more members
  attributes.handled_access_fs = kAll;
  const auto rules = io::FileDescriptor(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
  const io::FileDescriptor parent(::open(folder.c_str(), O_PATH | O_CLOEXEC));
  if (!rules.is_open() || !parent.is_open()) return false;
  const landlock_path_beneath_attr beneath{.allowed_access = kAll, .parent_fd = parent.get()};
  return ::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) ==
             0 &&
         ::syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

}  // namespace

bool enter_sandbox(const std::filesystem::path& scratch) {
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  (void)::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const auto limit = [](__rlimit_resource_t what, rlim_t most) {
    const rlimit to{most, most};
    (void)::setrlimit(what, &to);
  };
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  limit(RLIMIT_DATA, kMostBytes);
#endif
  return refuse_calls(/*refuses_writing=*/!confine_writing(scratch));
}

}  // namespace weft::app
