#include <nlohmann/json.hpp>

#include "orchestrator/context.h"
#include "orchestrator/failure.h"

namespace spotrun {

Identity identify(aws::Imds& imds) {
  const auto document =
      nlohmann::json::parse(imds.require("dynamic/instance-identity/document"), nullptr, false);
  const auto member = [&document](const char* name) {
    const auto found = document.find(name);
    if (found == document.end() || !found->is_string()) {
      throw Failure(ExitCode::kAws,
                    std::string("the instance identity document has no text ") + name);
    }
    return found->get<std::string>();
  };
  return {.instance_id = member("instanceId"),
          .instance_type = member("instanceType"),
          .availability_zone = member("availabilityZone"),
          .region = member("region")};
}

}  // namespace spotrun
