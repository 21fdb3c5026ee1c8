#include "sim/cloud/spot_status.h"

#include <utility>

namespace sim::cloud {

std::string status_message(std::string_view code) {
  static constexpr std::pair<std::string_view, std::string_view> kMessages[] = {
      {"pending-evaluation", "Your Spot request has been submitted for review."},
      {"pending-fulfillment", "Your Spot request is pending fulfillment."},
      {"fulfilled", "Your Spot request is fulfilled."},
      {"capacity-not-available", "There is no Spot capacity available that matches your request."},
      {"price-too-low", "Your maximum price is lower than the current Spot price."},
      {"canceled-before-fulfillment", "Your Spot request was canceled before it was fulfilled."},
      {"request-canceled-and-instance-running",
       "Your Spot request is canceled, but your instance is still running."},
      {"marked-for-termination", "Your Spot Instance is marked for termination."},
      {"instance-terminated-by-user", "Your Spot Instance was terminated by user."},
      {"instance-terminated-no-capacity",
       "Your Spot Instance was terminated because there is no Spot capacity available."},
      {"instance-terminated-by-price",
       "Your Spot Instance was terminated because your maximum price was lower than the Spot "
       "price."},
      {"instance-terminated-by-experiment", "Your Spot Instance was terminated by an experiment."},
  };
  for (const auto& [known, message] : kMessages)
    if (known == code) return std::string{message};
  return {};
}

}  // namespace sim::cloud
