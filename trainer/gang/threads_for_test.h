// For tests: a gang whose ranks are threads of this process, all on one machine.
#pragma once

#include <algorithm>
#include <barrier>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "trainer/gang/communicator.h"

namespace spottrain {

class Threads {
 public:
  explicit Threads(int size) : barrier_(size), spans_(static_cast<std::size_t>(size)) {}

  class Rank final : public Communicator {
   public:
    Rank(Threads& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.spans_.size()); }
    int local_rank() const override { return rank_; }
    void sum(std::span<float> values) override { sum_as<float>(values); }
    void sum(std::span<double> values) override { sum_as<double>(values); }
    void broadcast(std::span<std::byte> bytes) override {
      const auto of_zero = share(bytes);
      if (rank_ != 0) std::memcpy(bytes.data(), of_zero.front().data(), bytes.size());
      all_.barrier_.arrive_and_wait();
    }
    [[noreturn]] void abort(int) override { std::abort(); }

   private:
    std::vector<std::span<std::byte>> share(std::span<std::byte> own) {
      all_.spans_[static_cast<std::size_t>(rank_)] = own;
      all_.barrier_.arrive_and_wait();
      return all_.spans_;
    }
    template <typename Value>
    void sum_as(std::span<Value> values) {
      std::vector<Value> sums;
      for (const auto& bytes : share(std::as_writable_bytes(values))) {
        const std::span of_rank(reinterpret_cast<const Value*>(bytes.data()), values.size());
        if (sums.empty()) {
          sums.assign(of_rank.begin(), of_rank.end());
          continue;
        }
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += of_rank[i];
      }
      all_.barrier_.arrive_and_wait();
      std::ranges::copy(sums, values.begin());
      all_.barrier_.arrive_and_wait();
    }
    Threads& all_;
    int rank_;
  };

 private:
  std::barrier<> barrier_;
  std::vector<std::span<std::byte>> spans_;
};

// Runs a function on each rank of a gang of this size, and returns the results by rank.
template <typename Result>
std::vector<Result> of_ranks(int size, const std::function<Result(Communicator&)>& body) {
  Threads threads(size);
  std::vector<Result> results(static_cast<std::size_t>(size));
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < size; ++rank) {
    ranks.emplace_back([&, rank] {
      Threads::Rank communicator(threads, rank);
      results[static_cast<std::size_t>(rank)] = body(communicator);
    });
  }
  ranks.clear();
  return results;
}

}  // namespace spottrain
