// Files that the build puts into spotsim for guests to run.
#pragma once

#include <string_view>

namespace sim::guest::warm {

std::string_view starter();      // start/start.cpp, built
std::string_view image_taker();  // take_image.py

}  // namespace sim::guest::warm
