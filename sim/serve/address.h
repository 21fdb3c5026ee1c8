// Finds the service for a request to the port, from the request's path, Host header and signature.
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
  // The instance whose metadata is requested. If it and `private_ip` are empty, the only running
  // instance.
  std::string instance;
  std::string private_ip;  // of the instance whose loopback address was used
  std::string target;      // for metadata: the path that the instance itself would request
};

// - /_spotsim/imds/INSTANCE/…, Host: INSTANCE.… and an instance's loopback address
//   (metadata_address.h): that instance's metadata
// - GET /_spotsim/ui: the page, which a browser opens without the header of the control API
// - GET /metrics, unsigned and at no host of S3: the metrics
// - /_spotsim/… and /moto-api/… : the control API
// - /latest/… and /2021-07-15/… and the like, unsigned: the metadata of the only running instance
// - anything else: AWS, by its credential scope (fakes::aws)
Address address_of(const fakes::Request& request);

}  // namespace sim::serve
