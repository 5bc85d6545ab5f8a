// Which operations follow each other, and who waits for whom.
#include <algorithm>

#include "backend/wafer/csl_reader/rebuild.h"
#include "base/index.h"

namespace muster::wafer::csl {

namespace {

using Lanes = std::map<std::int32_t, std::vector<Group>>;  ///< by task

struct Wait {
  const Group* later;
  const Group* earlier;
};

bool follows(const ProcessorTrace& trace, const Group& later, const Group& earlier) {
  if (later.beside_send && earlier.members.back() + 1 == later.members.front()) return true;
  return std::all_of(later.members.begin(), later.members.end(), [&](std::size_t l) {
    return std::all_of(earlier.members.begin(), earlier.members.end(),
                       [&](std::size_t e) { return csl::follows(trace, l, e); });
  });
}

bool same_but_times(const Operation& a, Operation b) {
  b.times = a.times;
  return a == b;
}

/// One lane where every operation follows the previous one, else one per task.
Lanes lanes_of(const ProcessorTrace& trace, std::vector<Group> groups) {
  bool one_lane = true;
  for (std::size_t g = 1; g < groups.size(); ++g) one_lane &= follows(trace, groups[g], groups[g - 1]);
  Lanes lanes;
  for (Group& group : groups) {
    auto& lane = lanes[one_lane ? 0 : group.task];
    if (!lane.empty() && !follows(trace, group, lane.back())) {
      fail(group.location, "the instruction runs beside that of line {}, in one task; that is not supported",
           lane.back().location.line);
    }
    lane.push_back(std::move(group));
  }
  return lanes;
}

/// Across lanes, and not because of an earlier wait.
std::vector<Wait> waits_of(const ProcessorTrace& trace, Lanes& lanes) {
  std::vector<Wait> waits;
  for (auto& [task, lane] : lanes) {
    for (std::size_t g = 0; g < lane.size(); ++g) {
      Group& group = lane[g];
      for (auto& [other_task, other] : lanes) {
        if (other_task == task) continue;
        const auto last =
            std::find_if(other.rbegin(), other.rend(), [&](const Group& o) { return follows(trace, group, o); });
        if (last == other.rend() || (g > 0 && follows(trace, lane[g - 1], *last))) continue;
        group.waits = last->waits = true;
        waits.push_back({&group, &*last});
      }
    }
  }
  return waits;
}

bool is_advance(const Operation& operation) {
  return operation.operands.empty() && operation.outputs.front().ending == Ending::advance;
}

/// Whether data on the color ends with this operation, and nothing follows it yet.
bool ends_plainly(const Operation& operation, std::int8_t color) {
  return !operation.operands.empty() && operation.outputs.size() == 1 &&
         operation.outputs[0].ending == Ending::nothing && operation.outputs[0].color == color;
}

bool is_commands(const Operation& operation) {
  return operation.operands.empty() && operation.outputs.front().ending == Ending::commands;
}

/// Adds the list of a control wavelet to what ends data on its color; false if it does not belong there, or they are too many.
bool add_list(Operation& data, const Output& control) {
  if (data.operands.empty() || data.outputs.size() != 1 || data.outputs[0].color != control.color) return false;
  Output& output = data.outputs[0];
  const std::size_t count = output.controls();
  const bool open = output.ending == Ending::nothing || (output.ending == Ending::commands && count < kMostLists);
  if (!open) return false;
  output.ending = Ending::commands;
  output.lists.at(count) = control.lists[0];
  return true;
}

/// A control wavelet ADVANCE behind data is the ending of that data; so are up to three with lists of commands.
void merge_advances(std::vector<Group>& lane) {
  std::vector<Group> merged;
  for (Group& group : lane) {
    const Operation& now = group.operation;
    if (!merged.empty() && is_commands(now) && add_list(merged.back().operation, now.outputs[0])) {
      merged.back().members.insert(merged.back().members.end(), group.members.begin(), group.members.end());
    } else if (!merged.empty() && is_advance(now) && ends_plainly(merged.back().operation, now.outputs[0].color)) {
      merged.back().operation.outputs[0].ending = Ending::advance;
      merged.back().members.insert(merged.back().members.end(), group.members.begin(), group.members.end());
    } else {
      merged.push_back(std::move(group));
    }
  }
  lane = std::move(merged);
}

}  // namespace

std::vector<Operation> in_lanes(const ProcessorTrace& trace, std::vector<Group> groups) {
  Lanes lanes = lanes_of(trace, std::move(groups));
  for (auto& [task, lane] : lanes) merge_advances(lane);
  const std::vector<Wait> waits = waits_of(trace, lanes);
  std::vector<Operation> operations;
  std::map<const Group*, std::int32_t> index;
  std::int32_t number = 0;
  for (auto& [task, lane] : lanes) {
    const Group* before = nullptr;
    for (Group& group : lane) {
      group.operation.lane = number;
      const bool apart = before == nullptr || group.waits || before->waits;
      if (!apart && same_but_times(operations.back(), group.operation)) {
        ++operations.back().times;
      } else {
        operations.push_back(group.operation);
      }
      index[&group] = static_cast<std::int32_t>(operations.size()) - 1;
      before = &group;
    }
    ++number;
  }
  for (const Wait& wait : waits) operations[at(index[wait.later])].after.push_back(index[wait.earlier]);
  return operations;
}

}  // namespace muster::wafer::csl
