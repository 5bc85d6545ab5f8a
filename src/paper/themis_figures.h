// The figures of "Themis: a network bandwidth-aware collective scheduling policy" (ISCA 2022), computed: its schedulers and ours
// on its systems.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "machine/machine.h"
#include "result/figure.h"

namespace muster {

/// The names of the machines that are the paper's systems, in the order of its Table 2.
std::vector<std::string> themis_systems();

/// The numbers of those that can be drawn, growing.
std::vector<int> themis_figures();

/// Finds a machine by its name.
using MachineByName = std::function<Machine(const std::string&)>;

/// Computes one of themis_figures() on the paper's systems. `progress` is told how much is done, from 0 to 1.
FigureAnswer make_themis_figure(int number, const MachineByName& machine,
                                const std::function<void(double)>& progress = {});

}  // namespace muster
