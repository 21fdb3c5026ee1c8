#include "trainer/data/shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "trainer/data/file_bytes.h"
#include "trainer/data/fixed_point.h"
#include "trainer/data/philox.h"
#include "trainer/data/shape_outlines.h"

namespace spottrain {
namespace {

using fixed::kOne;
using fixed::over;
using fixed::ratio;
using fixed::times;
using fixed::Value;

constexpr int kOversampling = 2;  // a picture is drawn this many times larger and averaged
constexpr int kCanvasSide = kImageSide * kOversampling;
constexpr int kCanvasPixels = kCanvasSide * kCanvasSide;
constexpr std::uint32_t kBatchRecords = 10'000;

using Colour = std::array<Value, kImageChannels>;  // 0 to 255, in fixed point
struct Canvas {
  std::array<std::array<Value, kCanvasPixels>, kImageChannels> channel;
};

// A coordinate system: an origin in image pixels, and a rotation.
struct Frame {
  Value x, y, cosine, sine;
  Value along(Value px, Value py) const { return times(px - x, cosine) + times(py - y, sine); }
  Value across(Value px, Value py) const { return times(py - y, cosine) - times(px - x, sine); }
};

Frame frame_at(Value x, Value y, std::int64_t angle) {
  return {x, y, fixed::cosine(angle), fixed::sine(angle)};
}

// The centre of a canvas pixel, in image pixels.
Value centre(int canvas_pixel) { return ratio(2 * canvas_pixel + 1, 2 * kOversampling); }

Colour any_colour(Philox& random) {
  Colour colour;
  for (Value& value : colour) value = random.between(0, 255) * kOne;
  return colour;
}

Colour any_slope(Philox& random, int steepest) {
  Colour slope;
  for (Value& value : slope) value = random.between(-steepest * kOne, steepest * kOne);
  return slope;
}

// A colour that differs enough from `other` to be visible on it.
Colour contrasting_colour(Philox& random, const Colour& other) {
  for (;;) {
    const Colour colour = any_colour(random);
    Value distance = 0;
    for (int c = 0; c < kImageChannels; ++c) distance += fixed::magnitude(colour[c] - other[c]);
    if (distance > 110 * kOne) return colour;
  }
}

// Colours the canvas pixels for which `inside` is true. `inside` gets the coordinates in the frame
// and may change them. The colour changes linearly along the second coordinate.
template <typename Inside>
void paint(Canvas& canvas, const Frame& frame, const Colour& colour, const Colour& slope,
           Inside inside) {
  for (int row = 0; row < kCanvasSide; ++row) {
    for (int column = 0; column < kCanvasSide; ++column) {
      Value u = frame.along(centre(column), centre(row));
      Value v = frame.across(centre(column), centre(row));
      if (!inside(u, v)) continue;
      for (int c = 0; c < kImageChannels; ++c) {
        canvas.channel[c][row * kCanvasSide + column] = colour[c] + times(slope[c], v);
      }
    }
  }
}

void paint_background(Canvas& canvas, Philox& random, const Colour& colour) {
  const Frame frame = frame_at(16 * kOne, 16 * kOne, random.between(0, 0xFFFF));
  const Colour slope = any_slope(random, 70);
  paint(canvas, frame, colour, slope, [](Value&, Value& v) {
    v = over(v, 22 * kOne);
    return true;
  });
}

// Paints a short bar at a random place. A classifier must learn to ignore it.
void paint_clutter(Canvas& canvas, Philox& random) {
  const Value x = random.between(0, 32 * kOne), y = random.between(0, 32 * kOne);
  const Frame frame = frame_at(x, y, random.between(0, 0xFFFF));
  const Value half_length = random.between(3 * kOne, 12 * kOne);
  const Value half_width = random.between(ratio(4, 10), ratio(11, 10));
  paint(canvas, frame, any_colour(random), Colour{}, [&](Value u, Value v) {
    return fixed::magnitude(u) < half_length && fixed::magnitude(v) < half_width;
  });
}

void paint_shape(Canvas& canvas, Philox& random, int label, const Colour& background) {
  const Colour colour = contrasting_colour(random, background);
  const Colour slope = any_slope(random, 20);
  const std::int64_t tilt = random.between(-6259, 6259);  // ±0.6 radians
  const Value size = random.between(7 * kOne, 12 * kOne);
  const Value stretch = random.between(ratio(8, 10), ratio(125, 100));
  const Value margin = times(size, ratio(9, 10));
  const Value x = random.between(margin, 32 * kOne - margin);
  const Value y = random.between(margin, 32 * kOne - margin);
  const Value wide = over(stretch, size), high = over(over(kOne, stretch), size);
  paint(canvas, frame_at(x, y, tilt), colour, slope, [&](Value& u, Value& v) {
    u = times(u, wide);
    v = times(v, high);
    return inside_shape(label, u, v);
  });
}

// A roughly normal number with standard deviation 10, in fixed point. The sum of four uniform bytes
// has mean 510 and standard deviation 147.8.
Value noise(Philox& random) {
  const std::uint32_t bits = random.next();
  std::int64_t sum = -510;
  for (int i = 0; i < 4; ++i) sum += bits >> (8 * i) & 0xFF;
  return sum * ratio(10'000, 147'800);
}

std::uint8_t average_with_noise(const std::array<Value, kCanvasPixels>& channel, int pixel,
                                Philox& random) {
  const int row = pixel / kImageSide * kOversampling;
  const int column = pixel % kImageSide * kOversampling;
  Value sum = 0;
  for (int dy = 0; dy < kOversampling; ++dy) {
    for (int dx = 0; dx < kOversampling; ++dx) {
      sum += channel[(row + dy) * kCanvasSide + column + dx];
    }
  }
  const Value value = sum / (kOversampling * kOversampling) + noise(random);
  return static_cast<std::uint8_t>(std::clamp<Value>((value + kOne / 2) >> 16, 0, 255));
}

void write_records(const std::filesystem::path& file, std::uint64_t seed, Split split,
                   std::uint32_t first, std::uint32_t end) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (std::uint32_t i = first; i < end; ++i) {
    const Record record = shape_record(seed, split, i);
    out.write(reinterpret_cast<const char*>(record.data()), record.size());
  }
  out.close();
  if (!out) throw DataError(fmt::format("{}: cannot be written", file.string()));
}

}  // namespace

Record shape_record(std::uint64_t seed, Split split, std::uint32_t index) {
  Philox random(seed, Purpose::shapes,
                std::uint64_t{static_cast<std::uint32_t>(split)} << 32 | index);
  const int label = static_cast<int>(random.below(kClasses));
  const Colour background = any_colour(random);
  Canvas canvas;
  paint_background(canvas, random, background);
  for (auto pieces = random.below(4); pieces > 0; --pieces) paint_clutter(canvas, random);
  paint_shape(canvas, random, label, background);

  Record record;
  record[0] = static_cast<std::uint8_t>(label);
  for (int c = 0; c < kImageChannels; ++c) {
    for (int pixel = 0; pixel < kPixels; ++pixel) {
      record[1 + c * kPixels + pixel] = average_with_noise(canvas.channel[c], pixel, random);
    }
  }
  return record;
}

const std::array<std::string_view, kClasses>& shape_names() {
  static constexpr std::array<std::string_view, kClasses> names{
      "disk", "square",    "triangle", "star",  "cross",
      "ring", "half-disk", "hexagon",  "arrow", "two-bars"};
  return names;
}

void write_shapes(const std::filesystem::path& folder, std::uint32_t train, std::uint32_t test,
                  std::uint64_t seed) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw DataError(fmt::format("{}: {}", folder.string(), error.message()));
  const std::uint32_t batches = std::max(1u, (train + kBatchRecords - 1) / kBatchRecords);
  if (const auto next = plain_or_gz(folder, fmt::format("data_batch_{}.bin", batches + 1))) {
    throw DataError(fmt::format("{} is there from a larger set, which this one would be mixed with",
                                next->string()));
  }
  for (std::uint32_t batch = 0; batch < batches; ++batch) {
    write_records(folder / fmt::format("data_batch_{}.bin", batch + 1), seed, Split::train,
                  batch * kBatchRecords, std::min((batch + 1) * kBatchRecords, train));
  }
  write_records(folder / "test_batch.bin", seed, Split::test, 0, test);
  std::ofstream names(folder / "batches.meta.txt");
  for (const std::string_view name : shape_names()) names << name << '\n';
  names.close();
  if (!names) throw DataError(fmt::format("{}: cannot be written", folder.string()));
}

}  // namespace spottrain
