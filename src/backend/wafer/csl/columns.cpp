#include "backend/wafer/csl/columns.h"

#include <algorithm>
#include <string_view>

#include "backend/wafer/csl/starts.h"
#include "backend/wafer/csl/tabled.h"
#include "base/error.h"

namespace muster::wafer {

namespace {

std::string_view words_of(CslColumn column) {
  switch (column) {
    case CslColumn::kind:
      return "kind";
    case CslColumn::action:
      return "action";
    case CslColumn::take:
      return "take";
    case CslColumn::send:
      return "send";
    case CslColumn::advance:
      return "advance its own switch";
    case CslColumn::own:
      return "own";
    case CslColumn::store:
      return "store";
    case CslColumn::own_first:
      return "first own";
    case CslColumn::store_first:
      return "first store";
    case CslColumn::length:
      return "length";
    case CslColumn::sent:
      return "sent";
    case CslColumn::sent_first:
      return "first sent";
    case CslColumn::sent_length:
      return "length sent";
    case CslColumn::times:
      return "times";
    case CslColumn::steps:
      return "steps";
    case CslColumn::back:
      return "slots back to the start of the loop";
  }
  return "";
}

/// A descriptor is made for every operation, even one that does nothing; it must not be empty.
std::string length_cell(std::int64_t length) { return std::to_string(std::max<std::int64_t>(length, 1)); }

std::string buffer_cell(const CslProgram& csl, Buffer buffer) {
  return csl.tabled ? std::to_string(static_cast<int>(buffer)) : buffer_constant(buffer);
}

std::string cell(const CslProgram& csl, CslColumn column, const CslOperation& o) {
  switch (column) {
    case CslColumn::kind:
      return std::to_string(csl.kind_of(o));
    case CslColumn::action:
      return action_name(o.action);
    case CslColumn::take:
      return std::to_string(o.take);
    case CslColumn::send:
      return std::to_string(o.send);
    case CslColumn::advance:
      return o.advance_own ? "1" : "0";
    case CslColumn::own:
      return buffer_cell(csl, o.own);
    case CslColumn::store:
      return buffer_cell(csl, o.store);
    case CslColumn::own_first:
      return std::to_string(o.own_first);
    case CslColumn::store_first:
      return std::to_string(o.store_first);
    case CslColumn::length:
      return length_cell(o.length);
    case CslColumn::sent:
      return buffer_cell(csl, o.sent);
    case CslColumn::sent_first:
      return std::to_string(o.sent_first);
    case CslColumn::sent_length:
      return length_cell(o.sent_length);
    case CslColumn::times:
      return std::to_string(o.times);
    case CslColumn::steps:
      return std::to_string(steps_of(csl, o));
    case CslColumn::back:
      return std::to_string(o.back);
  }
  return "";
}

}  // namespace

std::vector<CslColumn> csl_columns(const CslProgram& csl) {
  std::vector<CslColumn> columns;
  const auto add = [&](std::initializer_list<CslColumn> more) { columns.insert(columns.end(), more); };
  if (csl.tabled) {
    add({CslColumn::kind});
  } else {
    add({CslColumn::action, CslColumn::take, CslColumn::send, CslColumn::advance});
  }
  add({CslColumn::own, CslColumn::store});
  if (!csl.whole) add({CslColumn::own_first, CslColumn::store_first, CslColumn::length});
  if (csl.exchanges()) add({CslColumn::sent});
  if (csl.exchanges() && !csl.whole) add({CslColumn::sent_first, CslColumn::sent_length});
  if (csl.tabled) add({CslColumn::times});
  if (csl.tabled && csl.moves()) add({CslColumn::steps});
  if (csl.loops()) add({CslColumn::back});
  return columns;
}

int csl_column(const CslProgram& csl, CslColumn column) {
  const std::vector<CslColumn> columns = csl_columns(csl);
  const auto found = std::find(columns.begin(), columns.end(), column);
  MUSTER_ASSERT(found != columns.end(), "the table of operations has no column '{}'", words_of(column));
  return static_cast<int>(found - columns.begin());
}

std::string csl_column_words(const CslProgram& csl) {
  std::string text;
  for (const CslColumn column : csl_columns(csl)) {
    text += (text.empty() ? "" : ", ") + std::string(words_of(column));
  }
  return text;
}

std::string csl_row(const CslProgram& csl, const CslOperation& operation) {
  std::string text;
  const std::string between = csl.tabled ? "," : ", ";  // of many rows, spaces are most of the text
  for (const CslColumn column : csl_columns(csl)) text += (text.empty() ? "" : between) + cell(csl, column, operation);
  return text;
}

}  // namespace muster::wafer
