// The permissions that a request needs: IAM actions, each with the resources on which a policy must
// allow it (Service Authorization Reference, "Actions, resources, and condition keys").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/form.h"
#include "api/http.h"
#include "fakes/service.h"
#include "sim/cloud/resources.h"
#include "sim/iam/caller.h"

namespace fakes::authorisation {

// A request for one operation, with its parameters as a form names them.
struct Asked {
  Backend& backend;
  const Service& service;
  const api::Operation& operation;
  const api::Parameters& parameters;
  const sim::iam::Caller* caller = nullptr;  // null: a service that acts for itself
  const api::HttpRequest* http = nullptr;    // null for a request that is a struct
};

struct Permission {
  std::string action;              // "iam:PassRole"
  std::string resource;            // an ARN or "*"
  std::string passed_to = {};      // the service that gets the role
  std::string create_action = {};  // ec2:CreateTags: the action that creates the resource
  std::optional<sim::cloud::VolumeSpec> volume = {};  // RunInstances: the new volume
  std::string or_action = {}, or_resource = {};       // these suffice as well
};

std::vector<Permission> permissions_for(const Asked& asked);

// Values of a parameter. Its path omits the numbers of lists: "Placement.AvailabilityZone",
// "InstanceId" for InstanceId.1 and InstanceId.2.
std::vector<std::string> values_of(const api::Parameters& parameters, std::string_view path);
std::string value_of(const api::Parameters& parameters, std::string_view path);  // the first, or ""
// Whether a parameter of this name is at the path or below it.
bool begins_with(std::string_view name, std::string_view path);

// ---- rows.cpp
//
// The resources of an operation, separated by blanks. "volume/{VolumeId}" is the part of an ARN
// after the account, with parameters of the request in braces. A parameter with several values
// makes several resources; an absent parameter is "*". "{A|B}" are the values of both parameters. A
// "?" before it: the resource counts only if the request has the parameter. A "!": the ARN has no
// account. "{template:Name}" is the ID of a launch template, "{sg:Name}" that of a security group,
// "{image:ImageId}" that of an image, "{address:PublicIp}" that of an elastic address. "{key:Id}"
// is the name of a key pair, "{placement:Id}" that of a placement group, "{routes:Id}" the route
// table of an association.
// "{attached:InstanceId}" are the IDs of the volumes of which CreateSnapshots makes snapshots,
// "{association:Id}" is the instance of an instance profile's association, "{attachment:Id}" the
// network interface of an attachment. "{copied:Id}" is the ARN of an image or a snapshot in the
// region SourceRegion. "{role:RoleName}" is a role's path and name, "{queue:QueueUrl}" a queue's
// name, "{bus:Name}" a bus's name, "{rule:Name}" a rule's name after that of its bus. "{self:Name}"
// is a user, and the caller without a name. "{asg:Name}" is an Auto Scaling group, "{asg-of:Id}"
// that of an instance, "{configuration:Name}" a launch configuration, "{stack:Name}" a stack,
// "{set:Name}" the stack of a change set, "{key-owner:Id}" the user of an access key,
// "{linked:Service}" a service's role, "{deletion:Id}" the role of a deletion and "{provider:Url}"
// an OpenID Connect provider (service_resources.h).
struct PermissionRow {
  std::string_view service, operation;
  std::string_view resources;    // separated by blanks
  std::string_view action = {};  // if its name differs from the operation's
};
// The row of an operation. Null: the operation needs the permission of its own name on "*".
const PermissionRow* find_row(std::string_view service, std::string_view operation);
// The rows of other services than EC2 and S3 (service_rows.cpp).
std::span<const PermissionRow> service_rows();

// ---- additional_rows.cpp
//
// A permission that a request needs besides its own if it has one of the parameters, which "|"
// separates, or a header of that name. "!Name": if it lacks the parameter. "x-name!text": if the
// header has another text. The resources are those of a PermissionRow.
struct AdditionalRow {
  std::string_view service, operation;
  std::string_view parameters;
  std::string_view resources, action;
  std::string_view passed_to = {};                    // the service that gets the role
  std::string_view or_action = {}, or_resource = {};  // these suffice as well
};
std::span<const AdditionalRow> every_additional_row();
std::vector<AdditionalRow> additional_rows(const Asked& asked);  // that the request needs

}  // namespace fakes::authorisation
