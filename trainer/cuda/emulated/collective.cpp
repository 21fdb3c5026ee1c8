// Gangs whose ranks are threads of this process. Sums add in the order of the ranks.
#include "trainer/cuda/collective.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

#include "trainer/cuda/emulated/simt.h"

namespace spottrain::cuda {

// A meeting point for the ranks of one gang.
class Meeting {
 public:
  // Waits for all ranks. Each contributes a pointer to data that stays unchanged until its next
  // call. Returns all pointers by rank. Throws if a rank has left.
  std::vector<const void*> meet(RankOf rank, const void* brought) {
    std::unique_lock lock(mutex_);
    brought_.resize(static_cast<std::size_t>(rank.size));
    brought_[static_cast<std::size_t>(rank.rank)] = brought;
    const int round = round_;
    if (++arrived_ == rank.size) {
      arrived_ = 0;
      ++round_;
      met_ = brought_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || somebody_left_; });
    if (round_ == round) throw std::runtime_error("a rank of the emulated gang has left");
    return met_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    somebody_left_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0, round_ = 0;
  bool somebody_left_ = false;
  std::vector<const void*> brought_, met_;
};

namespace {

std::mutex meetings_mutex;
std::map<GpuGangId, std::weak_ptr<Meeting>> meetings;
unsigned char gangs = 0;

std::shared_ptr<Meeting> meeting_of(const GpuGangId& id) {
  const std::lock_guard lock(meetings_mutex);
  std::weak_ptr<Meeting>& known = meetings[id];
  std::shared_ptr<Meeting> meeting = known.lock();
  if (meeting == nullptr) known = meeting = std::make_shared<Meeting>();
  return meeting;
}

}  // namespace

std::string why_no_gangs() { return {}; }

GpuGangId new_gang_id() {
  const std::lock_guard lock(meetings_mutex);
  return {std::byte{++gangs}};
}

struct Collective::Ranks {
  const RankOf rank;
  const std::shared_ptr<Meeting> meeting;

  template <typename Value>
  void sum(Value* values, std::size_t count) const {
    std::vector<Value> sums(count);
    const auto brought = meeting->meet(rank, values);
    for (std::size_t i = 0; i < count; ++i) {
      sums[i] = static_cast<const Value*>(brought[0])[i];
      for (std::size_t r = 1; r < brought.size(); ++r) {
        sums[i] += static_cast<const Value*>(brought[r])[i];
      }
    }
    meeting->meet(rank, nullptr);  // all ranks have read
    std::ranges::copy(sums, values);
  }
};

Collective::Collective(const GpuGang& gang, bool /*deterministic*/)
    : ranks_(new Ranks{gang.rank, meeting_of(gang.id)}) {
  ranks_->meeting->meet(gang.rank, nullptr);
}
Collective::~Collective() { ranks_->meeting->leave(); }

void Collective::sum(float* values, std::size_t count, LossSums* sums, const Stream&) {
  emulated::enqueue([this, values, count, sums] {
    ranks_->sum(values, count);
    ranks_->sum(&sums->loss, 1);
    ranks_->sum(&sums->correct, 1);
  });
}

void Collective::broadcast(float* values, std::size_t count, const Stream&) {
  emulated::enqueue([this, values, count] {
    const void* first = ranks_->meeting->meet(ranks_->rank, values)[0];
    if (first != values) std::memcpy(values, first, count * sizeof(float));
    ranks_->meeting->meet(ranks_->rank, nullptr);
  });
}

void Collective::begin() {}
void Collective::end() {}

std::string Collective::description() const { return "emulated gang"; }

}  // namespace spottrain::cuda
