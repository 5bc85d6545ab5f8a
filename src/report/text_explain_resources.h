// What resources did, plan by plan, as a part of an explanation.
#pragma once

#include <string>

#include "base/text_table.h"
#include "result/explanation.h"

namespace muster {

/// A table with a line per resource of each plan, the busiest one marked; empty where plans have none.
std::string resource_table(const ExplainAnswer& answer, const Style& style);

}  // namespace muster
