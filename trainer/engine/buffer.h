// Memory for many floats.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <span>

namespace spottrain {

// Floats in memory that is initially zero and aligned to 64 bytes.
class Buffer {
 public:
  explicit Buffer(std::size_t size);
  float* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::span<float> span() const { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(float* data) const { std::free(data); }
  };
  std::size_t size_;
  std::unique_ptr<float[], Free> data_;
};

}  // namespace spottrain
