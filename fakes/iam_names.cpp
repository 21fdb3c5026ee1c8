#include "fakes/iam_names.h"

#include <fmt/format.h>

namespace fakes {

std::string instance_profile_arn(const Backend& backend, const sim::cloud::Instance& instance) {
  const std::string& profile = instance.spec.iam_instance_profile;
  if (profile.starts_with("arn:")) return profile;
  return fmt::format("arn:aws:iam::{}:instance-profile/{}", backend.cloud.config().account_id,
                     profile);
}

std::string instance_profile_id(const Backend& backend, const sim::cloud::Instance& instance) {
  return "AIPA" + iam_characters(backend.streams.stream("instance-profile",
                                                        instance_profile_arn(backend, instance)),
                                 17);
}

std::string role_name(const sim::cloud::Instance& instance) {
  const std::string& profile = instance.spec.iam_instance_profile;
  return profile.substr(profile.rfind('/') + 1);  // npos + 1 is 0
}

std::string iam_characters(sim::Stream stream, int count) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  for (int i = 0; i < count; ++i) text += kAlphabet[stream.below(kAlphabet.size())];
  return text;
}

}  // namespace fakes
