// The tables of layout.csl: operation lists, repetitions, queues, and the numbers that PEs have of their own.
#pragma once

#include <string>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

/// The names of a part's tables and maps.
struct PartNames {
  std::string lists, first, times, list_of, times_of;
  explicit PartNames(const CslPart& part)
      : lists(part.first == 0 ? "lists" : "column_lists"),
        first(part.first == 0 ? "list_first" : "column_list_first"),
        times(part.first == 0 ? "repetitions" : "column_repetitions"),
        list_of(part.first == 0 ? "list_of" : "column_list_of"),
        times_of(part.first == 0 ? "times_of" : "column_times_of") {}
};

/// What lists consist of, how often their operations run, and which queues PEs use, where they differ in that.
std::string layout_tables(const CslProgram& csl);

/// Numbers that PEs have of their own, and the function that writes them out; nothing if there are none.
std::string layout_number_maps(const CslProgram& csl);

}  // namespace muster::wafer
