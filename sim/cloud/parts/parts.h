// The parts of Cloud. Later parts use earlier ones.
//
//   Attachments   Fleets ──► SpotRequests
//     │     │         └───┐     │
//     │     └───────► Instances ◄             Instances use LaunchTemplates as well.
//     │                   │
//     │     LaunchChecks ◄┴► SpotCapacity     Fleets and SpotRequests use these two as well.
//     │           │               │
//     └───────► Volumes ─────► Snapshots ◄── Images
//
//   LaunchChecks uses Images as well. ImageCreation uses all parts that concern an instance's
//   volumes.
//
//   Tagging   Bill                            All parts with tags or with costs use these two.
//   Network (sim/vpc)                         LaunchChecks, SpotCapacity and Instances use it.
//
// An arrow points from the user to the used part. Each part owns its table, and its constructor
// names the parts that it uses: a call against an arrow does not compile. What must go against an
// arrow is announced. Instances announces each step of an instance to InstanceListeners, in this
// order: Attachments, SpotRequests, Fleets, ImageCreation. SpotCapacity announces that a pool has
// changed, and Network that an address is free again, both first to Fleets. All parts share the
// Context. Only Cloud sees all parts, and does what crosses them.
#pragma once

#include "sim/cloud/parts/attachments.h"
#include "sim/cloud/parts/bill.h"
#include "sim/cloud/parts/context.h"
#include "sim/cloud/parts/fleets.h"
#include "sim/cloud/parts/image_creation.h"
#include "sim/cloud/parts/images.h"
#include "sim/cloud/parts/instances.h"
#include "sim/cloud/parts/launch_checks.h"
#include "sim/cloud/parts/launch_templates.h"
#include "sim/cloud/parts/modifications.h"
#include "sim/cloud/parts/records.h"
#include "sim/cloud/parts/snapshots.h"
#include "sim/cloud/parts/spot_capacity.h"
#include "sim/cloud/parts/spot_requests.h"
#include "sim/cloud/parts/tagging.h"
#include "sim/cloud/parts/volumes.h"
#include "sim/vpc/network.h"

namespace sim::cloud {

struct Cloud::Parts {
  Parts(Simulation& simulation, const Streams& streams, market::Market& market_, Host& host_,
        Config config)
      : market(market_),
        host(host_),
        context(simulation, streams, std::move(config)),
        network(streams, context.config.availability_zones) {
    declare_names();
    for (const char* prefix : vpc::Network::kTaggable)
      tagging.add({.id_prefix = prefix,
                   .tags = [this](const std::string& id) -> Tags& { return network.tags(id); }});
    instances.add(attachments);
    instances.add(spot_requests);
    instances.add(fleets);
    instances.add(image_creation);
    capacity.on_change([this](const Pool& pool) {
      fleets.pool_changed();
      spot_requests.pool_changed(pool);
    });
    network.interfaces.on_freed([this] {
      fleets.pool_changed();
      spot_requests.address_freed();
    });
  }

  void declare_names() {
    const auto declare = [](const auto& names, auto& part) {
      if (!names) return;
      for (const std::string& name : *names) part.declare(name);
      part.be_strict();
    };
    declare(context.config.key_pairs, network.key_pairs);
    declare(context.config.security_groups, network.groups);
  }

  // What is not charged for yet, up to now.
  Bill::Items open_items() const {
    if (bill.closed()) return {};
    Bill::Items items = bill.open_items_of_services();
    for (Bill::Items part : {instances.open_items(), volumes.open_items(), snapshots.open_items()})
      for (LineItem& item : part) items.push_back(std::move(item));
    return items;
  }

  market::Market& market;
  Host& host;
  const Records* past = nullptr;  // what Cloud's readers show instead of the present

  Context context;
  vpc::Network network;
  Tagging tagging{context};
  Bill bill{context, market};
  LaunchTemplates launch_templates{context, tagging};
  Snapshots snapshots{context, host, tagging, bill};
  Volumes volumes{context, host, tagging, bill, snapshots};
  Modifications modifications{context, host, bill, volumes};
  Images images{context, tagging, snapshots};
  LaunchChecks checks{context, market, images, volumes, network};
  SpotCapacity capacity{context, market, snapshots, network};
  Instances instances{context, host, tagging, bill, checks, capacity, launch_templates, network};
  Attachments attachments{context, host, tagging, volumes, instances};
  ImageCreation image_creation{images, snapshots, volumes, attachments, instances};
  SpotRequests spot_requests{context, tagging, checks, capacity, instances};
  Fleets fleets{context, tagging, checks, capacity, spot_requests, instances};
};

}  // namespace sim::cloud
