// How long a region's spot capacity is expected to last, as SkyNomad's artifact computes it
// (sky_spot/strategies/unified_cost_model.py). It is the Nelson-Aalen hazard of the lives observed
// in the region, scaled up after bursts of failures. Times are seconds from the job's start, and
// lives are in hours, all in the artifact's order of operations.
#pragma once

#include <deque>
#include <optional>
#include <vector>

namespace policies {

class SkyNomadLives {
 public:
  // `follows_age`: the present life counts as a life that reached its age.
  SkyNomadLives(double tick_seconds, bool follows_age)
      : tick_h_(tick_seconds / 3600), follows_age_(follows_age) {}

  enum class Source { kSpot, kProbe };
  // A life begins: of the job's own instance, or after a probe found capacity.
  void start(Source source, double now);
  // The life ends: by a failure, or because observation ends.
  void end(bool failure, double now);
  // There was no capacity.
  void failed() { ++failures_; }
  // Where the age that hazard was counted up to stands.
  void set_spot_age(std::optional<double> hours) { spot_age_ = hours; }
  void set_probe_age(std::optional<double> hours) { probe_age_ = hours; }

  // Once a tick, after what ended in it.
  void observe(double now);
  // Hours of the life that goes on; none: nothing is known to go on.
  std::optional<double> age(double now) const;
  // Hours to come for a life of that age.
  double expected_left(double age_hours, double now) const;
  // The share of the last twelve hours in which a life was seen.
  double availability(double now) const;

 private:
  struct Life {
    double from, to;
    bool failure;
    double hours() const;
  };
  struct Knot {
    double hours, hazard;
  };
  struct Hazards {
    std::vector<Knot> knots;
    double tail;  // an hour's, beyond the last
  };
  struct Event {
    double risk;
    int failures;
  };

  Hazards hazards(double now) const;
  static double cumulative(const Hazards& hazards, double hours);
  double risk_of_tick(double now);
  void add_event(double risk);
  double densest_suffix() const;

  double tick_h_;
  bool follows_age_;
  std::vector<Life> lives_;
  std::optional<double> since_;
  Source source_ = Source::kSpot;
  std::optional<double> spot_age_, probe_age_;
  int failures_ = 0;  // of this tick
  std::deque<Event> events_;
  double burst_ = 1;  // what hazards are multiplied by
};

}  // namespace policies
