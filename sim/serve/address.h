// Whom a request on the one port is for: told from its path, its Host header and whether it is
// signed.
#pragma once

#include <string>

#include "fakes/http/http.h"

namespace sim::serve {

enum class Addressee {
  kControl,
  kMetadata,
  kAws,
  kPage,    // the page of `--ui`
  kMetrics  // what Prometheus reads
};

struct Address {
  Addressee to = Addressee::kAws;
  std::string instance;    // whose metadata; with no private address either: of the one that runs
  std::string private_ip;  // the same, of whose loopback address was asked
  std::string target;      // of metadata: the path as the instance itself would ask for it
};

// - /_spotsim/imds/INSTANCE/…, Host: INSTANCE.… and an instance's loopback address
//   (metadata_address.h): that instance's metadata
// - GET /_spotsim/ui: the page, which a browser opens without the header of the control API
// - GET /metrics, unsigned and at no host of S3: the metrics
// - /_spotsim/… and /moto-api/… : the control API
// - /latest/… and /2021-07-15/… and the like, unsigned: the metadata of the one that runs
// - anything else: AWS, by its credential scope (fakes::aws)
Address address_of(const fakes::Request& request);

}  // namespace sim::serve
