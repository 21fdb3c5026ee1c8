#include "trainer/cuda/nvidia/descriptor.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace spottrain::cuda {
namespace {

std::string message_of(cudnnStatus_t status) {
  std::array<char, 1024> text{};
  cudnnGetLastErrorString(text.data(), text.size());
  return fmt::format("{} {}", cudnnGetErrorString(status), text.data());
}

}  // namespace

void check_cudnn(cudnnStatus_t status, std::string_view what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  throw std::runtime_error(fmt::format("cuDNN, {}: {}", what, message_of(status)));
}

Descriptor::Descriptor(cudnnBackendDescriptorType_t type) {
  check_cudnn(cudnnBackendCreateDescriptor(type, &raw_), "making a descriptor");
}

Descriptor::~Descriptor() {
  if (raw_ != nullptr) cudnnBackendDestroyDescriptor(raw_);
}

std::optional<std::string> Descriptor::try_finalize() {
  const cudnnStatus_t status = cudnnBackendFinalize(raw_);
  if (status == CUDNN_STATUS_SUCCESS) return std::nullopt;
  return message_of(status);
}

void Descriptor::finalize(std::string_view what) { check_cudnn(cudnnBackendFinalize(raw_), what); }

std::size_t Descriptor::get(cudnnBackendAttributeName_t name, std::span<Descriptor> others) const {
  std::vector<cudnnBackendDescriptor_t> raw;
  for (const Descriptor& other : others) raw.push_back(other.raw_);
  return get_raw(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, raw.size(), raw.data());
}

void Descriptor::set_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                         std::int64_t count, const void* values) {
  check_cudnn(cudnnBackendSetAttribute(raw_, name, type, count, values),
              fmt::format("setting attribute {}", static_cast<int>(name)));
}

std::size_t Descriptor::get_raw(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                                std::size_t most, void* values) const {
  std::int64_t count = 0;
  check_cudnn(
      cudnnBackendGetAttribute(raw_, name, type, static_cast<std::int64_t>(most), &count, values),
      fmt::format("reading attribute {}", static_cast<int>(name)));
  return std::min(most, static_cast<std::size_t>(count));
}

}  // namespace spottrain::cuda
