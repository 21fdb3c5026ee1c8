// The processes of `mpirun … spotsim sweep …`: rank 0 hands out chunks of blocks, the other ranks
// ask for more when they deliver the rows of the last chunk. While no rank asks, rank 0 runs a
// block itself. Only rank 0 writes files, so they are the same as with one process.
#ifdef SPOTSIM_MPI
#include <mpi.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <span>

#include "sim/kernel/check.h"
#include "sim/sweep/store.h"
#include "sim/sweep/workers.h"

namespace sim::sweep {

#ifdef SPOTSIM_MPI

namespace {

enum Tag : int { kRows, kBlocks };  // to rank 0, from rank 0

// True if an MPI launcher's variables are set. Otherwise MPI is not initialised.
bool launched() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") || std::getenv("PMI_SIZE") || std::getenv("PMIX_RANK");
}

int bytes_of(std::span<const std::int64_t> numbers) {
  return static_cast<int>(numbers.size_bytes());
}

bool somebody_asks() {
  int there = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kRows, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
  return there != 0;
}

}  // namespace

MpiJob::MpiJob() {
  if (!launched()) return;
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

MpiJob::~MpiJob() {
  int ready = 0;
  MPI_Initialized(&ready);
  if (ready) MPI_Finalize();
}

void MpiJob::hand_out(const Sweep& sweep, const std::vector<std::int64_t>& blocks,
                      const Keep& keep) const {
  SIM_CHECK(rank_ == 0 && size_ > 1);
  const std::size_t chunk = chunk_of(blocks.size(), static_cast<unsigned>(size_));
  std::size_t next = 0;
  for (int working = size_ - 1; working > 0;) {
    if (next < blocks.size() && !somebody_asks()) {
      keep(sweep.run(std::span(blocks).subspan(next, 1)));
      ++next;
      continue;
    }
    MPI_Status status;
    MPI_Probe(MPI_ANY_SOURCE, kRows, MPI_COMM_WORLD, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Rows rows(sweep.grid().measures.size());
    rows.cells().resize(static_cast<std::size_t>(bytes) / sizeof(std::int64_t));
    MPI_Recv(rows.cells().data(), bytes, MPI_BYTE, status.MPI_SOURCE, kRows, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    if (rows.size() > 0) keep(rows);
    const std::size_t left = blocks.size() - next, size = std::min(left, chunk);
    const auto given = std::span(blocks).subspan(next, size);
    MPI_Send(given.data(), bytes_of(given), MPI_BYTE, status.MPI_SOURCE, kBlocks, MPI_COMM_WORLD);
    next += size;
    if (size == 0) --working;
  }
}

void MpiJob::work(const Sweep& sweep) const {
  SIM_CHECK(rank_ > 0);
  Rows rows(sweep.grid().measures.size());
  for (;;) {
    MPI_Send(rows.cells().data(), bytes_of(rows.cells()), MPI_BYTE, 0, kRows, MPI_COMM_WORLD);
    std::vector<std::int64_t> blocks(kLargestChunk);
    MPI_Status status;
    MPI_Recv(blocks.data(), bytes_of(blocks), MPI_BYTE, 0, kBlocks, MPI_COMM_WORLD, &status);
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (bytes == 0) return;
    blocks.resize(static_cast<std::size_t>(bytes) / sizeof(std::int64_t));
    rows = sweep.run(blocks);
  }
}

int MpiJob::first_where(bool here) const {
  int first = here ? rank_ : size_;
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return first;
}

void MpiJob::abort() const {
  if (size_ > 1) MPI_Abort(MPI_COMM_WORLD, 2);
}

#else

MpiJob::MpiJob() {
  for (const char* ranks : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* const size = std::getenv(ranks);
    if (size && std::atoi(size) > 1)
      throw StoreError("this spotsim was built without MPI: every rank would run the whole sweep");
  }
}
MpiJob::~MpiJob() = default;
void MpiJob::hand_out(const Sweep&, const std::vector<std::int64_t>&, const Keep&) const {
  SIM_CHECK(false);
}
void MpiJob::work(const Sweep&) const { SIM_CHECK(false); }
int MpiJob::first_where(bool here) const { return here ? rank_ : size_; }
void MpiJob::abort() const {}

#endif

}  // namespace sim::sweep
