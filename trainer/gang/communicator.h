// Communication between the processes that train one model together. All processes make the same
// calls in the same order.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace spottrain {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // 0 … size() − 1
  virtual int size() const = 0;
  virtual int local_rank() const = 0;  // 0 … among the ranks of this machine

  // The values of every rank become the sum over all, added in the order of the ranks: the bits
  // depend on how many there are and not on who comes first.
  virtual void sum(std::span<float> values) = 0;
  virtual void sum(std::span<double> values) = 0;
  // The bytes of every rank become those of rank 0.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  // Ends all processes of the gang, with this exit status where the launcher passes it on.
  [[noreturn]] virtual void abort(int status) = 0;
};

// Joins the gang that a launcher such as mpirun started this process in; empty when the program was
// built without one, or started alone. At most once a process.
std::unique_ptr<Communicator> join_gang(int& argc, char**& argv);

}  // namespace spottrain
