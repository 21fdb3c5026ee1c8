#include "sim/report/curve.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "sim/result/training.h"

namespace sim::report {
namespace {

constexpr std::size_t kPoints = 500;  // maximum of one piece

struct Point {
  Time at;
  std::int64_t step;
};

std::vector<Point> points_of(const result::History& history, const result::Session& session,
                             std::size_t next_order) {
  std::vector<Point> points;
  for (const result::TrainerLine& line : history.instances[session.instance].trainer) {
    if (line.order < session.order || line.order >= next_order) continue;
    if (line.event == result::TrainerEvent::kStart || line.event == result::TrainerEvent::kStep)
      points.push_back({line.at, line.step});
  }
  return points;
}

// Returns every n-th element and the last one.
template <class T>
std::vector<T> thinned(const std::vector<T>& all) {
  const std::size_t every = all.size() / kPoints + 1;
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += every) some.push_back(all[i]);
  if (!all.empty() && (all.size() - 1) % every != 0) some.push_back(all.back());
  return some;
}

}  // namespace

// The loss is a field of the trainer's own: the table of events has no such field.
void Curve::listen(events::Listeners& log) {
  log.on_kind(events::Kind::kTrainerStep, [this](const events::AnyEvent& event, std::string_view) {
    const Json loss = event.field("loss");
    if (loss.is_number())
      losses_[event.text("instance_id")].emplace_back(event.time(), loss.get<double>());
  });
}

Json Curve::all(const result::History& history, const Axis& axis) const {
  const std::vector<result::Session> sessions = result::sessions(history);
  Json pieces = Json::array();
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    const result::Session& session = sessions[i];
    const auto next = std::find_if(
        sessions.begin() + static_cast<std::ptrdiff_t>(i) + 1, sessions.end(),
        [&](const result::Session& other) { return other.instance == session.instance; });
    const std::size_t limit =
        next == sessions.end() ? std::numeric_limits<std::size_t>::max() : next->order;
    const std::string& instance = history.instances[session.instance].id;
    const std::vector<Point> points = points_of(history, session, limit);
    Json steps = Json::array(), losses = Json::array();
    for (const Point& point : thinned(points)) steps.push_back({axis.at(point.at), point.step});
    if (const auto own = losses_.find(instance); own != losses_.end()) {
      std::vector<std::pair<Time, double>> inside;
      for (const auto& loss : own->second)
        if (loss.first >= points.front().at && loss.first <= points.back().at)
          inside.push_back(loss);
      for (const auto& [at, loss] : thinned(inside)) losses.push_back({axis.at(at), loss});
    }
    const std::int64_t last = points.empty() ? session.start_step : points.back().step;
    pieces.push_back({{"instance_id", instance},
                      {"start_step", session.start_step},
                      {"kept_through", std::min(last, session.kept_through)},
                      {"steps", steps},
                      {"loss", losses}});
  }
  return pieces;
}

}  // namespace sim::report
