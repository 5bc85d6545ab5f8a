// What a stencil needs to know of the wafer that it runs on.
#pragma once

#include "app/stencil/description.h"
#include "machine/machine.h"

namespace muster::stencil {

/// Throws InputError for a machine of another family.
void check_mesh(const Machine& machine);

/// The machine in the shape of a grid's columns and rows.
Machine with_grid_of(const Machine& machine, const Description& description);

/// The largest grid of PEs: "755x994".
std::string largest_grid_text(const Machine& machine);

}  // namespace muster::stencil
