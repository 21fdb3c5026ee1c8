// Gangs under MPI, for the program spottrain-mpi.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "trainer/gang/communicator.h"

namespace spottrain {
namespace {

MPI_Datatype type_of(float) { return MPI_FLOAT; }
MPI_Datatype type_of(double) { return MPI_DOUBLE; }

// Waits for a request. It sleeps between two polls, for an eighth of the time waited so far. MPI's
// own waits spin, and so take a processor from another rank or from a simulator of machines.
void finish(MPI_Request request) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kLook{50}, kLongestSleep{50'000};
  const auto begin = Clock::now();
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    const auto waited = Clock::now() - begin;
    if (waited > kLook)
      std::this_thread::sleep_for(std::min<Clock::duration>(waited / 8, kLongestSleep));
  }
}

// The number of ranks below this one on the same machine.
int ranks_before_on_this_machine(int rank, int size) {
  std::vector<std::array<char, MPI_MAX_PROCESSOR_NAME>> names(static_cast<std::size_t>(size));
  std::array<char, MPI_MAX_PROCESSOR_NAME> own{};
  int length = 0;
  MPI_Get_processor_name(own.data(), &length);
  MPI_Request request;
  MPI_Iallgather(own.data(), MPI_MAX_PROCESSOR_NAME, MPI_CHAR, names.data(), MPI_MAX_PROCESSOR_NAME,
                 MPI_CHAR, MPI_COMM_WORLD, &request);
  finish(request);
  return static_cast<int>(std::count(names.begin(), names.begin() + rank, own));
}

// The ranks under MPI. Errors of MPI end all processes (MPI_ERRORS_ARE_FATAL is the default), so a
// call that returns has succeeded.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    local_rank_ = ranks_before_on_this_machine(rank_, size_);
  }
  // Waits for all ranks. mpirun ends all ranks if one ends with a status other than 0. So no rank
  // leaves before rank 0 has stored its checkpoint.
  ~MpiCommunicator() override {
    MPI_Request all;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    finish(all);
    MPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_rank() const override { return local_rank_; }
  void sum(std::span<float> values) override { sum_in_order(values); }
  void sum(std::span<double> values) override { sum_in_order(values); }
  void broadcast(std::span<std::byte> bytes) override {
    constexpr std::size_t kMost = std::size_t{1} << 30;  // counts are ints
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), kMost))) {
      const auto count = static_cast<int>(std::min(bytes.size(), kMost));
      MPI_Request request;
      MPI_Ibcast(bytes.data(), count, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
      finish(request);
    }
  }
  [[noreturn]] void abort(int status) override {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
  }

 private:
  // Each rank adds up one part of the values, rank by rank. Then all ranks get all parts.
  // MPI_Allreduce may add in any order. The traffic is the same as that of a ring.
  template <typename Value>
  void sum_in_order(std::span<Value> values) {
    const auto ranks = static_cast<std::size_t>(size_);
    const std::size_t part = (values.size() + ranks - 1) / ranks;
    std::vector<int> counts, offsets;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      const std::size_t first = std::min(values.size(), rank * part);
      offsets.push_back(static_cast<int>(first));
      counts.push_back(static_cast<int>(std::min(part, values.size() - first)));
    }
    const auto own = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank_)]);
    std::vector<int> own_counts(ranks, static_cast<int>(own)), own_offsets;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      own_offsets.push_back(static_cast<int>(rank * own));
    }
    std::vector<Value> of_all(ranks * own);
    const MPI_Datatype type = type_of(Value{});
    MPI_Request request;
    MPI_Ialltoallv(values.data(), counts.data(), offsets.data(), type, of_all.data(),
                   own_counts.data(), own_offsets.data(), type, MPI_COMM_WORLD, &request);
    finish(request);
    for (std::size_t rank = 1; rank < ranks; ++rank) {
      for (std::size_t i = 0; i < own; ++i) of_all[i] += of_all[rank * own + i];
    }
    MPI_Iallgatherv(of_all.data(), static_cast<int>(own), type, values.data(), counts.data(),
                    offsets.data(), type, MPI_COMM_WORLD, &request);
    finish(request);
  }

  int rank_ = 0, size_ = 1, local_rank_ = 0;
};

}  // namespace

std::unique_ptr<Communicator> join_gang(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  auto gang = std::make_unique<MpiCommunicator>();
  if (gang->size() == 1) return nullptr;
  return gang;
}

}  // namespace spottrain
