// Rising-edge-driven checkpointing of Yi, Kondo and Andrzejak (IEEE CLOUD 2010): whenever the spot
// price rises and is still below the bid.
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/price_rise.h"

namespace policies {

CheckpointPolicy make_rising_edge_policy(std::string_view) {
  return {[rises = PriceRise()](const CheckpointState& state) mutable {
            return full_if(rises(*state.price) && *state.price < *state.bid);
          },
          {Input::price, Input::bid}};
}

}  // namespace policies
