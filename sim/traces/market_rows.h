// Collects the prices of many pools while a reader goes through the lines of a file.
#pragma once

#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/market/price_history.h"
#include "sim/traces/name_index.h"

namespace sim::traces {

// The prices of a part of the file.
class Markets {
 public:
  bool is_at(std::string_view name) const { return points_ && name == name_; }

  // Selects the pool of the next points; `name` is the text that names it.
  void go_to(std::string_view name, std::string_view zone, std::string_view type) {
    end_stretch();
    name_ = name;
    market::Pool pool{std::string(type), std::string(zone)};
    points_ =
        fits_here(pool) ? insert_here(std::move(pool)) : find_or_insert(name, std::move(pool));
  }
  void add(market::PricePoint point) { stretch_.push_back(point); }

  // Appends all points to the history, and forgets them.
  void give_to(market::PriceHistory& history) {
    end_stretch();
    auto place = history.pools.begin();
    while (!pools_.empty()) {
      auto node = pools_.extract(pools_.begin());
      place = history.pools.insert(place, std::move(node));
      if (node)
        place->second.insert(place->second.end(), node.mapped().begin(), node.mapped().end());
      ++place;
    }
  }

 private:
  using Points = std::vector<market::PricePoint>;

  // In most files a new pool follows the previous one in the map's order.
  bool fits_here(const market::Pool& pool) const {
    return (next_ == pools_.end() || pool < next_->first) &&
           (next_ == pools_.begin() || std::prev(next_)->first < pool);
  }
  Points* insert_here(market::Pool&& pool) {
    const auto at = pools_.try_emplace(next_, std::move(pool));
    next_ = std::next(at);
    return &at->second;
  }
  Points* find_or_insert(std::string_view name, market::Pool&& pool) {
    const std::size_t number = names_.number_of(name);
    if (number == points_of_.size()) {
      next_ = pools_.upper_bound(pool);
      points_of_.push_back(insert_here(std::move(pool)));
    }
    return points_of_[number];
  }
  // A pool's lines are usually adjacent, so memory for all of them is reserved once.
  void end_stretch() {
    if (points_) points_->insert(points_->end(), stretch_.begin(), stretch_.end());
    stretch_.clear();
  }

  std::map<market::Pool, Points> pools_;
  std::map<market::Pool, Points>::iterator next_ =
      pools_.end();                 // after the last that was inserted
  NameIndex names_;                 // of the names looked up so far
  std::vector<Points*> points_of_;  // by a name's number
  std::string name_;
  Points* points_ = nullptr;
  Points stretch_;
};

}  // namespace sim::traces
