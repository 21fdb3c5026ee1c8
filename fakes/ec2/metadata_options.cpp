// ModifyInstanceMetadataOptions.
#include "fakes/ec2/actions.h"
#include "fakes/ec2/ids.h"
#include "fakes/ec2/instances.h"
#include "fakes/ec2/requests.h"

namespace fakes::ec2 {

// A member that is not given keeps its value. The answer says "pending", as EC2's does; the change
// is in force at once.
op::ModifyInstanceMetadataOptions::Response modify_instance_metadata_options(
    Call& call, const op::ModifyInstanceMetadataOptions::Request& request) {
  const auto& instance = call.cloud.shown(instance_id(required(request.instance_id, "InstanceId")));
  check_range(request.http_put_response_hop_limit, "HttpPutResponseHopLimit", 1, 64);
  if (request.http_protocol_ipv6)
    choice(request.http_protocol_ipv6, "HttpProtocolIpv6", {"disabled"});
  sim::cloud::LaunchSpec options = instance.spec;
  if (request.http_put_response_hop_limit)
    options.imds_hop_limit = static_cast<int>(*request.http_put_response_hop_limit);
  if (request.http_endpoint) options.imds_disabled = *request.http_endpoint == "disabled";
  if (request.http_tokens) options.imds_v2_required = *request.http_tokens == "required";
  if (request.instance_metadata_tags)
    options.imds_tags = *request.instance_metadata_tags == "enabled";
  call.cloud.set_metadata_options(instance.id, options);
  op::ModifyInstanceMetadataOptions::Response response{.instance_id = instance.id.value};
  response.instance_metadata_options = shown_metadata_options(call.backend, instance.spec);
  response.instance_metadata_options->state = "pending";
  return response;
}

}  // namespace fakes::ec2
