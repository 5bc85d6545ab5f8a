// The propagators: their equations, and the kernels of each target.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/seismic/equation/description.h"
#include "app/seismic/kernels.h"

namespace muster::seismic {

/// What computes.
struct Target {
  enum class Kind : unsigned char { reference, cpu } kind = Kind::cpu;
  int threads = 1;  ///< of the CPU
};

/// Of every propagator, in the order of the documentation.
std::vector<std::string> propagator_names();

/// Throws InputError with the nearest names.
Description describe_propagator(std::string_view name);

template <class Real>
std::unique_ptr<Kernels<Real>> make_kernels(std::string_view propagator, const Target& target);

extern template std::unique_ptr<Kernels<float>> make_kernels(std::string_view, const Target&);
extern template std::unique_ptr<Kernels<double>> make_kernels(std::string_view, const Target&);

}  // namespace muster::seismic
