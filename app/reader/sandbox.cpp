#include "app/reader/sandbox.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
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

constexpr int kFchmodat2 = 452;  // of Linux 6.6

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
    SCMP_SYS(rt_sigqueueinfo),
    SCMP_SYS(rt_tgsigqueueinfo),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(chmod),
    SCMP_SYS(fchmod),
    SCMP_SYS(fchmodat),
    kFchmodat2,
    SCMP_SYS(chown),
    SCMP_SYS(fchown),
    SCMP_SYS(fchownat),
    SCMP_SYS(lchown),
    SCMP_SYS(setxattr),
    SCMP_SYS(lsetxattr),
    SCMP_SYS(fsetxattr),
    SCMP_SYS(removexattr),
    SCMP_SYS(lremovexattr),
    SCMP_SYS(fremovexattr),
    SCMP_SYS(utime),
    SCMP_SYS(utimes),
    SCMP_SYS(futimesat),
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
    SCMP_SYS(truncate),
    SCMP_SYS(openat2),  // its flags lie in memory, where a filter cannot look
};
constexpr int kLinking[] = {SCMP_SYS(symlink), SCMP_SYS(symlinkat)};
// System calls refused, too, where nothing may be written.
constexpr int kWriting[] = {
    SCMP_SYS(creat),   SCMP_SYS(unlink), SCMP_SYS(unlinkat),  SCMP_SYS(rename), SCMP_SYS(renameat),
    SCMP_SYS(link),    SCMP_SYS(linkat), SCMP_SYS(renameat2), SCMP_SYS(mkdir),  SCMP_SYS(rmdir),
    SCMP_SYS(mkdirat), SCMP_SYS(mknod),  SCMP_SYS(mknodat),
};
// Refuses what reaches other processes and the terminal by an argument of a call that threads need.
int refuse_reaching_others(scmp_filter_ctx filter) {
  const auto refuse = SCMP_ACT_ERRNO(EPERM);
  int error = seccomp_rule_add(filter, refuse, SCMP_SYS(tgkill), 1,
                               SCMP_A0_32(SCMP_CMP_NE, static_cast<uint32_t>(::getpid())));
  error |= seccomp_rule_add(filter, refuse, SCMP_SYS(prlimit64), 1, SCMP_A0_32(SCMP_CMP_NE, 0));
  error |= seccomp_rule_add(filter, refuse, SCMP_SYS(clone), 1,
                            SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
  // Its flags lie in memory, where a filter cannot look: libraries use clone instead.
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  for (const auto typing : {TIOCSTI, TIOCLINUX})
    error |= seccomp_rule_add(filter, refuse, SCMP_SYS(ioctl), 1,
                              SCMP_A1_32(SCMP_CMP_EQ, static_cast<uint32_t>(typing)));
  return error;
}

// Refuses to open files with all of `flags`, of those in `mask`.
int refuse_opening(scmp_filter_ctx filter, unsigned mask, unsigned flags) {
  const auto refuse = SCMP_ACT_ERRNO(EPERM);
  return seccomp_rule_add(filter, refuse, SCMP_SYS(open), 1,
                          SCMP_A1_64(SCMP_CMP_MASKED_EQ, mask, flags)) |
         seccomp_rule_add(filter, refuse, SCMP_SYS(openat), 1,
                          SCMP_A2_64(SCMP_CMP_MASKED_EQ, mask, flags));
}

bool refuse_calls(Purpose purpose, bool may_write) {
  const std::unique_ptr<void, decltype(&seccomp_release)> filter(seccomp_init(SCMP_ACT_ALLOW),
                                                                 seccomp_release);
  if (!filter) return false;
  const auto refuse = SCMP_ACT_ERRNO(EPERM);
  int error = 0;
  for (const int call : kRefused) error |= seccomp_rule_add(filter.get(), refuse, call, 0);
  error |= refuse_reaching_others(filter.get());
  if (purpose == Purpose::kUnpacking || !may_write) {
    for (const int call : kLinking) error |= seccomp_rule_add(filter.get(), refuse, call, 0);
  }
  // Files that are opened to be cut, but not to be written, are confined from Linux 6.2 on only.
  for (const unsigned access : {O_RDONLY, O_ACCMODE})
    error |= refuse_opening(filter.get(), O_ACCMODE | O_TRUNC, access | O_TRUNC);
  if (!may_write) {
    for (const int call : kWriting) error |= seccomp_rule_add(filter.get(), refuse, call, 0);
    for (const unsigned flag : {O_WRONLY, O_RDWR, O_CREAT})
      error |= refuse_opening(filter.get(), flag, flag);
  }
  return error == 0 && seccomp_load(filter.get()) == 0;
}

// Confines writing to the folder by Landlock (kernel 5.13), which has no library.
bool confine_writing(const std::filesystem::path& folder) {
  constexpr uint64_t kWritingRights =
      LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
      LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  landlock_ruleset_attr attributes{};  // later kernels' headers have more members
  attributes.handled_access_fs = kWritingRights;
  const auto rules = io::FileDescriptor(
      static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
  const io::FileDescriptor parent(::open(folder.c_str(), O_PATH | O_CLOEXEC));
  if (!rules.is_open() || !parent.is_open()) return false;
  const landlock_path_beneath_attr beneath{.allowed_access = kWritingRights,
                                           .parent_fd = parent.get()};
  return ::syscall(SYS_landlock_add_rule, rules.get(), LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) ==
             0 &&
         ::syscall(SYS_landlock_restrict_self, rules.get(), 0) == 0;
}

}  // namespace

bool enter_sandbox(const std::filesystem::path& scratch, Purpose purpose) {
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
  const bool is_confined = confine_writing(scratch);
  return refuse_calls(purpose, is_confined || purpose == Purpose::kUnpacking);
}

}  // namespace weft::app
