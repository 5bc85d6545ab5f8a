// Lists of transactions as CSV files (docs/torus.md has the columns).
#pragma once

#include <string>
#include <vector>

#include "backend/torus/traffic.h"

namespace muster::torus {

/// The rows of a CSV file. Throws InputError, with file, line and column, where a value is wrong or does not fit the machine.
std::vector<TrafficRow> read_traffic(const Torus& torus, const std::string& file, const std::string& text);

}  // namespace muster::torus
