#include "sim/run/account.h"

namespace sim::run {

void open_account(const scenario::Scenario& scenario, iam::Account& account, ClientsClock clock) {
  if (scenario.instance_profiles) account.begin_with(*scenario.instance_profiles);
  if (scenario.iam_decides)
    account.set_deciding({.policies = true, .clients_time = clock == ClientsClock::kSimulated});
  if (!scenario.iam_policies.empty()) account.begin_with_policies(scenario.iam_policies);
}

}  // namespace sim::run
