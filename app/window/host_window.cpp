// The workbench in a window of GLFW; see app/window/run.h.
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <fmt/core.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "app/session/journal.h"
#include "app/window/frames_due.h"
#include "app/window/gui.h"
#include "app/window/host_offscreen.h"
#include "app/window/key_queue.h"
#include "app/window/pointer_queue.h"
#include "app/window/quit_signals.h"
#include "app/window/run.h"
#include "app/window/snapshots.h"
#include "app/window/window_keys.h"
#include "app/window/window_place.h"
#include "app/window/workbench.h"
#include "core/base/text.h"
#include "core/io/paths.h"
#include "render/opengl/opengl_renderer.h"

namespace weft::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kLoadingSeconds = 0.1;  // between two looks at an import or a table being written
constexpr double kUnsavedSeconds = 1;    // until what has changed is written
// What a look for events brings within this time may have waited while the frame was drawn.
constexpr double kWaitingSeconds = 0.01;
constexpr float kDoubleClickSeconds = 0.3F;  // between its presses, as in ImGui

double seconds_of(Clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

std::string last_glfw_error;

// Owns the library and the window.
class Window {
 public:
  // `is_in_pixels`: the size is not multiplied by the display's scale.
  static Result<std::unique_ptr<Window>> create(const WindowPlace& place, bool is_in_pixels);
  ~Window() {
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  GLFWwindow* handle() const { return window_; }
  float scale() const {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(std::max(x, y), 0.5F, 4.0F);
  }
  // While it is maximised the size is that of `last`.
  WindowPlace place(const WindowPlace& last) const {
    if (glfwGetWindowAttrib(window_, GLFW_MAXIMIZED)) return {last.width, last.height, true};
    int width = 0, height = 0;
    glfwGetWindowSize(window_, &width, &height);
    const auto unscaled = [this](int px) {
      return static_cast<int>(std::lround(static_cast<float>(px) / scale()));
    };
    return {unscaled(width), unscaled(height), false};
  }

 private:
  Window() = default;
  GLFWwindow* window_ = nullptr;
};

Result<std::unique_ptr<Window>> Window::create(const WindowPlace& place, bool is_in_pixels) {
  glfwSetErrorCallback([](int, const char* text) { last_glfw_error = text ? text : ""; });
  if (!glfwInit()) return fail(fmt::format("no window can be opened: {}", last_glfw_error));
  std::unique_ptr<Window> window(new Window);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, is_in_pixels ? GLFW_FALSE : GLFW_TRUE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "weftscope");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "weftscope");
  glfwWindowHint(GLFW_MAXIMIZED, place.is_maximized ? GLFW_TRUE : GLFW_FALSE);
  // No bigger than the display, where there is one to ask; GLFW scales the size of a window that is
  // not in pixels.
  int width = place.width, height = place.height;
  if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
    int x = 0, y = 0, w = 0, h = 0;
    glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
    float scale_x = 1, scale_y = 1;
    if (!is_in_pixels) glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
    if (w > 0 && h > 0 && scale_x > 0 && scale_y > 0) {
      width = std::min(width, static_cast<int>(static_cast<float>(w) / scale_x));
      height = std::min(height, static_cast<int>(static_cast<float>(h) / scale_y));
    }
  }
  window->window_ = glfwCreateWindow(width, height, "Weftscope", nullptr, nullptr);
  if (!window->window_) {
    return fail(fmt::format("no window with OpenGL 4.1: {}", last_glfw_error));
  }
  glfwSetWindowSizeLimits(window->window_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(window->window_);
  glfwSwapInterval(1);
  return window;
}

class WindowHost {
 public:
  WindowHost(Window& window, const WindowPlace& place, render::Renderer& renderer, Journal journal,
             const WindowOptions& options);
  ~WindowHost();

  Workbench& workbench() { return *workbench_; }
  // Runs the commands while the window is used, each once all that the one before led to is there,
  // up to one that fails, since those behind it count on it.
  void run_one_by_one(std::deque<Command> commands);
  void loop(const QuitSignals& signals);

 private:
  static WindowHost& of(GLFWwindow* window) {
    return *static_cast<WindowHost*>(glfwGetWindowUserPointer(window));
  }
  void set_callbacks();
  void queue_keys();
  void take_keys();
  void take_pointer();
  double came_from_s(double now_s) const;
  void wait();
  void run_next();
  void frame();
  void update_title();
  void keep_place();

  Window& window_;
  WindowPlace place_;
  std::optional<WindowPlace> kept_place_;  // as it was written for the next start
  Gui gui_;
  std::unique_ptr<Workbench> workbench_;
  Snapshots snapshots_;
  KeyQueue key_queue_;
  PointerQueue pointer_queue_;
  ImVec2 pointer_at_;  // as the last event said
  // When the window began to look for events, and when it had looked before that.
  Clock::time_point look_began_ = Clock::now(), looked_ = Clock::now();
  WindowKeys keys_;
  std::deque<Command> to_run_;
  FramesDue frames_due_;
  Clock::time_point last_frame_ = Clock::now();
  std::string title_;
};

WindowHost::WindowHost(Window& window, const WindowPlace& place, render::Renderer& renderer,
                       Journal journal, const WindowOptions& wanted)
    : window_(window), place_(place), gui_(window.scale(), [] { glfwPostEmptyEvent(); }) {
  WorkbenchOptions options;
  options.memory_bytes = wanted.memory_bytes;
  options.memory_limit_bytes = wanted.memory_limit_bytes;
  options.recording = wanted.recording;
  options.config_folder = wanted.config_folder;
  options.reopens = wanted.files.empty();
  options.wake = [] { glfwPostEmptyEvent(); };
  options.state_folder = io::state_folder();
  options.has_user = true;
  options.scale = gui_.scale();
  options.fonts = gui_.fonts();
  workbench_ = std::make_unique<Workbench>(renderer, std::move(options), std::move(journal));
  glfwSetWindowUserPointer(window_.handle(), this);
  set_callbacks();
  // After ours, which it calls on.
  ImGui_ImplGlfw_InitForOpenGL(window_.handle(), true);
  queue_keys();
}

WindowHost::~WindowHost() {
  snapshots_.cancel();
  workbench_.reset();
  ImGui_ImplGlfw_Shutdown();
}

void WindowHost::set_callbacks() {
  GLFWwindow* window = window_.handle();
  glfwSetWindowFocusCallback(window, [](GLFWwindow* w, int is_focused) {
    if (!is_focused) return of(w).keys_.release_all();
    if (of(w).workbench_) of(w).workbench_->notice_return();
  });
  glfwSetDropCallback(window, [](GLFWwindow* w, int count, const char** paths) {
    for (int i = 0; i < count; ++i) {
      (void)of(w).workbench_->run({"open", {{"path", paths[i]}}});  // errors are shown
    }
  });
  // Events that a poll brings while frames are due for others; keys say so themselves. Asked, GLFW
  // says where the pointer is by now, not where it was when the button went down.
  glfwSetCursorPosCallback(window, [](GLFWwindow* w, double x, double y) {
    of(w).frames_due_.renew();
    of(w).pointer_at_ = {static_cast<float>(x), static_cast<float>(y)};
  });
  glfwSetMouseButtonCallback(window, [](GLFWwindow* w, int button, int action, int) {
    const auto [x, y] = of(w).pointer_at_;
    of(w).frames_due_.renew();
    const double now_s = seconds_of(Clock::now());
    of(w).pointer_queue_.add({button, action == GLFW_PRESS, x, y, of(w).came_from_s(now_s), now_s});
  });
  glfwSetScrollCallback(window, [](GLFWwindow* w, double, double) { of(w).frames_due_.renew(); });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow* w) { of(w).frame(); });
}

// Instead of ImGui's, which gets them frame by frame.
void WindowHost::queue_keys() {
  GLFWwindow* window = window_.handle();
  glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
    of(w).key_queue_.add(KeyEvent{key, scancode, action, mods});
  });
  glfwSetCharCallback(window, [](GLFWwindow* w, unsigned int letter) {
    of(w).key_queue_.add(LetterEvent{letter});
  });
}

// Keys that are not for this frame come with the next ones.
void WindowHost::take_keys() {
  if (!key_queue_.is_empty()) frames_due_.renew();
  key_queue_.next_frame([this](const KeyQueue::Event& event) {
    if (const auto* letter = std::get_if<LetterEvent>(&event)) {
      keys_.on_char(letter->letter);
      ImGui_ImplGlfw_CharCallback(window_.handle(), letter->letter);
    } else {
      const auto& [key, scancode, action, mods] = std::get<KeyEvent>(event);
      keys_.on_key(key, scancode, action, mods);
      ImGui_ImplGlfw_KeyCallback(window_.handle(), key, scancode, action, mods);
    }
  });
}

// The earliest time at which an event may have come that is seen now: GLFW does not tell.
double WindowHost::came_from_s(double now_s) const {
  return now_s - seconds_of(look_began_) < kWaitingSeconds ? seconds_of(looked_) : now_s;
}

// Instead of what ImGui has read: where buttons went down and up since the last frame.
void WindowHost::take_pointer() {
  ImGuiIO& io = ImGui::GetIO();
  const bool is_late = !pointer_queue_.is_empty();
  if (is_late) frames_due_.renew();
  const PointerQueue::State now = pointer_queue_.next_frame(io.MousePos.x, io.MousePos.y);
  if constexpr (IMGUI_VERSION_NUM >= 18700) return;  // it has such a queue itself
  if (is_late) io.MousePos = {now.x, now.y};
  std::ranges::copy(now.is_down, io.MouseDown);
  io.MouseDoubleClickTime = pointer_queue_.double_click_s(kDoubleClickSeconds);
}

void WindowHost::run_one_by_one(std::deque<Command> commands) { to_run_ = std::move(commands); }

void WindowHost::run_next() {
  if (to_run_.empty() || !workbench_->is_ready() || snapshots_.is_busy()) return;
  const Command command = std::move(to_run_.front());
  to_run_.pop_front();
  if (!workbench_->run(command)) to_run_.clear();  // the error is shown
}

void WindowHost::loop(const QuitSignals& signals) {
  while (!glfwWindowShouldClose(window_.handle()) && !workbench_->session().orders.is_quitting) {
    look_began_ = Clock::now();
    wait();
    looked_ = Clock::now();
    if (signals.has_come()) (void)workbench_->run({"quit"});
    run_next();
    frame();
  }
  keep_place();
}

// Waits until there is something to draw: sleeps while nothing moves.
void WindowHost::wait() {
  const bool is_busy =
      workbench_->is_moving() || keys_.is_any_held() || snapshots_.is_busy() || !to_run_.empty();
  if (is_busy || frames_due_.take()) {
    // If swapping does not wait for the display, limit frames to about sixty a second.
    std::this_thread::sleep_until(last_frame_ + std::chrono::milliseconds(14));
    glfwPollEvents();
    return;
  }
  const double redraw_s = workbench_->redraw_after_s();
  if (workbench_->has_progress()) {
    glfwWaitEventsTimeout(kLoadingSeconds);
  } else if (redraw_s > 0) {
    const Clock::time_point before = Clock::now();
    glfwWaitEventsTimeout(redraw_s);
    // If nothing has happened, one frame will do.
    const bool is_over = Clock::now() - before >= std::chrono::duration<double>(redraw_s);
    is_over ? frames_due_.end() : frames_due_.renew();
    return;
  } else if (workbench_->has_unsaved()) {
    glfwWaitEventsTimeout(kUnsavedSeconds);
  } else {
    keep_place();
    glfwWaitEvents();
  }
  frames_due_.renew();
}

void WindowHost::frame() {
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_.handle(), &width, &height);
  if (width <= 0 || height <= 0) return;  // minimised
  workbench_->set_display_scale(window_.scale());
  update_scale(*workbench_, gui_);

  const Clock::time_point now = Clock::now();
  take_keys();
  Input input = keys_.take();
  input.seconds = std::max(1e-4, std::chrono::duration<double>(now - last_frame_).count());
  last_frame_ = now;

  gui_.begin_frame();
  ImGui_ImplGlfw_NewFrame();
  take_pointer();
  // Everything is in pixels of the framebuffer, also where the display counts in points.
  ImGuiIO& io = ImGui::GetIO();
  if (io.DisplaySize.x > 0) {
    const float ratio = static_cast<float>(width) / io.DisplaySize.x;
    io.MousePos = {io.MousePos.x * ratio, io.MousePos.y * ratio};
  }
  io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
  io.DisplayFramebufferScale = {1, 1};
  ImGui::NewFrame();
  workbench_->frame(input, width, height);
  ImGui::Render();
  workbench_->paint();
  workbench_->present(height);
  gui_.draw();
  glfwSwapBuffers(window_.handle());
  snapshots_.step(*workbench_, gui_, width, height);
  update_title();
}

void WindowHost::update_title() {
  const OpenTrace* trace = workbench_->session().trace();
  std::string title = "Weftscope";
  if (trace) title = printable(trace->name()) + " - Weftscope";
  if (title == title_) return;
  title_ = std::move(title);
  glfwSetWindowTitle(window_.handle(), title_.c_str());
}

// If it cannot be written, the next window merely has another size.
void WindowHost::keep_place() {
  place_ = window_.place(place_);
  if (kept_place_ == place_) return;
  kept_place_ = place_;
  (void)write_window_place(place_, io::state_folder());
}

}  // namespace

bool has_display() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) return false;
  glfwSetErrorCallback(nullptr);
  return glfwInit() == GLFW_TRUE;  // stays: a server that its last client has left may start anew
}

namespace {

WindowPlace place_at_start(const WindowOptions& options) {
  if (options.width > 0) return {options.width, options.height, false};
  return read_window_place(io::state_folder()).value_or(WindowPlace{1600, 1000, false});
}

// The commands of a journal up to the end of its first session. If traces are given, its views
// apply to them, not to those that it opened.
Result<std::deque<Command>> commands_to_begin_with(const WindowOptions& options) {
  std::deque<Command> commands;
  if (options.start.empty()) return commands;
  WEFT_TRY_ASSIGN(const auto lines, read_journal(options.start));
  for (const auto& [place, command] : lines) {
    if (!command) return fail(Error(command.error()).context(place));
    if (command->name == "quit") break;
    if (command->name == "open" && !options.files.empty()) continue;
    commands.push_back(*command);
  }
  return commands;
}

}  // namespace

Status run_window(const WindowOptions& options) {
  // From here on: what was to be opened is kept, also where nobody gets to see it.
  const QuitSignals signals([] { glfwPostEmptyEvent(); });
  WEFT_TRY_ASSIGN(Journal journal, Journal::open(options.journal));
  WEFT_TRY_ASSIGN(auto start, commands_to_begin_with(options));
  const WindowPlace place = place_at_start(options);
  WEFT_TRY_ASSIGN(const auto window, Window::create(place, /*is_in_pixels=*/options.width > 0));
  WEFT_TRY(render::opengl::load_opengl(glfwGetProcAddress));
  WEFT_TRY_ASSIGN(const auto renderer, render::opengl::create_renderer());
  WindowHost host(*window, window->place(place), *renderer, std::move(journal), options);
  for (const auto& file : options.files) {
    if (!host.workbench().run(open_command(file, options.type))) continue;  // errors are shown
    if (options.symbols.empty()) continue;
    (void)host.workbench().run({"symbols.load", symbols_args(options.symbols)});
  }
  host.run_one_by_one(std::move(start));
  host.loop(signals);
  return {};
}

}  // namespace weft::app
