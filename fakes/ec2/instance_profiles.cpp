// The instance profiles of instances. An association is the profile that an instance was launched
// with or was given later.
#include "fakes/ec2/instance_profiles.h"

#include <fmt/format.h>

#include "fakes/ec2/actions.h"
#include "fakes/ec2/filters.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/launch.h"
#include "fakes/ec2/page.h"
#include "fakes/ec2/requests.h"
#include "fakes/iam_names.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Instance;

bool has_association(const Instance& instance) {
  return !instance.spec.iam_instance_profile.empty() && !instance.terminated_at;
}

sim::Time associated_at(const Instance& instance) {
  return instance.instance_profile_set_at.value_or(instance.launched_at);
}

// A new association has a new ID, even with the same profile.
std::string association_id(const Instance& instance, const Backend& backend) {
  sim::Stream stream = backend.streams.stream(
      "iam-association",
      fmt::format("{}/{}/{}", instance.id.value, instance.spec.iam_instance_profile,
                  sim::iso_nanoseconds(associated_at(instance))));
  return fmt::format("iip-assoc-{:016x}{:x}", stream.next(), stream.below(16));
}

aws::IamInstanceProfileAssociation shown_association(const Call& call, const Instance& instance,
                                                     const std::string& state) {
  return {.association_id = association_id(instance, call.backend),
          .iam_instance_profile =
              aws::IamInstanceProfile{.arn = instance_profile_arn(call.backend, instance),
                                      .id = instance_profile_id(call.backend, instance)},
          .instance_id = instance.id.value,
          .state = state,
          .timestamp = timestamp(associated_at(instance))};
}

const Instance& instance_with(const Call& call, const std::string& association) {
  if (const Instance* const found = find_associated(call.backend, association)) return *found;
  throw ApiError("InvalidAssociationID.NotFound",
                 fmt::format("An invalid association-id of '{}' was given", association));
}

void set_profile(Call& call, const Instance& instance,
                 const aws::IamInstanceProfileSpecification& asked) {
  const std::string named = name_or_arn_of(asked);
  if (named.empty()) throw missing("IamInstanceProfile");
  check_instance_profile(call, named);
  call.cloud.set_instance_profile(instance.id, named);
}

using Values = std::vector<std::string>;
constexpr FilterRow<Instance> kAssociationFilters[] = {
    {"instance-id", [](const Instance& i, Backend&) { return Values{i.id.value}; }},
    {"state", [](const Instance&, Backend&) { return Values{"associated"}; }}};

}  // namespace

const Instance* find_associated(const Backend& backend, const std::string& association) {
  for (const auto& [id, instance] : backend.cloud.instances())
    if (has_association(instance) && association_id(instance, backend) == association)
      return &instance;
  return nullptr;
}

aws::AssociateIamInstanceProfileResult associate_iam_instance_profile(
    Call& call, const aws::AssociateIamInstanceProfileRequest& request) {
  const Instance& instance = call.cloud.shown(instance_id(request.instance_id.value()));
  if (has_association(instance))
    throw ApiError("IncorrectState", fmt::format("There is an existing association for instance {}",
                                                 instance.id.value));
  set_profile(call, instance, request.iam_instance_profile.value());
  return {.iam_instance_profile_association = shown_association(call, instance, "associating")};
}

aws::DescribeIamInstanceProfileAssociationsResult describe_iam_instance_profile_associations(
    Call& call, const aws::DescribeIamInstanceProfileAssociationsRequest& request) {
  const Filters<Instance> filters(request.filters, kAssociationFilters);
  const Page page(request, {.of = "associations", .low = 5, .high = 1000});
  std::vector<const Instance*> found;
  if (request.association_ids.empty()) {
    found = filters.of(call.cloud.instances(), "instance-id", call.backend);
    std::erase_if(found,
                  [&](const Instance* i) { return !has_association(*i) || !call.cloud.shows(*i); });
  }
  for (const std::string& id : request.association_ids)
    if (const Instance& instance = instance_with(call, id); filters.match(instance, call.backend))
      found.push_back(&instance);
  aws::DescribeIamInstanceProfileAssociationsResult response;
  response.next_token = page.cut(found);
  response.iam_instance_profile_associations.give();
  for (const Instance* instance : found)
    response.iam_instance_profile_associations.push_back(
        shown_association(call, *instance, "associated"));
  return response;
}

aws::DisassociateIamInstanceProfileResult disassociate_iam_instance_profile(
    Call& call, const aws::DisassociateIamInstanceProfileRequest& request) {
  const Instance& instance = instance_with(call, request.association_id.value());
  auto was = shown_association(call, instance, "disassociating");
  call.cloud.set_instance_profile(instance.id, "");
  return {.iam_instance_profile_association = std::move(was)};
}

aws::ReplaceIamInstanceProfileAssociationResult replace_iam_instance_profile_association(
    Call& call, const aws::ReplaceIamInstanceProfileAssociationRequest& request) {
  const Instance& instance = instance_with(call, request.association_id.value());
  set_profile(call, instance, request.iam_instance_profile.value());
  return {.iam_instance_profile_association = shown_association(call, instance, "associating")};
}

}  // namespace fakes::ec2
