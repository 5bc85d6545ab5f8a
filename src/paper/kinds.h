// The kinds of claims, and how each is computed: predictions by the algorithms' formulas, times by the simulator.
#pragma once

#include <string>
#include <vector>

#include "paper/claims.h"

namespace muster {

/// What was computed: a number or names, and the text that a person reads.
struct Measured {
  double value = 0;
  std::vector<std::string> names;
  std::string text;
};

struct KindOfClaim {
  ClaimKind kind;
  Measured (*compute)(const Claim&, const std::vector<Machine>&);
};

const std::vector<KindOfClaim>& kinds_of_claims();
const KindOfClaim& kind_of_claim(const std::string& name);

/// The kinds that have a workload.
Measured of_training(const Claim& claim, const std::vector<Machine>& machines, const training::Workload& workload);

/// The kinds that have a shot; `text` is that of its file.
Measured of_shot(const Claim& claim, const std::string& text);
/// What a claim of kind shot_value may ask for.
const std::vector<std::string>& shot_values();

/// The kind of stencils on a wafer, and what it may be asked for.
Measured stencil_value(const Claim& claim, const std::vector<Machine>& machines);
const std::vector<std::string>& stencil_values();

/// "2", "2.50"
std::string number_text(double value);
/// "2 cycles", "1 cycle", "1x"
std::string with_unit(double value, const std::string& unit);

}  // namespace muster
