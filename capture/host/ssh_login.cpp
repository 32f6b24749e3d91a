#include <fmt/core.h>
#include <libssh/callbacks.h>

#include <cstring>

#include "capture/host/ssh_session.h"
#include "core/base/text.h"

namespace weft::capture {
namespace {

constexpr int kMostTries = 3;

class Login {
 public:
  Login(const SshSession& session, Asker* asker) : session_(session), asker_(asker) {
    callbacks_.userdata = this;
    callbacks_.auth_function = on_passphrase;
    ssh_callbacks_init(&callbacks_);
    ssh_set_callbacks(session.handle(), &callbacks_);
  }
  ~Login() {
    callbacks_.auth_function = nullptr;
    ssh_set_callbacks(session_.handle(), nullptr);
  }

  Status run() {
    WEFT_TRY_ASSIGN(int code, until_done([&] { return ssh_userauth_none(handle(), nullptr); }));
    // A host may want several of them, one after another.
    for (int parts = 0; code != SSH_AUTH_SUCCESS && parts < kMostTries; ++parts) {
      offered_ = ssh_userauth_list(handle(), nullptr);
      if (session_.has_other_key()) offered_ &= SSH_AUTH_METHOD_PUBLICKEY;
      WEFT_TRY_ASSIGN(code, try_all());
      if (code == SSH_AUTH_ERROR) return fail(session_.error("cannot log in"));
      if (code != SSH_AUTH_PARTIAL) break;
    }
    if (code == SSH_AUTH_SUCCESS) return {};
    if (session_.has_other_key())
      return fail("access is denied: a host whose key has changed is given no password");
    return fail(unanswered_.empty()
                    ? fmt::format("access is denied (the host takes: {})", offered_in_words())
                    : unanswered_);
  }

 private:
  ssh_session handle() const { return session_.handle(); }

  // libssh's codes for logging in have another number for "again".
  Result<int> until_done(const std::function<int()>& call) const {
    return session_.until_done([&] {
      const int code = call();
      return code == SSH_AUTH_AGAIN ? SSH_AGAIN : code == SSH_AGAIN ? SSH_AUTH_ERROR : code;
    });
  }

  Result<int> try_all() {
    using Try = Result<int> (Login::*)();
    const std::pair<int, Try> ways[] = {{SSH_AUTH_METHOD_PUBLICKEY, &Login::try_keys},
                                        {SSH_AUTH_METHOD_INTERACTIVE, &Login::try_interactive},
                                        {SSH_AUTH_METHOD_PASSWORD, &Login::try_password}};
    int code = SSH_AUTH_DENIED;
    for (const auto& [method, attempt] : ways) {
      if ((offered_ & method) == 0) continue;
      WEFT_TRY_ASSIGN(code, (this->*attempt)());
      if (code != SSH_AUTH_DENIED) return code;
      // After a refusal no further question is asked.
      if (!unanswered_.empty()) return code;
    }
    return code;
  }

  // Tries keys, the agent's first.
  Result<int> try_keys() {
    return until_done([&] { return ssh_userauth_publickey_auto(handle(), nullptr, nullptr); });
  }

  Result<int> try_interactive() {
    int code = SSH_AUTH_DENIED;
    for (int i = 0; i < kMostTries && code == SSH_AUTH_DENIED; ++i) {
      const auto go_on = [&] { return ssh_userauth_kbdint(handle(), nullptr, nullptr); };
      WEFT_TRY_ASSIGN(code, until_done(go_on));
      bool has_asked = false;
      while (code == SSH_AUTH_INFO) {
        const int prompts = ssh_userauth_kbdint_getnprompts(handle());
        for (int prompt = 0; prompt < prompts; ++prompt) {
          if (!answer_prompt(static_cast<unsigned>(prompt))) return SSH_AUTH_DENIED;
        }
        has_asked |= prompts > 0;
        WEFT_TRY_ASSIGN(code, until_done(go_on));
      }
      if (!has_asked) break;  // it would be the same again
    }
    return code;
  }

  bool answer_prompt(unsigned number) {
    char is_echoed = 0;
    const char* const said = ssh_userauth_kbdint_getprompt(handle(), number, &is_echoed);
    std::string prompt = printable(said != nullptr ? said : "", 200);
    while (prompt.ends_with(' ') || prompt.ends_with(':')) prompt.pop_back();
    const auto answer = ask({.title = prompt.empty() ? "Answer" : prompt,
                             .text = session_.name() + " asks",
                             .is_echoed = is_echoed != 0});
    return answer && ssh_userauth_kbdint_setanswer(handle(), number, answer->text().c_str()) == 0;
  }

  Result<int> try_password() {
    int code = SSH_AUTH_DENIED;
    for (int i = 0; i < kMostTries && code == SSH_AUTH_DENIED; ++i) {
      const auto password =
          ask({.title = "Password",
               .text = (i == 0 ? "of " : "was refused; once more, that of ") + session_.name()});
      if (!password) return SSH_AUTH_DENIED;
      WEFT_TRY_ASSIGN(code, until_done([&] {
                        return ssh_userauth_password(handle(), nullptr, password->text().c_str());
                      }));
    }
    return code;
  }

  std::optional<Secret> ask(const Question& question) {
    if (asker_ == nullptr) {
      unanswered_ = fmt::format("{} is asked for, and there is nobody to ask", question.title);
      return std::nullopt;
    }
    auto answer = asker_->answer(question, [this] { return session_.is_given_up(); });
    if (!answer) unanswered_ = fmt::format("{} was asked for and not given", question.title);
    return answer;
  }

  // Called by libssh for a key that is locked.
  static int on_passphrase(const char*, char* buffer, size_t size, int, int, void* self) {
    auto& login = *static_cast<Login*>(self);
    const auto answer = login.ask(
        {.title = "Passphrase", .text = "of the private key for " + login.session_.name()});
    if (!answer || answer->text().size() >= size) return -1;
    std::memcpy(buffer, answer->text().c_str(), answer->text().size() + 1);
    return 0;
  }

  std::string offered_in_words() const {
    constexpr std::pair<int, std::string_view> kNames[] = {
        {SSH_AUTH_METHOD_PUBLICKEY, "keys"},
        {SSH_AUTH_METHOD_INTERACTIVE, "questions"},
        {SSH_AUTH_METHOD_PASSWORD, "a password"},
        {SSH_AUTH_METHOD_GSSAPI_MIC, "Kerberos"},
        {SSH_AUTH_METHOD_HOSTBASED, "known hosts"}};
    std::string words;
    for (const auto& [method, name] : kNames) {
      if ((offered_ & method) != 0) words += (words.empty() ? "" : ", ") + std::string(name);
    }
    return words.empty() ? "nothing" : words;
  }

  const SshSession& session_;
  Asker* asker_;
  ssh_callbacks_struct callbacks_ = {};
  int offered_ = 0;
  std::string unanswered_;  // the question that ended it
};

}  // namespace

Status log_in(const SshSession& session, Asker* asker) { return Login(session, asker).run(); }

}  // namespace weft::capture
