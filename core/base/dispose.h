// Frees what took long to make, on a thread of its own: the nodes of a large call tree take a third
// of a second to free, and a frame has sixteen milliseconds.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace weft {

// Lets go of the value, there. Thread-safe; the lock is held for the time to move a pointer. What
// lives on a GPU must not be given. At the end of the program all that was given is gone.
void dispose(std::shared_ptr<const void> value);

// The same for a value of its own.
template <class T>
void dispose_of(T&& value) {
  dispose(std::make_shared<const std::remove_cvref_t<T>>(std::forward<T>(value)));
}

}  // namespace weft
