// The best checkpoint intervals if the hazard of an interruption depends on an instance's age. They
// are computed by dynamic programming over age and remaining work, as in Kadupitiya, Jadhao and
// Sharma, "Modeling the temporally constrained preemptions of transient cloud VMs", HPDC'20,
// section 4.2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace policies {

// An instance outlives age t with the probability exp(−(t ÷ scale)^shape): Weibull's distribution,
// with falling danger for shape < 1, and exponential for 1. Seconds.
struct Weibull {
  double shape = 1, scale = 1;
  double survival(double age) const;
  double mean() const;
};

// The remaining work is w, and the instance has age a. Computing for τ and then a checkpoint d lead
// to (w − τ, a + τ + d). If the instance is interrupted before, the job has w on a new instance,
// which begins with a restart R. The expected times are
//     T(w, a) = min_τ  E[min(life left, τ + d)] + p·T(w − τ, a + τ + d) + (1 − p)·T₀(w),
//     T₀(w)   = min_τ (E[min(life, R + τ + d)] + p₀·T(w − τ, R + τ + d)) ÷ p₀,
// where p and p₀ are the probabilities to get there. Work is cut into equal pieces, and τ is a
// whole number of them. Between ages the plan interpolates. Work beyond thirty intervals of the
// exponential case does not change a decision, so the plan covers no more than that.
class HazardPlan {
 public:
  // d > 0, R >= 0.
  HazardPlan(const Weibull& life, double d, double R);

  // One plan for all callers with the same arguments, from any thread. d and R are rounded to
  // powers of 1.02, by 1 % at most.
  static std::shared_ptr<const HazardPlan> shared(const Weibull& life, double d, double R);

  // Seconds to compute before the next checkpoint.
  double interval(double remaining, double age) const;
  // Expected seconds to the end on a new instance, its restart included; remaining is at most
  // longest_work().
  double expected_time(double remaining) const;
  double longest_work() const;

 private:
  std::size_t piece_of(double remaining) const;

  double piece_, oldest_;
  std::vector<std::vector<std::uint8_t>> best_;  // the best τ in pieces, by work and age
  std::vector<double> time_when_new_;            // T₀ by work
};

}  // namespace policies
