// Communication between the processes that train one model together. All processes make the same
// calls in the same order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace spottrain {

// One process's end of the gang. The implementation is MPI, or threads in tests.
class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // 0 … size() − 1
  virtual int size() const = 0;
  virtual int local_rank() const = 0;  // 0 … among the ranks of this machine

  // Replaces the values of every rank by their sum over all ranks. The sum adds in the order of
  // ranks, so the bits depend on the number of ranks and not on timing.
  virtual void sum(std::span<float> values) = 0;
  virtual void sum(std::span<double> values) = 0;
  // Replaces the bytes of every rank by those of rank 0.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  // Ends all processes of the gang, with this exit status if the launcher passes it on.
  [[noreturn]] virtual void abort(int status) = 0;
};

// Joins the gang in which a launcher such as mpirun started this process. Empty if the program was
// built without MPI, or started alone. Call it at most once per process.
std::unique_ptr<Communicator> join_gang(int& argc, char**& argv);

}  // namespace spottrain
