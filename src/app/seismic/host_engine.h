// The engine in the memory of this process, for all of the grid or a part of it.
#pragma once

#include <memory>

#include "app/seismic/communication.h"
#include "app/seismic/engine.h"
#include "app/seismic/equation/description.h"
#include "app/seismic/exchange.h"
#include "app/seismic/kernels.h"
#include "app/seismic/setup.h"

namespace muster::seismic {

template <class Real>
class HostEngine final : public Engine<Real> {
 public:
  /// `exchange` may be null if the part is the whole grid.
  HostEngine(const Description& equation, State<Real> state, const Part& part, std::unique_ptr<Kernels<Real>> kernels,
             std::unique_ptr<Exchange<Real>> exchange = nullptr);

  void run(std::size_t phase) override;
  std::size_t add(Points points) override;
  void clear() override { points_.clear(); }
  void inject(std::size_t points, std::span<const double> amplitudes) override;
  void gather(std::size_t points, std::span<double> values) override;
  State<Real>& state() override { return state_; }
  void upload() override {}

 private:
  /// A cell of a point; a cell of another process has no offset.
  struct Tap {
    std::int64_t offset = -1;
    double weight = 0;
  };
  /// Point i has the taps from ends[i - 1] up to ends[i].
  struct LocalPoints {
    int field = 0;
    std::vector<Tap> taps;
    std::vector<std::size_t> ends;
    std::vector<bool> is_shared;  ///< between several processes
  };

  void update_while_exchanging(const View<Real>& view, std::size_t phase);
  void start_exchange(const PhaseDescription& phase);
  void exchange_diagonals(const PhaseDescription& phase);
  void start_memory_exchange(const View<Real>& view, std::size_t phase);
  void add(const Read& read, const std::vector<Transfer>& transfers);
  [[nodiscard]] bool has(const Extent& cell) const;
  [[nodiscard]] bool is_shared(const std::vector<NodeWeight>& nodes) const;

  Description equation_;
  Part part_;
  std::unique_ptr<Kernels<Real>> kernels_;
  std::unique_ptr<Exchange<Real>> exchange_;
  State<Real> state_;
  std::vector<LocalPoints> points_;
  Box inner_;               ///< cells that read no neighbour's cells
  std::vector<Box> outer_;  ///< all others
};

extern template class HostEngine<float>;
extern template class HostEngine<double>;

}  // namespace muster::seismic
