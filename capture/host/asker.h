// The interface for questions while connecting: to a person at a terminal or a window, or to
// nobody.
#pragma once

#include <string.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace weft::capture {

// A text that is wiped in place once it is not needed. It never grows beyond its initial capacity,
// so that no copy is left behind.
class Secret {
 public:
  static constexpr size_t kMostBytes = 1023;

  Secret() { text_.reserve(kMostBytes + 1); }
  explicit Secret(std::string_view text) : Secret() { text_ = text.substr(0, kMostBytes); }
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) {}
  Secret& operator=(Secret&& other) noexcept {
    text_.swap(other.text_);
    return *this;
  }
  ~Secret() { wipe(); }

  // Returns false if it is full.
  bool add(char c) {
    if (text_.size() >= kMostBytes) return false;
    text_.push_back(c);
    return true;
  }
  // Removes the last character, of any number of bytes.
  void drop_last() {
    bool is_rest = true;
    while (!text_.empty() && is_rest) {
      is_rest = (static_cast<unsigned char>(text_.back()) & 0xc0) == 0x80;
      text_.back() = 0;
      text_.pop_back();
    }
  }
  void wipe() {
    ::explicit_bzero(text_.data(), text_.size());
    text_.clear();
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// A question to be answered by text.
struct Question {
  std::string title;       // "Password": a few words
  std::string text;        // who asks for what, in one line; printable
  bool is_echoed = false;  // what is typed may be shown
};

// A host whose key is not trusted: unknown, or different from the known one.
struct DoubtfulHost {
  std::string host;          // "[board]:2222", as known_hosts has it
  std::string key_type;      // "ssh-ed25519"
  std::string fingerprint;   // "SHA256:…"
  std::string file;          // file to which the key is added if trusted
  std::string other_key_at;  // "line 3 of …": place of the known key; trust then holds once
};

// Both are called on a thread of the connection and may take as long as a person does; they must
// return soon after `is_given_up` turns true. nullopt and false mean no.
class Asker {
 public:
  using IsGivenUp = std::function<bool()>;

  virtual ~Asker() = default;
  virtual bool trusts(const DoubtfulHost& host, const IsGivenUp& is_given_up) = 0;
  virtual std::optional<Secret> answer(const Question& question, const IsGivenUp& is_given_up) = 0;
  // Reports why connecting takes longer, in one printable line, for users without another way to
  // see it (FeedState).
  virtual void hear(const std::string& /*news*/) {}
};

}  // namespace weft::capture
