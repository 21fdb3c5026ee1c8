// DescribeSnapshotAttribute, ModifySnapshotAttribute and ResetSnapshotAttribute.
#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/permission_changes.h"

namespace fakes::ec2 {
namespace {

using sim::cloud::ApiError;
using sim::cloud::Permissions;
using sim::cloud::Snapshot;

constexpr const char* kVolumePermission = "createVolumePermission";

// EC2 API reference, "Error codes": InvalidUserID.Malformed.
constexpr PermissionErrors kSnapshotErrors{
    .group = [](const std::string& group) { return invalid("UserGroup", group, "Expected all."); },
    .account =
        [](const std::string& account) {
          return ApiError("InvalidUserID.Malformed", "Invalid user id: \"" + account + "\"");
        }};

const Snapshot& named(const Call& call, const api::Opt<std::string>& id) {
  return call.cloud.shown(snapshot_id(required(id, "SnapshotId")));
}

}  // namespace

op::DescribeSnapshotAttribute::Response describe_snapshot_attribute(
    Call& call, const op::DescribeSnapshotAttribute::Request& request) {
  const Snapshot& snapshot = named(call, request.snapshot_id);
  op::DescribeSnapshotAttribute::Response response{.snapshot_id = snapshot.id.value};
  if (required(request.attribute, "Attribute") == kVolumePermission)
    show_permissions(response.create_volume_permissions, snapshot.volume_permissions);
  else
    response.product_codes.give();
  return response;
}

op::ModifySnapshotAttribute::Response modify_snapshot_attribute(
    Call& call, const op::ModifySnapshotAttribute::Request& request) {
  const Snapshot& snapshot = named(call, request.snapshot_id);
  choice(request.attribute, "Attribute", {kVolumePermission});
  Permissions permissions = snapshot.volume_permissions;
  change_by_operation(permissions, request.operation_type, request.user_ids, request.group_names,
                      kSnapshotErrors);
  if (const auto& given = request.create_volume_permission) {
    change_all(permissions, given->add, PermissionChange::kAdd, kSnapshotErrors);
    change_all(permissions, given->remove, PermissionChange::kRemove, kSnapshotErrors);
  }
  // EBS user guide, "Share an Amazon EBS snapshot": an encrypted snapshot cannot be public.
  if (permissions.everyone && snapshot.encrypted)
    throw ApiError("OperationNotPermitted", "Encrypted snapshots cannot be made public");
  call.cloud.permit_volumes(snapshot.id, std::move(permissions));
  return {};
}

op::ResetSnapshotAttribute::Response reset_snapshot_attribute(
    Call& call, const op::ResetSnapshotAttribute::Request& request) {
  choice(request.attribute, "Attribute", {kVolumePermission});
  call.cloud.permit_volumes(named(call, request.snapshot_id).id, {});
  return {};
}

}  // namespace fakes::ec2
