// spottrain itself joins no gang, so it needs no MPI.
#include "trainer/gang/communicator.h"

namespace spottrain {

std::unique_ptr<Communicator> join_gang(int&, char**&) { return nullptr; }

}  // namespace spottrain
