// spottrain itself joins no gang: it needs no MPI to be installed.
#include "trainer/gang/communicator.h"

namespace spottrain {

std::unique_ptr<Communicator> join_gang(int&, char**&) { return nullptr; }

}  // namespace spottrain
