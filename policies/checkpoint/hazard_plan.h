// The best checkpoint intervals when the danger changes with an instance's age: a dynamic programme
// over age and remaining work, as in Kadupitiya, Jadhao and Sharma, "Modeling the temporally
// constrained preemptions of transient cloud VMs", HPDC'20, section 4.2.
#pragma once

#include <cstddef>
#include <vector>

namespace policies {

// An instance outlives age t with the probability exp(−(t ÷ scale)^shape): Weibull's distribution,
// with falling danger for shape < 1, and exponential for 1. Seconds.
struct Weibull {
  double shape = 1, scale = 1;
  double survival(double age) const;
  double mean() const;
};

// With remaining work w at age a, computing τ and then a checkpoint d lead to (w − τ, a + τ + d)
// or, when the instance is interrupted meanwhile, to w on a new one, which begins with a restart R:
//     T(w, a) = min_τ  E[min(life left, τ + d)] + p·T(w − τ, a + τ + d) + (1 − p)·T₀(w),
//     T₀(w)   = min_τ (E[min(life, R + τ + d)] + p₀·T(w − τ, R + τ + d)) ÷ p₀,
// where p and p₀ are the chances to get there. Work is cut into equal pieces, of which τ is a whole
// number; between ages it interpolates. What lies further ahead than thirty intervals of the
// exponential case changes no decision, so more work is planned as that much.
class HazardPlan {
 public:
  // d > 0, R >= 0.
  HazardPlan(const Weibull& life, double d, double R);

  // Seconds to compute before the next checkpoint.
  double interval(double remaining, double age) const;
  // Expected seconds to the end on a new instance, its restart included; remaining is at most
  // longest_work().
  double expected_time(double remaining) const;
  double longest_work() const;

 private:
  // What follows from computing τ: how long it lasts until its end or an interruption, and the
  // chance and the age at which it ends well.
  struct Try {
    double seconds, chance, age_after;
  };
  Try attempt(double age, double duration) const;
  std::size_t piece_of(double remaining) const;
  double time_at(std::size_t work, double age) const;
  void plan_new(std::size_t work);
  void plan(std::size_t work);

  Weibull life_;
  double piece_, oldest_;
  std::vector<std::vector<Try>> tries_;         // by age and τ
  std::vector<Try> tries_when_new_;             // by τ
  std::vector<std::vector<double>> time_;       // T by work and age
  std::vector<std::vector<std::size_t>> best_;  // the best τ in pieces, by work and age
  std::vector<double> time_when_new_;           // T₀ by work
};

}  // namespace policies
