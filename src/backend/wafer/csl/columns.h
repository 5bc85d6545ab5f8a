// The columns of pe.csl's table of operations, in one place: rows are written and looked up by the same list.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backend/wafer/csl/program.h"

namespace muster::wafer {

enum class CslColumn : std::uint8_t {
  kind,  ///< of a tabled program, instead of the next four
  action,
  take,
  send,
  advance,
  own,
  store,
  own_first,
  store_first,
  length,
  sent,
  sent_first,
  sent_length,
  times,  ///< of a tabled program
  steps,  ///< of a tabled program: a row of the table of steps
  back,
};

/// Those that the program's table has, in order.
std::vector<CslColumn> csl_columns(const CslProgram& csl);

/// The index of a column that the table has.
int csl_column(const CslProgram& csl, CslColumn column);

/// "action, take, send, ...": what the columns say.
std::string csl_column_words(const CslProgram& csl);

/// "SEND, 0, 2, ...": an operation as a row of the table.
std::string csl_row(const CslProgram& csl, const CslOperation& operation);

/// The columns of the table of steps, after each other: how far own, store and sent move in a loop.
enum class CslStep : std::uint8_t { own, store, sent };
inline constexpr int kCslSteps = 3;

}  // namespace muster::wafer
