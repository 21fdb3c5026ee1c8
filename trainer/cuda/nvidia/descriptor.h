// cuDNN's graph interface in C++: a descriptor is an object with typed attributes that is finalized
// once. https://docs.nvidia.com/deeplearning/cudnn/backend/latest/api/cudnn-graph-library.html
#pragma once

#include <cudnn.h>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spottrain::cuda {

// Throws std::runtime_error with cuDNN's own message, for any status except success.
void check_cudnn(cudnnStatus_t status, std::string_view what);

class Descriptor {
 public:
  explicit Descriptor(cudnnBackendDescriptorType_t type);
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }

  cudnnBackendDescriptor_t raw() const { return raw_; }

  template <typename T>
  void set_all(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
               std::span<const T> values) {
    set_raw(name, type, static_cast<std::int64_t>(values.size()), values.data());
  }
  template <typename T>
  void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value) {
    set_raw(name, type, 1, &value);
  }
  void set(cudnnBackendAttributeName_t name, std::initializer_list<std::int64_t> values) {
    set_all(name, CUDNN_TYPE_INT64, std::span(values.begin(), values.size()));
  }
  void set(cudnnBackendAttributeName_t name, const Descriptor& other) {
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.raw_);
  }

  // Returns the reason if cuDNN refuses.
  std::optional<std::string> try_finalize();
  void finalize(std::string_view what);

  // Gets an attribute of at most `most` values.
  template <typename T>
  std::vector<T> get(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                     std::size_t most) const {
    std::vector<T> values(most);
    values.resize(get_raw(name, type, most, values.data()));
    return values;
  }
  // Lets cuDNN fill unfinalized descriptors. Returns how many it filled.
  std::size_t get(cudnnBackendAttributeName_t name, std::span<Descriptor> others) const;

 private:
  void set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
               std::int64_t count, const void* values);
  std::size_t get_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                      std::size_t most, void* values) const;

  cudnnBackendDescriptor_t raw_ = nullptr;
};

}  // namespace spottrain::cuda
