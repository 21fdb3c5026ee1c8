#include "trainer/data/shape_outlines.h"

#include <array>
#include <cstddef>
#include <span>

namespace spottrain {
namespace {

using fixed::kOne;
using fixed::magnitude;
using fixed::ratio;
using fixed::Value;

struct Point {
  Value x, y;
};

// The even-odd rule: a point is inside if a ray from it to the right crosses the outline an odd
// number of times. A cross product compares the crossing, so no division is needed.
bool inside_polygon(std::span<const Point> corners, Value x, Value y) {
  bool inside = false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % corners.size()];
    if ((a.y > y) == (b.y > y)) continue;
    const Value side = (b.x - a.x) * (y - a.y) - (x - a.x) * (b.y - a.y);
    if (b.y > a.y ? side > 0 : side < 0) inside = !inside;
  }
  return inside;
}

// A polygon with corners on a circle. Odd corners are on an inner circle with this radius.
template <std::size_t N>
constexpr std::array<Point, N> ring_of(Value inner, std::int64_t first_angle) {
  std::array<Point, N> corners{};
  for (std::size_t i = 0; i < N; ++i) {
    const std::int64_t angle = first_angle + static_cast<std::int64_t>(0x10000 * i / N);
    const Value radius = i % 2 == 0 ? kOne : inner;
    corners[i] = {fixed::times(radius, fixed::cosine(angle)),
                  fixed::times(radius, fixed::sine(angle))};
  }
  return corners;
}

constexpr auto kTriangle = ring_of<3>(kOne, 5215);
constexpr auto kStar = ring_of<10>(ratio(42, 100), 0);
constexpr auto kHexagon = ring_of<6>(kOne, 0);
constexpr std::array<Point, 7> kArrow{{{ratio(-90, 100), ratio(-25, 100)},
                                       {ratio(10, 100), ratio(-25, 100)},
                                       {ratio(10, 100), ratio(-70, 100)},
                                       {kOne, 0},
                                       {ratio(10, 100), ratio(70, 100)},
                                       {ratio(10, 100), ratio(25, 100)},
                                       {ratio(-90, 100), ratio(25, 100)}}};

bool disk(Value u, Value v) { return u * u + v * v < ratio(90, 100) * ratio(90, 100); }
bool square(Value u, Value v) {
  return magnitude(u) < ratio(78, 100) && magnitude(v) < ratio(78, 100);
}
bool triangle(Value u, Value v) { return inside_polygon(kTriangle, u, v); }
bool star(Value u, Value v) { return inside_polygon(kStar, u, v); }
bool cross(Value u, Value v) {
  const Value a = magnitude(u), b = magnitude(v);
  return (a < ratio(30, 100) || b < ratio(30, 100)) && a < ratio(95, 100) && b < ratio(95, 100);
}
bool ring(Value u, Value v) {
  const Value square_of_radius = u * u + v * v;
  return square_of_radius < ratio(95, 100) * ratio(95, 100) &&
         square_of_radius > ratio(55, 100) * ratio(55, 100);
}
bool half_disk(Value u, Value v) {
  return u > ratio(-10, 100) && u * u + v * v < ratio(95, 100) * ratio(95, 100);
}
bool hexagon(Value u, Value v) { return inside_polygon(kHexagon, u, v); }
bool arrow(Value u, Value v) { return inside_polygon(kArrow, u, v); }
bool two_bars(Value u, Value v) {
  return magnitude(magnitude(u) - kOne / 2) < ratio(25, 100) && magnitude(v) < ratio(85, 100);
}

constexpr std::array kShapes{disk, square,    triangle, star,  cross,
                             ring, half_disk, hexagon,  arrow, two_bars};

}  // namespace

bool inside_shape(int label, Value u, Value v) {
  return kShapes[static_cast<std::size_t>(label)](u, v);
}

}  // namespace spottrain
