#include "fakes/iam_names.h"

#include <fmt/format.h>

namespace fakes {

const sim::iam::InstanceProfile* instance_profile_of(const Backend& backend,
                                                     const sim::cloud::Instance& instance) {
  const std::string& named = instance.spec.iam_instance_profile;
  return named.empty() ? nullptr : backend.iam->instance_profile_for_launch(named);
}

std::string instance_profile_arn(const Backend& backend, const sim::cloud::Instance& instance) {
  if (const auto* profile = instance_profile_of(backend, instance)) return profile->arn;
  const std::string& named = instance.spec.iam_instance_profile;
  if (named.starts_with("arn:")) return named;
  return fmt::format("arn:aws:iam::{}:instance-profile/{}", backend.cloud.config().account_id,
                     named);
}

std::string instance_profile_id(const Backend& backend, const sim::cloud::Instance& instance) {
  if (const auto* profile = instance_profile_of(backend, instance)) return profile->id;
  return "AIPA" + iam_characters(backend.streams.stream("instance-profile",
                                                        instance_profile_arn(backend, instance)),
                                 17);
}

std::string role_name(const Backend& backend, const sim::cloud::Instance& instance) {
  const auto* const profile = instance_profile_of(backend, instance);
  return profile != nullptr ? profile->role : "";
}

std::string iam_characters(sim::Stream stream, int count) {
  return sim::iam::random_characters(stream, count);
}

}  // namespace fakes
