#include "sim/guest/warm/programs.h"

// The build says where the files are.
asm(R"(
  .pushsection .rodata
spotsim_starter: .incbin ")" SPOTSIM_STARTER R"("
spotsim_starter_end:
spotsim_image_taker: .incbin ")" SPOTSIM_IMAGE_TAKER R"("
spotsim_image_taker_end:
  .popsection
)");

namespace sim::guest::warm {
namespace {

extern "C" {
extern const char starter_begin[] asm("spotsim_starter");
extern const char starter_end[] asm("spotsim_starter_end");
extern const char image_taker_begin[] asm("spotsim_image_taker");
extern const char image_taker_end[] asm("spotsim_image_taker_end");
}

}  // namespace

std::string_view starter() { return {starter_begin, starter_end}; }
std::string_view image_taker() { return {image_taker_begin, image_taker_end}; }

}  // namespace sim::guest::warm
