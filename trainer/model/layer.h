// What a network is made of. Activations are batches of images in NHWC order: image by image, row
// by row, the channels of a pixel side by side. All parameters of a network lie in one flat vector;
// a layer is handed its own part of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "trainer/data/philox.h"
#include "trainer/model/image_shape.h"

namespace spottrain::inline small_network {

// A named tensor in a layer's part of the parameters; they follow each other without gaps.
struct ParameterShape {
  std::string name;
  std::vector<std::size_t> shape;
  std::size_t size() const;
};

// One layer with the buffers of one batch: forward first, then at most one call each of the two
// gradients. Returned spans stay valid until the next call of the same function.
class Layer {
 public:
  using In = std::span<const float>;
  using Out = std::span<float>;

  virtual ~Layer() = default;
  virtual ImageShape output_shape() const = 0;
  virtual std::vector<ParameterShape> parameters() const { return {}; }
  virtual void initialise(Philox&, Out /*parameters*/) const {}

  virtual In forward(In parameters, In input, int images) = 0;
  // Sets (not adds) ∂loss/∂parameters, given ∂loss/∂output.
  virtual void parameter_gradient(In /*output_gradient*/, Out /*parameter_gradient*/) {}
  // ∂loss/∂input.
  virtual In input_gradient(In parameters, In output_gradient) = 0;
};

// Uniform in ±√(6 ÷ fan_in): He et al., "Delving deep into rectifiers", 2015.
void initialise_he(Philox& random, std::size_t fan_in, std::span<float> weights);

}  // namespace spottrain::inline small_network
