// The catalogue as a whole.
#include "sim/faults/kinds.h"

#include <set>

#include "sim/faults/kinds_for_test.h"

namespace sim::faults {
namespace {

TEST(Catalogue, NamesAndParametersAreUniqueAndDefaultsAreValues) {
  std::set<std::string_view> names;
  for (const Kind* kind : kinds()) {
    EXPECT_TRUE(names.insert(kind->name).second) << kind->name;
    EXPECT_EQ(find_kind(kind->name), kind);
    EXPECT_FALSE(kind->does.empty());
    EXPECT_FALSE(kind->remedy.text().empty()) << kind->name;
    EXPECT_FALSE(kind->remedy.text().ends_with(".")) << kind->name;
    std::set<std::string_view> parameters;
    for (const Parameter& parameter : kind->parameters) {
      EXPECT_TRUE(parameters.insert(parameter.name).second) << kind->name << ' ' << parameter.name;
      if (parameter.fallback.empty()) continue;
      EXPECT_NO_THROW(argument_of(parameter, std::string(parameter.fallback)));
    }
  }
  EXPECT_EQ(find_kind("none"), nullptr);
}

TEST(Catalogue, WhatTheGuestsCannotHaveIsRefused) {
  NullGuests guests;
  const Plan plan{fault(AtTime{1s}, "power-cut"), fault(AtTime{1s}, "disk-full")};
  EXPECT_EQ(first_refused(plan, guests), std::nullopt);
  guests.unable = guest::GuestFault::What::kDiskFull;
  EXPECT_EQ(first_refused(plan, guests), 1U);
}

}  // namespace
}  // namespace sim::faults
