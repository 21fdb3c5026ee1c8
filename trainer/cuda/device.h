// The GPU's memory, streams and clocks, as far as the engine needs them. Two implementations are
// linked: nvidia/device.cpp on CUDA's runtime, and emulated/device.cpp on the CPU for tests.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trainer/engine/cuda_module.h"

struct CUstream_st;
struct CUevent_st;
struct CUgraphExec_st;

namespace spottrain::cuda {

// Memory of the device: initially zero, aligned to 256 bytes.
class Memory {
 public:
  explicit Memory(std::size_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

// Page-locked memory of the host. The device copies from and to it while the host continues.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes);
  ~PinnedMemory();
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

template <typename T, typename Bytes = Memory>
class Array {
 public:
  explicit Array(std::size_t size) : size_(size), bytes_(size * sizeof(T)) {}
  T* data() const { return static_cast<T*>(bytes_.data()); }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  Bytes bytes_;
};
template <typename T>
using PinnedArray = Array<T, PinnedMemory>;

class Stream;

// A point in a stream's work. A thread that waits for it blocks and does not spin.
class Event {
 public:
  Event();
  ~Event();
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  void record(const Stream& stream);
  void wait() const;
  CUevent_st* raw() const { return raw_; }

 private:
  CUevent_st* raw_ = nullptr;
};

// The time on the device between two completed events, in seconds.
double seconds_between(const Event& from, const Event& to);

// A queue of work, which the device does in order. Functions that enqueue return before the work is
// done.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  void copy(void* to, const void* from, std::size_t bytes) const;
  void clear(void* data, std::size_t bytes) const;
  void wait(const Event& event) const;  // blocks later work of this stream, not the thread
  void synchronize() const;
  CUstream_st* raw() const { return raw_; }

 private:
  CUstream_st* raw_ = nullptr;
};

// Recorded work that can be enqueued repeatedly as one unit.
class Graph {
 public:
  // enqueue() records its work on the stream without executing it.
  Graph(const Stream& stream, const std::function<void()>& enqueue);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(const Stream& stream) const;

 private:
  CUgraphExec_st* raw_ = nullptr;
};

struct DeviceInfo {
  std::string name;    // "NVIDIA H200"
  int capability = 0;  // 90 for compute capability 9.0
};
// This machine's GPUs. Throws EngineUnavailable if there is no driver or no GPU.
std::vector<GpuUuid> gpus();
// Selects the GPU for the calling thread's memory and streams, by its index in gpus(). Throws
// EngineUnavailable for the reasons of gpus(), and for an invalid index.
DeviceInfo use_device(int gpu);

}  // namespace spottrain::cuda
