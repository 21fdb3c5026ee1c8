// The layers' view of flat memory as Eigen matrices: one column a pixel or an image.
#pragma once

#include <Eigen/Core>

namespace spottrain {

using ConstMatrix = Eigen::Map<const Eigen::MatrixXf>;
using Matrix = Eigen::Map<Eigen::MatrixXf>;
using ConstVector = Eigen::Map<const Eigen::VectorXf>;
using Vector = Eigen::Map<Eigen::VectorXf>;

}  // namespace spottrain
