#include "orchestrator/aws/retry.h"

#include <algorithm>
#include <array>

namespace spotrun::aws {

bool is_transient(int status, std::string_view code) {
  static constexpr std::array<std::string_view, 16> kCodes{"Throttling",
                                                           "ThrottlingException",
                                                           "ThrottledException",
                                                           "RequestThrottled",
                                                           "RequestThrottledException",
                                                           "TooManyRequestsException",
                                                           "RequestLimitExceeded",
                                                           "BandwidthLimitExceeded",
                                                           "LimitExceededException",
                                                           "EC2ThrottledException",
                                                           "SlowDown",
                                                           "PriorRequestNotComplete",
                                                           "TransactionInProgressException",
                                                           "ProvisionedThroughputExceededException",
                                                           "RequestTimeout",
                                                           "RequestTimeoutException"};
  if (std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end()) return true;
  return status == 500 || status == 502 || status == 503 || status == 504;
}

bool RetryQuota::take(int cost) {
  if (tokens_ < cost) return false;
  tokens_ -= cost;
  return true;
}

void RetryQuota::give(int cost) { tokens_ = std::min(tokens_ + cost, 500); }

Duration backoff(int retry, std::random_device& random) {
  const Duration most = std::min(Duration{1000} * (1 << std::min(retry, 5)), Duration{20'000});
  return Duration{std::uniform_int_distribution<Duration::rep>(0, most.count())(random)};
}

}  // namespace spotrun::aws
