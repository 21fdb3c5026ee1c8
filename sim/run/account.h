// The IAM account of a scenario.
#pragma once

#include "sim/iam/account.h"
#include "sim/scenario/scenario.h"

namespace sim::run {

// Whether clients read the simulation's clock, so that the time of a signature counts.
enum class ClientsClock { kSimulated, kOwn };

// Gives the account what the scenario says: instance profiles, policies, and whether IAM decides.
void open_account(const scenario::Scenario& scenario, iam::Account& account, ClientsClock clock);

}  // namespace sim::run
