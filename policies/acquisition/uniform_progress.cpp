#include "policies/acquisition/uniform_progress.h"

namespace policies {
namespace {

class UniformProgress final : public AcquisitionPolicy {
  Rental decide(const AcquisitionState& state) override { return uniform_progress(state, job()); }
};

}  // namespace

std::unique_ptr<AcquisitionPolicy> make_uniform_progress(std::string_view) {
  return std::make_unique<UniformProgress>();
}

}  // namespace policies
