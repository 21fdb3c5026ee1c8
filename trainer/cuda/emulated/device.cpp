#include "trainer/cuda/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

#include "trainer/cuda/emulated/simt.h"

// An emulated stream does its work when the work is enqueued, unless a graph is being recorded.
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace spottrain::cuda {
namespace {

thread_local CUgraphExec_st* recording = nullptr;

void* allocate(std::size_t bytes) {
  void* data = nullptr;
  if (posix_memalign(&data, 256, std::max<std::size_t>(bytes, 1)) != 0) throw std::bad_alloc();
  std::memset(data, 0, bytes);
  return data;
}

}  // namespace

void emulated::enqueue(std::function<void()> work) {
  if (recording != nullptr) {
    recording->work.push_back(std::move(work));
  } else {
    work();
  }
}

Memory::Memory(std::size_t bytes) : data_(allocate(bytes)) {}
Memory::~Memory() { std::free(data_); }
PinnedMemory::PinnedMemory(std::size_t bytes) : data_(allocate(bytes)) {}
PinnedMemory::~PinnedMemory() { std::free(data_); }

Event::Event() = default;
Event::~Event() = default;
void Event::record(const Stream&) {}
void Event::wait() const {}
double seconds_between(const Event&, const Event&) { return 0; }

Stream::Stream() = default;
Stream::~Stream() = default;
void Stream::copy(void* to, const void* from, std::size_t bytes) const {
  emulated::enqueue([=] { std::memcpy(to, from, bytes); });
}
void Stream::clear(void* data, std::size_t bytes) const {
  emulated::enqueue([=] { std::memset(data, 0, bytes); });
}
void Stream::wait(const Event&) const {}
void Stream::synchronize() const {}

Graph::Graph(const Stream&, const std::function<void()>& enqueue) : raw_(new CUgraphExec_st) {
  recording = raw_;
  enqueue();
  recording = nullptr;
}
Graph::~Graph() { delete raw_; }
void Graph::launch(const Stream&) const {
  for (const auto& work : raw_->work) work();
}

// The emulated machine has two GPUs, so a third rank must share one.
std::vector<GpuUuid> gpus() { return {{std::byte{1}}, {std::byte{2}}}; }
DeviceInfo use_device(int) { return {"emulated", 90}; }

}  // namespace spottrain::cuda
