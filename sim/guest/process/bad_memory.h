// A program's memory goes bad.
#pragma once

#include <sys/types.h>

namespace sim::guest {

// Makes NaN of one number in each page of the program's private memory that holds nothing but what
// look like float32s of ordinary size, as weights and moments are. Its tasks are not running.
void spoil_numbers(pid_t program);

}  // namespace sim::guest
