// What a machine's family says of it.
#include "machine/machine.h"

#include "machine/family.h"

namespace muster {

std::string family_name(const Machine& machine) { return std::string(machine.family().name()); }

std::string shape_text(const Machine& machine) { return machine.family().shape_text(machine.network); }

std::string family_and_shape(const Machine& machine) { return family_name(machine) + " " + shape_text(machine); }

}  // namespace muster
