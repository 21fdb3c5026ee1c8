#include "fakes/cloudwatch/monitoring.h"

#include <fmt/format.h>

namespace fakes::cloudwatch {

Monitoring::Monitoring(Backend& backend)
    : ids(backend.streams),
      ec2(backend),
      metrics(backend.simulation, ec2),
      alarms(backend.simulation, backend.log, metrics,
             fmt::format("arn:aws:cloudwatch:{}:{}:alarm:", backend.cloud.config().region,
                         backend.cloud.config().account_id),
             {.act =
                  [&backend](const auto& alarm, const auto& before, const std::string& action) {
                    perform_action(backend, alarm, before, action);
                  },
              .changed =
                  [this, &backend](const auto& alarm, const auto& before) {
                    put_state_event(backend, alarm, before);
                    if (alarmed && alarm.state == sim::monitoring::AlarmState::kAlarm)
                      alarmed(alarm.arn);
                  }}) {}

Monitoring& monitoring(Backend& backend) {
  if (!backend.monitoring) backend.monitoring = std::make_shared<Monitoring>(backend);
  return *backend.monitoring;
}

}  // namespace fakes::cloudwatch
