// The C++ types of members in AWS's structures. All members are optional, even required ones,
// because models change from version to version in what they require.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace api {

template <class T>
using Opt = std::optional<T>;

using Timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

// A list that can be given although it is empty: AWS answers <tagSet/> or nothing, and these
// differ.
template <class T>
class List : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  using std::vector<T>::operator=;
  List(std::vector<T> items) : std::vector<T>(std::move(items)) {}

  // True when it has items or was given empty.
  bool given() const { return given_ || !this->empty(); }
  List& give() & {
    given_ = true;
    return *this;
  }
  List give() && {
    given_ = true;
    return std::move(*this);
  }

 private:
  bool given_ = false;
};

// A map that can be given although it is empty, like List.
template <class T>
class Map : public std::map<std::string, T> {
 public:
  using std::map<std::string, T>::map;
  using std::map<std::string, T>::operator=;

  bool given() const { return given_ || !this->empty(); }
  Map& give() & {
    given_ = true;
    return *this;
  }

 private:
  bool given_ = false;
};

// An optional value of an incomplete type, for shapes that contain themselves.
template <class T>
class Box {
 public:
  Box() = default;
  Box(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Box(const Box& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Box(Box&&) noexcept = default;
  Box& operator=(Box other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~Box() = default;

  explicit operator bool() const { return value_ != nullptr; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }
  T& emplace() {
    value_ = std::make_unique<T>();
    return *value_;
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace api
