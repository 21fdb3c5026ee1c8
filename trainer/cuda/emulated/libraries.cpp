// Emulates NVIDIA's libraries by the definitions, in double precision and rounded at the end.
#include "trainer/cuda/libraries.h"

#include "trainer/cuda/emulated/simt.h"

namespace spottrain::cuda {
namespace {

// Values with elements of either type.
struct Values {
  const void* data;
  Element element;

  double at(std::size_t i) const {
    return element == Element::f32 ? double{static_cast<const float*>(data)[i]}
                                   : double{to_float(static_cast<const Bf16*>(data)[i])};
  }
};

void put(void* data, Element element, std::size_t i, double value, bool accumulate) {
  if (accumulate) value += Values{data, element}.at(i);
  if (element == Element::f32) {
    static_cast<float*>(data)[i] = static_cast<float>(value);
  } else {
    store_float(static_cast<Bf16*>(data)[i], static_cast<float>(value));
  }
}

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void multiply_now(const Product& p, Element element) {
  const Values a{p.a, element}, b{p.b, element};
  for (int row = 0; row < p.rows; ++row) {
    for (int column = 0; column < p.columns; ++column) {
      double sum = 0;
      for (int i = 0; i < p.inner; ++i) {
        const int from_a = p.a_transposed ? i * p.rows + row : row * p.inner + i;
        const int from_b = p.b_transposed ? column * p.inner + i : i * p.columns + column;
        sum += a.at(index(from_a)) * b.at(index(from_b));
      }
      put(p.c, p.c_element, index(row * p.columns + column), sum, p.accumulate);
    }
  }
}

// Calls body(value of x, weight, value of y), as indices, for each product of the convolution.
template <typename Body>
void for_each_product(const ConvolutionShape& s, Body body) {
  const Conv& conv = s.conv;
  const int channels = s.input.channels;
  for (int n = 0; n < s.images; ++n) {
    for (int row = 0; row < s.output.height; ++row) {
      for (int column = 0; column < s.output.width; ++column) {
        for (int i = 0; i < conv.kernel; ++i) {
          for (int j = 0; j < conv.kernel; ++j) {
            const int y = row * conv.stride + i - conv.padding;
            const int x = column * conv.stride + j - conv.padding;
            if (y < 0 || y >= s.input.height || x < 0 || x >= s.input.width) continue;
            const int from = ((n * s.input.height + y) * s.input.width + x) * channels;
            const int to = ((n * s.output.height + row) * s.output.width + column) * conv.channels;
            for (int k = 0; k < conv.channels; ++k) {
              const int weight = ((k * conv.kernel + i) * conv.kernel + j) * channels;
              for (int c = 0; c < channels; ++c) {
                body(index(from + c), index(weight + c), index(to + k));
              }
            }
          }
        }
      }
    }
  }
}

}  // namespace

struct Libraries::Handles {
  Element element;
};

Libraries::Libraries(const Stream&, const EngineOptions& options, const DeviceInfo&)
    : handles_(new Handles{options.precision == Precision::bf16 ? Element::bf16 : Element::f32}) {}
Libraries::~Libraries() = default;

void Libraries::multiply(const Product& product) {
  emulated::enqueue([=, element = handles_->element] { multiply_now(product, element); });
}

std::string Libraries::versions() const { return "emulated"; }

struct Convolution::Plans {
  ConvolutionShape shape;
  Element element;
  bool add;

  void enqueue_sums(void* to, std::size_t size, bool add_to, auto product) const {
    emulated::enqueue([=, *this] {
      std::vector<double> sums(size);
      for_each_product(
          shape, [&](std::size_t x, std::size_t w, std::size_t y) { product(sums, x, w, y); });
      for (std::size_t i = 0; i < size; ++i) put(to, element, i, sums[i], add_to);
    });
  }
};

Convolution::Convolution(Libraries& libraries, const ConvolutionShape& shape,
                         DataGradient data_gradient)
    : plans_(new Plans{shape, libraries.handles().element, data_gradient == DataGradient::add}) {}
Convolution::~Convolution() = default;

void Convolution::forward(const void* x, const void* weights, void* y) const {
  const Values from{x, plans_->element}, factor{weights, plans_->element};
  plans_->enqueue_sums(y, index(plans_->shape.images) * plans_->shape.output.size(), false,
                       [=](auto& sums, std::size_t at_x, std::size_t at_w, std::size_t at_y) {
                         sums[at_y] += from.at(at_x) * factor.at(at_w);
                       });
}

void Convolution::data_gradient(const void* g, const void* weights, void* dx) const {
  const Values from{g, plans_->element}, factor{weights, plans_->element};
  plans_->enqueue_sums(dx, index(plans_->shape.images) * plans_->shape.input.size(), plans_->add,
                       [=](auto& sums, std::size_t at_x, std::size_t at_w, std::size_t at_y) {
                         sums[at_x] += from.at(at_y) * factor.at(at_w);
                       });
}

void Convolution::weight_gradient(const void* x, const void* g, void* dw) const {
  const Conv& conv = plans_->shape.conv;
  const Values from{x, plans_->element}, factor{g, plans_->element};
  plans_->enqueue_sums(
      dw, index(conv.channels * conv.kernel * conv.kernel * plans_->shape.input.channels), false,
      [=](auto& sums, std::size_t at_x, std::size_t at_w, std::size_t at_y) {
        sums[at_w] += from.at(at_x) * factor.at(at_y);
      });
}

std::string Convolution::algorithms() const { return "by definition"; }

}  // namespace spottrain::cuda
