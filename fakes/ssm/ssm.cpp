// AWS Systems Manager's Parameter Store.
#include "fakes/service.h"
#include "fakes/ssm/actions.h"

namespace fakes {

const Service& ssm_service() {
  static const std::vector<ActionRow> rows = [] {
    std::vector<ActionRow> all;
    for (const auto part : {ssm::read_actions, ssm::write_actions, ssm::describe_actions,
                            ssm::label_actions, ssm::tag_actions}) {
      const auto some = part();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  static const Service service{.model = api::ssm::kService, .actions = rows};
  return service;
}

}  // namespace fakes
