#include "fakes/iam/actions.h"
#include "fakes/service.h"

namespace fakes {

const Service& iam_service() {
  static const auto rows = joined(
      {iam::role_actions, iam::user_actions, iam::group_actions, iam::identity_policy_actions,
       iam::policy_actions, iam::policy_version_actions, iam::instance_profile_actions,
       iam::open_id_provider_actions, iam::simulation_actions, iam::account_summary_actions,
       iam::authorization_detail_actions, iam::credential_report_actions});
  static const Service service{.model = api::iam::kService, .actions = rows, .global = true};
  return service;
}

}  // namespace fakes
