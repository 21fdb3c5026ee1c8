#include "trainer/cuda/device.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>

#include "trainer/cuda/nvidia/check.h"
#include "trainer/engine/cuda_module.h"

namespace spottrain::cuda {

void check_cuda(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return;
  throw std::runtime_error(
      fmt::format("CUDA, {}: {} ({})", what, cudaGetErrorString(error), cudaGetErrorName(error)));
}

Memory::Memory(std::size_t bytes) {
  const std::size_t least = std::max<std::size_t>(bytes, 1);
  check_cuda(cudaMalloc(&data_, least), fmt::format("taking {} bytes of the device", least));
  check_cuda(cudaMemset(data_, 0, least), "clearing memory");
  check_cuda(cudaDeviceSynchronize(), "clearing memory");
}
Memory::~Memory() { cudaFree(data_); }

PinnedMemory::PinnedMemory(std::size_t bytes) {
  const std::size_t least = std::max<std::size_t>(bytes, 1);
  check_cuda(cudaMallocHost(&data_, least), fmt::format("locking {} bytes of the host", least));
}
PinnedMemory::~PinnedMemory() { cudaFreeHost(data_); }

Event::Event() {
  check_cuda(cudaEventCreateWithFlags(&raw_, cudaEventBlockingSync), "making an event");
}
Event::~Event() { cudaEventDestroy(raw_); }
void Event::record(const Stream& stream) {
  check_cuda(cudaEventRecord(raw_, stream.raw()), "recording an event");
}
void Event::wait() const { check_cuda(cudaEventSynchronize(raw_), "waiting for the device"); }

double seconds_between(const Event& from, const Event& to) {
  float milliseconds = 0;
  check_cuda(cudaEventElapsedTime(&milliseconds, from.raw(), to.raw()), "reading a time");
  return double{milliseconds} / 1000;
}

Stream::Stream() {
  check_cuda(cudaStreamCreateWithFlags(&raw_, cudaStreamNonBlocking), "making a stream");
}
Stream::~Stream() { cudaStreamDestroy(raw_); }
void Stream::copy(void* to, const void* from, std::size_t bytes) const {
  check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, raw_), "copying");
}
void Stream::clear(void* data, std::size_t bytes) const {
  check_cuda(cudaMemsetAsync(data, 0, bytes, raw_), "clearing memory");
}
void Stream::wait(const Event& event) const {
  check_cuda(cudaStreamWaitEvent(raw_, event.raw(), 0), "ordering streams");
}
void Stream::synchronize() const {
  check_cuda(cudaStreamSynchronize(raw_), "waiting for the device");
}

namespace {

// What a stream is given between begin and end, even if an exception ends it.
class Capture {
 public:
  explicit Capture(const Stream& stream) : stream_(stream) {
    check_cuda(cudaStreamBeginCapture(stream.raw(), cudaStreamCaptureModeThreadLocal),
               "beginning a graph");
  }
  ~Capture() {
    if (graph_ == nullptr) cudaStreamEndCapture(stream_.raw(), &graph_);
    if (graph_ != nullptr) cudaGraphDestroy(graph_);
  }
  cudaGraph_t end() {
    check_cuda(cudaStreamEndCapture(stream_.raw(), &graph_), "ending a graph");
    return graph_;
  }

 private:
  const Stream& stream_;
  cudaGraph_t graph_ = nullptr;
};

}  // namespace

Graph::Graph(const Stream& stream, const std::function<void()>& enqueue) {
  Capture capture(stream);
  enqueue();
  check_cuda(cudaGraphInstantiate(&raw_, capture.end(), 0), "instantiating a graph");
}
Graph::~Graph() { cudaGraphExecDestroy(raw_); }
void Graph::launch(const Stream& stream) const {
  check_cuda(cudaGraphLaunch(raw_, stream.raw()), "launching a graph");
}

namespace {

DeviceInfo choose_device() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0) {
    throw EngineUnavailable(error == cudaErrorInsufficientDriver ||
                                    error == cudaErrorSystemDriverMismatch
                                ? fmt::format("no driver for a GPU, or one too old for CUDA {}.{}",
                                              CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10)
                            : error == cudaErrorNoDevice || error == cudaSuccess
                                ? std::string("no GPU")
                                : fmt::format("no usable GPU: {}", cudaGetErrorString(error)));
  }
  check_cuda(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "choosing how to wait");
  check_cuda(cudaSetDevice(0), "choosing a device");
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, 0), "asking what the device is");
  return {properties.name, properties.major * 10 + properties.minor};
}

}  // namespace

DeviceInfo use_device() {
  static const DeviceInfo chosen = choose_device();
  return chosen;
}

}  // namespace spottrain::cuda
