// A value of any copyable type that is carried without being opened: only code that names its type can look inside.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace muster {

class Carried {
 public:
  Carried() = default;
  // NOLINTBEGIN(google-explicit-constructor,bugprone-forwarding-reference-overload): any value will do
  template <class T>
  requires(!std::is_base_of_v<Carried, std::remove_cvref_t<T>>) Carried(T&& value)
      : held_(std::make_unique<Held<std::remove_cvref_t<T>>>(std::forward<T>(value))) {}
  // NOLINTEND(google-explicit-constructor,bugprone-forwarding-reference-overload)
  Carried(const Carried& other) : held_(other.held_ ? other.held_->copy() : nullptr) {}
  Carried(Carried&&) noexcept = default;
  Carried& operator=(Carried other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~Carried() = default;

  /// The value if it is a T, else nullptr.
  template <class T>
  [[nodiscard]] const T* as() const {
    return held_ && held_->tag == &kTag<T> ? &static_cast<const Held<T>*>(held_.get())->value : nullptr;
  }
  template <class T>
  [[nodiscard]] T* as() {
    return held_ && held_->tag == &kTag<T> ? &static_cast<Held<T>*>(held_.get())->value : nullptr;
  }
  /// The value if it is a T, else a T as it is by default.
  template <class T>
  [[nodiscard]] const T& of() const {
    const T* const held = as<T>();
    return held != nullptr ? *held : kDefault<T>;
  }
  /// The value as a T; whatever else was held is replaced by a T as it is by default.
  template <class T>
  [[nodiscard]] T& of() {
    if (as<T>() == nullptr) *this = Carried(T{});
    return *as<T>();
  }

 private:
  template <class T>
  static constexpr char kTag = 0;  // its address tells types apart
  template <class T>
  static inline const T kDefault{};
  struct Anything {
    explicit Anything(const char* of) : tag(of) {}
    virtual ~Anything() = default;
    Anything(const Anything&) = default;
    Anything& operator=(const Anything&) = delete;
    [[nodiscard]] virtual std::unique_ptr<Anything> copy() const = 0;
    const char* tag;
  };
  template <class T>
  struct Held final : Anything {
    explicit Held(T of) : Anything(&kTag<T>), value(std::move(of)) {}
    [[nodiscard]] std::unique_ptr<Anything> copy() const override { return std::make_unique<Held>(*this); }
    T value;
  };
  std::unique_ptr<Anything> held_;
};

}  // namespace muster
