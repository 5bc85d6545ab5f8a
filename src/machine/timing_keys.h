// The timing parameters of a machine file, and other values to try, since many of them are not published.
#pragma once

#include <string>
#include <vector>

#include "machine/machine.h"

namespace muster {

/// A value of a machine file, and the same machine with other values for it.
struct TimingKey {
  struct Value {
    std::string text;  ///< as the machine's file would say it
    Machine machine;   ///< with this value; all others as they are
  };
  std::string key;            ///< as --param takes it: "ramp.latency", "dimension.1.latency"
  std::string current;        ///< as the machine's file would say it
  std::vector<Value> values;  ///< other ones than the current one
};

/// Those of the machine: what its family says (family.h).
std::vector<TimingKey> timing_keys(const Machine& machine);

// Of each family whose times are modelled, in FAMILY_timing_keys.cpp.
std::vector<TimingKey> mesh_timing_keys(const Machine& machine);
std::vector<TimingKey> hyperx_timing_keys(const Machine& machine);
std::vector<TimingKey> cluster_timing_keys(const Machine& machine);
std::vector<TimingKey> torus_timing_keys(const Machine& machine);

}  // namespace muster
