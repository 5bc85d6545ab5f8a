// The ways in which things go wrong, kept apart:
//   InputError     the user's input is bad: one line that names the location, the value and a remedy (exit 2)
//   NothingFits    the question was clear, and its answer is that there is no way: the same kind of line (exit 1)
//   InternalError  our own bug: an assertion that says what was broken (exit 3)
//   Outcome<T>     an expected outcome (this shape is not supported, no plan fits the budget) is a value
#pragma once

#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace muster {

class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class NothingFits : public InputError {
 public:
  using InputError::InputError;
};

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Throws InputError with a formatted line.
template <class... Args>
[[noreturn]] void reject(fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(fmt::format(format, std::forward<Args>(args)...));
}

/// Throws NothingFits with a formatted line.
template <class... Args>
[[noreturn]] void answer_no(fmt::format_string<Args...> format, Args&&... args) {
  throw NothingFits(fmt::format(format, std::forward<Args>(args)...));
}

[[noreturn]] void fail_assertion(const char* condition, const char* file, int line, const std::string& message);

/// MUSTER_ASSERT(condition, "format", args...): what must hold unless we have a bug. Active in every build.
#define MUSTER_ASSERT(condition, ...) \
  ((condition) ? void(0) : ::muster::fail_assertion(#condition, __FILE__, __LINE__, fmt::format(__VA_ARGS__)))

/// Why something that was asked for is not offered.
struct Refusal {
  std::string reason;
};

/// A value, or the reason why there is none.
template <class T>
class Outcome {
 public:
  Outcome(T value) : value_(std::move(value)) {}            // NOLINT: converts on purpose
  Outcome(Refusal refusal) : value_(std::move(refusal)) {}  // NOLINT: converts on purpose

  [[nodiscard]] bool ok() const { return std::holds_alternative<T>(value_); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const T& value() const& { return require(); }
  [[nodiscard]] T&& value() && { return std::move(const_cast<T&>(require())); }
  [[nodiscard]] const std::string& reason() const {
    MUSTER_ASSERT(!ok(), "asked a value for its reason");
    return std::get<Refusal>(value_).reason;
  }

 private:
  const T& require() const {
    MUSTER_ASSERT(ok(), "no value: {}", std::get<Refusal>(value_).reason);
    return std::get<T>(value_);
  }
  std::variant<T, Refusal> value_;
};

/// The known names nearest to `name` first (by edit distance), at most `most` of them.
std::vector<std::string> nearest_names(std::string_view name, std::span<const std::string> known, std::size_t most = 3);

/// "did you mean 'a' or 'b'?", or all names when none is near: the tail of an unknown-name message.
std::string suggest(std::string_view name, std::span<const std::string> known);

}  // namespace muster
