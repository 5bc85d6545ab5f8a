// The propagators at work: the kernels of each target.
#pragma once

#include <memory>
#include <string_view>

#include "app/seismic/kernels.h"
#include "app/seismic/processes.h"
#include "app/seismic/propagator_names.h"
#include "app/seismic/setup.h"
#include "app/seismic/simulation.h"

namespace muster::seismic {

/// What computes.
struct Target {
  enum class Kind : unsigned char { reference, cpu, mpi, cuda } kind = Kind::cpu;
  int threads = 1;                 ///< of the CPU, in each process
  Processes* processes = nullptr;  ///< that share the grid, for `mpi`
};

/// The part of the grid that this process computes.
Part part_of(const GridOptions& options, const Target& target);

template <class Real>
std::unique_ptr<Kernels<Real>> make_kernels(std::string_view propagator, const Target& target);

/// A simulation at time zero. Arithmetic::wafer: check_arithmetic() must have passed.
template <class Real>
Simulation<Real> make_simulation(std::string_view propagator, const GridOptions& options, const Model& model,
                                 const Target& target);

extern template std::unique_ptr<Kernels<float>> make_kernels(std::string_view, const Target&);
extern template std::unique_ptr<Kernels<double>> make_kernels(std::string_view, const Target&);

extern template Simulation<float> make_simulation(std::string_view, const GridOptions&, const Model&, const Target&);
extern template Simulation<double> make_simulation(std::string_view, const GridOptions&, const Model&, const Target&);

}  // namespace muster::seismic
