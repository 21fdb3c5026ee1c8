#include "sim/guest/fiber/container_checkpoints.h"

#include <gtest/gtest.h>

namespace sim::guest {
namespace {

std::vector<std::string> names(const cloud::ModelledFolder& folder) {
  std::vector<std::string> all;
  for (const auto& [name, file] : folder) all.push_back(name);
  return all;
}

TEST(ContainerCheckpoints, TheLastThreeAreThereAsFiles) {
  Simulation simulation{Time{}};
  cloud::ModelledFolder folder;
  ContainerCheckpoints place(simulation, folder, "checkpoints");
  for (const std::int64_t step : {8, 16, 24, 32})
    place.publish({.step = step, .bytes = 1000 + step, .base = step});
  EXPECT_EQ(names(folder),
            (std::vector<std::string>{
                "checkpoints/step-0000000016.json", "checkpoints/step-0000000016.safetensors",
                "checkpoints/step-0000000024.json", "checkpoints/step-0000000024.safetensors",
                "checkpoints/step-0000000032.json", "checkpoints/step-0000000032.safetensors",
                "checkpoints/train.csv"}));
  EXPECT_EQ(folder["checkpoints/step-0000000032.safetensors"].size, 1032u);
}

TEST(ContainerCheckpoints, WhatIsNotWholeIsPassedOver) {
  Simulation simulation{Time{}};
  cloud::ModelledFolder folder;
  {
    ContainerCheckpoints place(simulation, folder, "checkpoints");
    for (const std::int64_t step : {8, 16, 24})
      place.publish({.step = step, .bytes = 1000, .base = step == 16 ? 8 : step});
  }
  folder.erase("checkpoints/step-0000000024.safetensors");
  ContainerCheckpoints next(simulation, folder, "checkpoints");
  ASSERT_EQ(next.checkpoints().size(), 2u);
  EXPECT_EQ(next.newest()->step, 16);
  EXPECT_EQ(next.newest()->base, 8);
  folder["checkpoints/step-0000000016.safetensors"].size = 999;
  EXPECT_EQ(ContainerCheckpoints(simulation, folder, "checkpoints").newest()->step, 8);
  folder.erase("checkpoints/step-0000000008.json");
  EXPECT_EQ(ContainerCheckpoints(simulation, folder, "checkpoints").newest(), nullptr);
}

}  // namespace
}  // namespace sim::guest
