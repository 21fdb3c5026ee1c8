#include "sim/kernel/fiber_stack.h"

#include <boost/context/protected_fixedsize_stack.hpp>
#include <vector>

namespace sim {
namespace {

// Deep enough for the orchestrator's JSON and XML; only the pages that are touched are there.
constexpr std::size_t kStackBytes = 256 * 1024;

struct Pool {
  boost::context::protected_fixedsize_stack source{kStackBytes};
  std::vector<boost::context::stack_context> free;
  ~Pool() {
    for (auto& stack : free) source.deallocate(stack);
  }
};

Pool& pool() {
  thread_local Pool stacks;
  return stacks;
}

}  // namespace

boost::context::stack_context FiberStacks::allocate() {
  Pool& p = pool();
  if (p.free.empty()) {
    p.free.reserve(p.free.capacity() + 1);  // so that giving it back cannot fail
    return p.source.allocate();
  }
  const auto stack = p.free.back();
  p.free.pop_back();
  return stack;
}

void FiberStacks::deallocate(boost::context::stack_context& stack) noexcept {
  pool().free.push_back(stack);
}

}  // namespace sim
