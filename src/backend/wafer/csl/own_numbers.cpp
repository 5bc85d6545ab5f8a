#include "backend/wafer/csl/own_numbers.h"

#include <array>
#include <functional>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::array kNumbers{&CslOperation::own_first, &CslOperation::store_first, &CslOperation::sent_first,
                              &CslOperation::length, &CslOperation::sent_length};

/// More than these take a compiler long to expand.
constexpr std::size_t kManyNumbers = std::size_t{1} << 22;
constexpr std::size_t kMostSets = 65'536;  ///< which a u16 counts

/// What classes must have in common to share a list: all but the numbers.
std::string kind_of(const CslOperations& operations) {
  std::string kind;
  for (std::size_t index = 0; index < operations.list.size(); ++index) {
    const CslOperation& o = operations.list[index];
    kind += fmt::format("{} {} {} {} {} {} {} {} {} {} {} {};", static_cast<int>(o.action), o.take, o.send,
                        o.advance_own, static_cast<int>(o.own), static_cast<int>(o.store), static_cast<int>(o.sent),
                        o.own_step, o.store_step, o.sent_step, o.back, operations.times[index] == 0);
  }
  return kind;
}

}  // namespace

std::int64_t OwnNumbers::index_of(Column column) {
  const auto [found, added] = known_.try_emplace(column, static_cast<std::int64_t>(columns_.size()));
  if (added) columns_.push_back(std::move(column));
  return found->second;
}

void OwnNumbers::take_from(std::vector<CslOperations>& of_class) {
  std::map<std::string, std::vector<std::size_t>> kinds;
  for (std::size_t c = 0; c < of_class.size(); ++c) kinds[kind_of(of_class[c])].push_back(c);
  for (const auto& kind : kinds) {
    const std::vector<std::size_t>& members = kind.second;
    const auto share = [&](const std::function<std::int64_t(std::size_t)>& get,
                           const std::function<void(std::size_t, std::int64_t)>& set) {
      Column column(of_class.size());
      bool differs = false;
      for (const std::size_t c : members) {
        column[c] = static_cast<std::int32_t>(get(c));
        differs |= *column[c] != *column[members.front()];
      }
      if (!differs) return;
      const std::int64_t number = kFirstOwnNumber + index_of(std::move(column));
      for (const std::size_t c : members) set(c, number);
    };
    for (std::size_t index = 0; index < of_class[members.front()].list.size(); ++index) {
      for (const auto field : kNumbers) {
        share([&](std::size_t c) { return of_class[c].list[index].*field; },
              [&](std::size_t c, std::int64_t number) { of_class[c].list[index].*field = number; });
      }
      share([&](std::size_t c) { return std::int64_t{of_class[c].times[index]}; },
            [&](std::size_t c, std::int64_t n) { of_class[c].times[index] = static_cast<std::int32_t>(n); });
    }
  }
}

std::vector<CopyItem> OwnNumbers::items(const std::vector<std::int32_t>& classes, std::int32_t width) const {
  OpenNumbers all;
  all.reserve(columns_.size() * classes.size());
  for (const Column& column : columns_) {
    for (const std::int32_t c : classes) all.push_back(column[at(c)]);
  }
  return compress_numbers(all, {.width = width,
                                .period = static_cast<std::int32_t>(classes.size()),
                                .most = static_cast<std::int32_t>(kFirstOwnNumber) - 1});
}

NumberTable OwnNumbers::table(const WaferProgram& program) const {
  std::map<std::vector<std::optional<std::int32_t>>, std::int32_t> sets;
  std::vector<std::int32_t> first_class;  // of each set
  NumberTable table;
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    std::vector<std::optional<std::int32_t>> numbers;
    for (const Column& column : columns_) numbers.push_back(column[c]);
    const auto [found, added] = sets.try_emplace(std::move(numbers), static_cast<std::int32_t>(first_class.size()));
    if (added) first_class.push_back(static_cast<std::int32_t>(c));
    table.set_of.of_class.push_back(found->second);
  }
  const bool few = columns_.size() * program.class_of.size() <= kManyNumbers || first_class.size() > kMostSets;
  if (few) return {.items = items(program.class_of, program.mesh().width), .set_of = {}};
  table.sets = first_class.size();
  table.items = items(first_class, 1);
  return table;
}

}  // namespace muster::wafer
