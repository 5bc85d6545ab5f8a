#include "app/seismic/mpi/processes.h"

#include <mpi.h>

#include <array>
#include <vector>

namespace muster::seismic {
namespace {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == 4 ? MPI_FLOAT : MPI_DOUBLE;
}

template <class Real>
class MpiExchange final : public Exchange<Real> {
 public:
  MpiExchange(const Decomposition& decomposition, int rank, std::int64_t& bytes_sent) : bytes_sent_(bytes_sent) {
    for (const Axis axis : kAxes) {
      for (const bool is_high : {false, true}) {
        sides_[number(axis, is_high)].neighbour = decomposition.neighbour(rank, axis, is_high);
      }
    }
  }

  void add(Axis axis, bool is_high, const Strip<Real>& send, const Strip<Real>& receive) override {
    Side& side = sides_[number(axis, is_high)];
    for_each(send, [&](const Real& value) { side.to_send.push_back(value); });
    side.receives.push_back(receive);
    side.count += count_of(receive.cells);
  }

  void start() override {
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      Side& side = sides_[i];
      if (side.count == 0 && side.to_send.empty()) continue;
      side.received.resize(side.count);
      // What leaves on the low side arrives on the high side of the neighbour.
      MPI_Irecv(side.received.data(), static_cast<int>(side.count), type_of<Real>(), side.neighbour,
                static_cast<int>(i ^ 1U), MPI_COMM_WORLD, &requests_.emplace_back());
      MPI_Isend(side.to_send.data(), static_cast<int>(side.to_send.size()), type_of<Real>(), side.neighbour,
                static_cast<int>(i), MPI_COMM_WORLD, &requests_.emplace_back());
      bytes_sent_ += static_cast<std::int64_t>(side.to_send.size() * sizeof(Real));
    }
  }

  void finish() override {
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    requests_.clear();
    for (Side& side : sides_) {
      const Real* next = side.received.data();
      for (const Strip<Real>& strip : side.receives) for_each(strip, [&](Real& value) { value = *next++; });
      side.to_send.clear();
      side.receives.clear();
      side.count = 0;
    }
  }

  void sum(std::span<double> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }

 private:
  struct Side {
    int neighbour = -1;
    std::vector<Real> to_send;
    std::vector<Real> received;
    std::vector<Strip<Real>> receives;
    std::size_t count = 0;  ///< of values to receive
  };

  static std::size_t number(Axis axis, bool is_high) { return 2 * index_of(axis) + static_cast<std::size_t>(is_high); }

  static std::size_t count_of(const Box& box) {
    return static_cast<std::size_t>(
        cells_of({box.last.x - box.first.x, box.last.y - box.first.y, box.last.z - box.first.z}));
  }

  template <class Visit>
  static void for_each(const Strip<Real>& strip, const Visit& visit) {
    for (std::int64_t x = strip.cells.first.x; x < strip.cells.last.x; ++x) {
      for (std::int64_t y = strip.cells.first.y; y < strip.cells.last.y; ++y) {
        Real* row = strip.origin + x * strip.stride.x + y * strip.stride.y;
        for (std::int64_t z = strip.cells.first.z; z < strip.cells.last.z; ++z) visit(row[z]);
      }
    }
  }

  std::int64_t& bytes_sent_;
  std::array<Side, 6> sides_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

Processes::Processes() {
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
}

Processes::~Processes() { MPI_Finalize(); }

template <class Real>
std::unique_ptr<Exchange<Real>> Processes::exchange(const Decomposition& decomposition) {
  return std::make_unique<MpiExchange<Real>>(decomposition, rank_, bytes_sent_);
}

template std::unique_ptr<Exchange<float>> Processes::exchange(const Decomposition&);
template std::unique_ptr<Exchange<double>> Processes::exchange(const Decomposition&);

}  // namespace muster::seismic
