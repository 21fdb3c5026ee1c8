#include "trainer/cuda/device.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

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

// Records the work that a stream gets between begin and end. The recording also ends with an
// exception.
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

int count_of_gpus() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) return count;
  throw EngineUnavailable(error == cudaErrorInsufficientDriver ||
                                  error == cudaErrorSystemDriverMismatch
                              ? fmt::format("no driver for a GPU, or one too old for CUDA {}.{}",
                                            CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10)
                          : error == cudaErrorNoDevice || error == cudaSuccess
                              ? std::string("no GPU")
                              : fmt::format("no usable GPU: {}", cudaGetErrorString(error)));
}

cudaDeviceProp properties_of(int gpu) {
  cudaDeviceProp properties{};
  check_cuda(cudaGetDeviceProperties(&properties, gpu), "asking what the device is");
  return properties;
}

}  // namespace

std::vector<GpuUuid> gpus() {
  std::vector<GpuUuid> all(static_cast<std::size_t>(count_of_gpus()));
  for (std::size_t gpu = 0; gpu < all.size(); ++gpu) {
    const cudaUUID_t uuid = properties_of(static_cast<int>(gpu)).uuid;
    std::memcpy(all[gpu].data(), uuid.bytes, sizeof uuid.bytes);
  }
  return all;
}

DeviceInfo use_device(int gpu) {
  const int count = count_of_gpus();
  if (gpu < 0 || gpu >= count) {
    throw EngineUnavailable(fmt::format("no GPU {}, this machine has {}", gpu, count));
  }
  check_cuda(cudaInitDevice(gpu, cudaDeviceScheduleBlockingSync, cudaInitDeviceFlagsAreValid),
             "starting a device");
  check_cuda(cudaSetDevice(gpu), "choosing a device");
  const cudaDeviceProp properties = properties_of(gpu);
  return {properties.name, properties.major * 10 + properties.minor};
}

}  // namespace spottrain::cuda
