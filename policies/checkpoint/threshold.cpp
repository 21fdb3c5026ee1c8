// A rise of the spot price to within a share of the bid: price > bid·(1 − share), as in Jung et
// al., "An efficient checkpointing scheme using price history of spot instances in cloud computing
// environment", NPC 2011, with a fixed share in the place of the history's.
#include "policies/checkpoint/argument.h"
#include "policies/checkpoint/policy.h"
#include "policies/checkpoint/price_rise.h"

namespace policies {

CheckpointPolicy make_threshold_policy(std::string_view argument) {
  return {
      [share = read_share(argument), rises = PriceRise()](const CheckpointState& state) mutable {
        return full_if(rises(*state.price) && *state.price > *state.bid * (1 - share));
      },
      {Input::price, Input::bid}};
}

}  // namespace policies
