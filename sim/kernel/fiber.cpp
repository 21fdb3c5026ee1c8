#include "sim/kernel/fiber.h"

#include <cxxabi.h>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "base/address_sanitizer.h"
#include "sim/kernel/check.h"

#if BASE_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace sim {
namespace {

namespace context = boost::context;

// Deep enough for the orchestrator's JSON and XML. Only used pages take memory.
constexpr std::size_t kStackBytes = 256 * 1024;

struct StackPool {
  boost::context::protected_fixedsize_stack source{kStackBytes};
  std::vector<boost::context::stack_context> free;
  ~StackPool() {
    for (auto& stack : free) source.deallocate(stack);
  }
};

StackPool& stack_pool() {
  thread_local StackPool stacks;
  return stacks;
}

// Stacks are mapped once, with an unmapped page below, and reused within their thread. This is a
// StackAllocator of Boost.Context.
class FiberStacks {
 public:
  boost::context::stack_context allocate() {
    StackPool& pool = stack_pool();
    if (pool.free.empty()) {
      pool.free.reserve(pool.free.capacity() + 1);  // so that giving it back cannot fail
      return pool.source.allocate();
    }
    const auto stack = pool.free.back();
    pool.free.pop_back();
    return stack;
  }
  void deallocate(boost::context::stack_context& stack) noexcept {
    stack_pool().free.push_back(stack);
  }
};

// Thrown in a waiting body to unwind it. Unwind does not derive from std::exception, so handlers in
// between do not catch it.
struct Unwind {};

// Each fiber has its own chain of exceptions that are being handled, because one fiber may wait in
// a handler while another enters or leaves one. The C++ ABI has one chain per thread (Itanium C++
// ABI, "Exception Handling", section 2.2.2: __cxa_eh_globals is a pointer and an unsigned int).
struct Handlers {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  void swap() {
    void* const current = abi::__cxa_get_globals();
    Handlers other;
    std::memcpy(&other.caught, current, sizeof caught);
    std::memcpy(&other.uncaught, static_cast<char*>(current) + sizeof caught, sizeof uncaught);
    std::memcpy(current, &caught, sizeof caught);
    std::memcpy(static_cast<char*>(current) + sizeof caught, &uncaught, sizeof uncaught);
    *this = other;
  }
};

}  // namespace

struct Fiber::Context {
  context::fiber inside;   // while it is suspended
  context::fiber outside;  // while it runs
  Handlers handlers;       // of the side that does not run
  std::exception_ptr error;
#if BASE_ADDRESS_SANITIZER
  const void* outside_stack = nullptr;
  std::size_t outside_size = 0;
  const void* inside_stack = nullptr;
  std::size_t inside_size = 0;
  void* outside_fake = nullptr;
  void* inside_fake = nullptr;
  void leave_outside() { __sanitizer_start_switch_fiber(&outside_fake, inside_stack, inside_size); }
  void enter_inside() {
    __sanitizer_finish_switch_fiber(inside_fake, &outside_stack, &outside_size);
  }
  void leave_inside(bool for_good) {
    __sanitizer_start_switch_fiber(for_good ? nullptr : &inside_fake, outside_stack, outside_size);
  }
  void enter_outside() { __sanitizer_finish_switch_fiber(outside_fake, nullptr, nullptr); }
#else
  void leave_outside() {}
  void enter_inside() {}
  void leave_inside(bool) {}
  void enter_outside() {}
#endif
};

Fiber::Fiber(Simulation& simulation, std::function<void()> body)
    : simulation_(simulation), body_(std::move(body)), context_(std::make_unique<Context>()) {
  FiberStacks stacks;
  const context::stack_context stack = stacks.allocate();
#if BASE_ADDRESS_SANITIZER
  context_->inside_stack = static_cast<const char*>(stack.sp) - stack.size;
  context_->inside_size = stack.size;
#endif
  context_->inside =
      context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack), stacks,
                     [this](context::fiber&& outside) {
                       context_->outside = std::move(outside);
                       context_->enter_inside();
                       run();
                       context_->leave_inside(true);
                       return std::move(context_->outside);
                     });
  event_ = simulation_.after({}, [this] { resume(); });
}

Fiber::~Fiber() {
  SIM_CHECK(!context_->outside);
  if (event_) simulation_.cancel(*event_);
  if (done_) return;
  unwinding_ = true;
  resume();
  SIM_CHECK(done_);
}

void Fiber::run() {
  try {
    if (!unwinding_) body_();
  } catch (const Unwind&) {
  } catch (...) {
    context_->error = std::current_exception();
  }
  done_ = true;
}

void Fiber::resume() {
  event_.reset();
  Context& c = *context_;
  c.handlers.swap();
  c.leave_outside();
  c.inside = std::move(c.inside).resume();
  c.enter_outside();
  c.handlers.swap();
  if (c.error) std::rethrow_exception(std::exchange(c.error, nullptr));
}

void Fiber::suspend() {
  Context& c = *context_;
  c.leave_inside(false);
  c.outside = std::move(c.outside).resume();
  c.enter_inside();
  if (unwinding_) throw Unwind{};
}

void Fiber::pause_until(Time t) {
  if (simulation_.skip_to(t)) return;
  event_ = simulation_.at(t, [this] { resume(); });
  suspend();
}

bool Fiber::wait_until(Time t) {
  if (simulation_.skip_to(t)) return false;  // no other fiber can wake it
  event_ = simulation_.at(t, [this] { resume(); });
  wait();
  return woken_;
}

void Fiber::wait() {
  waiting_ = true;
  woken_ = false;
  suspend();
  waiting_ = false;
}

void Fiber::wake() {
  if (!waiting_ || woken_) return;
  woken_ = true;
  if (event_) simulation_.cancel(*event_);
  event_ = simulation_.after({}, [this] { resume(); });
}

}  // namespace sim
