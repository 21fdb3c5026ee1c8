#include <fmt/format.h>

#include <optional>

#include "trainer/cuda/libraries.h"
#include "trainer/cuda/nvidia/convolution_plan.h"
#include "trainer/cuda/nvidia/handles.h"

namespace spottrain::cuda {

struct Convolution::Plans {
  Libraries::Handles& handles;
  ConvolutionPlan forward, weight_gradient;
  std::optional<ConvolutionPlan> data_gradient;
  void* workspace;  // large enough for each

  void run(const ConvolutionPlan& plan, const void* images, const void* weights,
           const void* result) const {
    const std::vector<const void*> data{images, weights, result};
    Descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {kImagesUid, kWeightsUid, kResultUid});
    pack.set_all(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
                 std::span<const void* const>(data));
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    pack.finalize("a convolution's data");
    check_cudnn(cudnnBackendExecute(handles.cudnn, plan.plan().raw(), pack.raw()),
                "computing a convolution");
  }
};

Convolution::Convolution(Libraries& libraries, const ConvolutionShape& shape,
                         DataGradient data_gradient) {
  Libraries::Handles& handles = libraries.handles();
  PlanChoice choice{handles.options.precision, handles.options.deterministic};
  const auto plan = [&](Direction direction) {
    return ConvolutionPlan(shape, direction, choice, handles.device);
  };
  plans_ = std::make_unique<Plans>(Plans{handles, plan(Direction::forward),
                                         plan(Direction::backward_weights), std::nullopt, nullptr});
  std::size_t workspace =
      std::max(plans_->forward.workspace(), plans_->weight_gradient.workspace());
  if (data_gradient != DataGradient::none) {
    choice.accumulate = data_gradient == DataGradient::add;
    plans_->data_gradient = plan(Direction::backward_data);
    workspace = std::max(workspace, plans_->data_gradient->workspace());
  }
  plans_->workspace = handles.workspace(workspace);
}
Convolution::~Convolution() = default;

void Convolution::forward(const void* x, const void* weights, void* y) const {
  plans_->run(plans_->forward, x, weights, y);
}
void Convolution::data_gradient(const void* g, const void* weights, void* dx) const {
  plans_->run(*plans_->data_gradient, dx, weights, g);
}
void Convolution::weight_gradient(const void* x, const void* g, void* dw) const {
  plans_->run(plans_->weight_gradient, x, dw, g);
}

std::string Convolution::algorithms() const {
  return fmt::format("{} {} {}", plans_->forward.engine(), plans_->weight_gradient.engine(),
                     plans_->data_gradient ? plans_->data_gradient->engine() : "-");
}

}  // namespace spottrain::cuda
