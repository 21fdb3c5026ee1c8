// AWS Systems Manager's Parameter Store.
#include "fakes/service.h"
#include "fakes/ssm/actions.h"

namespace fakes {

const Service& ssm_service() {
  static const auto rows = joined({ssm::read_actions, ssm::write_actions, ssm::describe_actions,
                                   ssm::label_actions, ssm::tag_actions});
  static const Service service{.model = api::ssm::kService, .actions = rows};
  return service;
}

}  // namespace fakes
