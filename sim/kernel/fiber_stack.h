// Stacks for fibers: mapped once, with an unmapped page below, and used again within their thread.
#pragma once

#include <boost/context/stack_context.hpp>

namespace sim {

// A StackAllocator as Boost.Context has it.
class FiberStacks {
 public:
  boost::context::stack_context allocate();
  void deallocate(boost::context::stack_context& stack) noexcept;
};

}  // namespace sim
