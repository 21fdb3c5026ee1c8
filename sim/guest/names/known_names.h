// Decides which names exist for guests: AWS's, the instances' and those of the scenario.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "fakes/backend.h"
#include "sim/guest/names/dns_message.h"

namespace sim::guest {

// Whether a name is one of AWS's endpoints in the region. Such a name is below amazonaws.com or
// api.aws, and has this region or none: "ec2.us-west-2.amazonaws.com", "sts.amazonaws.com",
// "bucket.s3.us-west-2.amazonaws.com", "ec2.us-west-2.api.aws". Any service's name counts, because
// the answer to a request says when the service is not simulated. A machine's public name does not
// count. The API of Elastigroup counts as well (fakes/spotinst).
bool is_endpoint_name(std::string_view name, std::string_view region);
// The same for one of the account's regions.
bool is_endpoint_name(std::string_view name, const fakes::Backend& backend);

// Whether the text consists of characters that host names may have.
bool is_host_name(std::string_view name);

// The sender of a DNS query.
enum class Asker { kInstance, kOperator };

// The address of a name in the region of `backend`. An endpoint or a host of the scenario is at
// kEndpointAddress. Instances know one another by name and address until they are terminated. They
// know the metadata service as "instance-data" in their domain (VPC user guide, "DNS attributes for
// your VPC").
NameAnswer look_up(const std::string& name, Asker asker, const fakes::Backend& backend,
                   const std::set<std::string, std::less<>>& hosts);

}  // namespace sim::guest
