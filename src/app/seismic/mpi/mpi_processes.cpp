#include "app/seismic/mpi/mpi_processes.h"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <climits>
#include <vector>

#include "base/error.h"

namespace muster::seismic {
namespace {

template <class Real>
MPI_Datatype type_of() {
  return sizeof(Real) == 4 ? MPI_FLOAT : MPI_DOUBLE;
}

/// MPI counts with int.
int length_of(std::size_t values) {
  if (values <= INT_MAX) return static_cast<int>(values);
  reject("--target mpi: a side of a part has {} values, more than a message of MPI takes; use more processes", values);
}

template <class Real>
class MpiExchange final : public Exchange<Real> {
 public:
  MpiExchange(const Decomposition& decomposition, int rank, Traffic& sent) : sent_(sent) {
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
      side.received.resize(side.count);
      // What leaves on the low side arrives on the high side of the neighbour.
      if (side.count > 0) {
        MPI_Irecv(side.received.data(), length_of(side.count), type_of<Real>(), side.neighbour,
                  static_cast<int>(i ^ 1U), MPI_COMM_WORLD, &requests_.emplace_back());
      }
      if (side.to_send.empty()) continue;
      MPI_Isend(side.to_send.data(), length_of(side.to_send.size()), type_of<Real>(), side.neighbour,
                static_cast<int>(i), MPI_COMM_WORLD, &requests_.emplace_back());
      sent_ += {.bytes = static_cast<std::int64_t>(side.to_send.size() * sizeof(Real)), .messages = 1};
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

  Traffic& sent_;
  std::array<Side, 6> sides_;
  std::vector<MPI_Request> requests_;
};

class MpiProcesses final : public Processes {
 public:
  MpiProcesses() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &count_);
    MPI_Comm here{};
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &on_this_machine_);
    MPI_Comm_free(&here);
  }
  ~MpiProcesses() override { MPI_Finalize(); }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }
  [[nodiscard]] int on_this_machine() const override { return on_this_machine_; }
  [[nodiscard]] Traffic sent() const override { return sent_; }
  void abort(int code) override { MPI_Abort(MPI_COMM_WORLD, code); }

  std::unique_ptr<Exchange<float>> exchange_floats(const Decomposition& decomposition) override {
    return std::make_unique<MpiExchange<float>>(decomposition, rank_, sent_);
  }
  std::unique_ptr<Exchange<double>> exchange_doubles(const Decomposition& decomposition) override {
    return std::make_unique<MpiExchange<double>>(decomposition, rank_, sent_);
  }

  void sum(std::span<std::uint64_t> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  }
  void max(std::span<double> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }

  std::vector<std::string> all_gather(const std::string& text) override {
    std::vector<std::string> texts;
    for (int from = 0; from < count_; ++from) {
      std::string& one = texts.emplace_back(from == rank_ ? text : "");
      auto size = static_cast<std::uint64_t>(one.size());
      MPI_Bcast(&size, 1, MPI_UINT64_T, from, MPI_COMM_WORLD);
      one.resize(size);
      MPI_Bcast(one.data(), static_cast<int>(size), MPI_CHAR, from, MPI_COMM_WORLD);
    }
    return texts;
  }

  std::vector<std::vector<double>> gather(std::vector<double> values) override {
    if (rank_ > 0) {
      send(values);
      return {};
    }
    std::vector<std::vector<double>> all{std::move(values)};
    for (int from = 1; from < count_; ++from) all.push_back(receive(from));
    return all;
  }

 private:
  static constexpr int kSize = 100;
  static constexpr int kValues = 101;
  static constexpr std::size_t kAtOnce = 1U << 24U;  // MPI counts with an int

  static void send(const std::vector<double>& values) {
    const auto size = static_cast<std::uint64_t>(values.size());
    MPI_Send(&size, 1, MPI_UINT64_T, 0, kSize, MPI_COMM_WORLD);
    for (std::size_t i = 0; i < values.size(); i += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, values.size() - i);
      MPI_Send(values.data() + i, static_cast<int>(count), MPI_DOUBLE, 0, kValues, MPI_COMM_WORLD);
    }
  }

  static std::vector<double> receive(int from) {
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, kSize, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; i += kAtOnce) {
      const std::size_t count = std::min(kAtOnce, values.size() - i);
      MPI_Recv(values.data() + i, static_cast<int>(count), MPI_DOUBLE, from, kValues, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
    }
    return values;
  }

  int rank_ = 0;
  int count_ = 1;
  int on_this_machine_ = 1;
  Traffic sent_;
};

}  // namespace

std::unique_ptr<Processes> mpi_processes() { return std::make_unique<MpiProcesses>(); }

}  // namespace muster::seismic
