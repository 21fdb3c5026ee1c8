// When a spot request may be fulfilled: ValidFrom and ValidUntil (EC2 API reference,
// RequestSpotInstances and SpotMarketOptions; EC2 user guide, "State changes for a Spot request").
#include <fmt/format.h>

#include <algorithm>

#include "sim/cloud/error.h"
#include "sim/cloud/parts/spot_requests.h"

namespace sim::cloud {

void SpotRequests::check(const Validity& validity) const {
  const Time now = context_.now();
  if (!validity.until || *validity.until > std::max(validity.from.value_or(now), now)) return;
  throw ApiError("InvalidParameterValue",
                 fmt::format("Value ({}) for parameter validUntil is invalid: it must be in the "
                             "future, and after validFrom.",
                             iso_milliseconds(*validity.until)));
}

void SpotRequests::schedule_expiry(SpotRequest& request) {
  if (const auto until = request.validity.until)
    work_[request.id].expiry =
        context_.simulation.at(*until, [this, &request] { expire(request); });
}

void SpotRequests::schedule(SpotRequest& request) {
  schedule_expiry(request);
  const auto from = request.validity.from;
  if (!from || *from <= context_.now()) return evaluate_later(request);
  set_status(request, "not-scheduled-yet");
  work_[request.id].retry.attempt = context_.simulation.at(*from, [this, &request] {
    set_status(request, "pending-evaluation");
    evaluate_later(request);
  });
}

// An instance of the request goes on. A persistent request launches no further instance.
void SpotRequests::expire(SpotRequest& request) {
  work_[request.id].expiry.reset();
  if (request.state == SpotRequestState::kOpen)
    end_open(request, "schedule-expired");
  else if (request.type == "persistent")
    cancel(request.id);
}

void SpotRequests::end_open(SpotRequest& request, const std::string& status) {
  Work& work = work_[request.id];
  context_.cancel(work.retry.attempt);
  context_.cancel(work.expiry);
  set_waiting(request, false);
  context_.set_state(request, SpotRequestState::kCancelled);
  set_status(request, status);
  capacity_.give_back_quota(request.spec);
}

}  // namespace sim::cloud
