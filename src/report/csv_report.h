// Answers as CSV, for spreadsheets and plots: a header, then one line each. Cells with commas or quotes are quoted;
// what is not known is empty. Lines end in a newline.
#pragma once

#include <string>
#include <vector>

#include "result/figure.h"
#include "result/sweep.h"
#include "result/training.h"

namespace muster {

/// One line of CSV.
std::string csv_line(const std::vector<std::string>& cells);

std::string csv_report(const SweepAnswer& answer);
/// The lines of all panels; "figure" and "panel" come first. Without sweeps, the points of its curves.
std::string csv_report(const FigureAnswer& answer);
std::string csv_report(const TrainingAnswer& answer);
/// Several, grouped by workload.
std::string csv_report(const std::vector<TrainingAnswer>& answers);

}  // namespace muster
