#include "backend/wafer/csl/own_numbers.h"

#include <array>
#include <functional>

#include "base/index.h"
#include "machine/mesh.h"

namespace muster::wafer {

namespace {

constexpr std::array kNumbers{&CslOperation::own_first, &CslOperation::store_first, &CslOperation::sent_first,
                              &CslOperation::length, &CslOperation::sent_length};

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

std::vector<CopyItem> OwnNumbers::items(const WaferProgram& program) const {
  OpenNumbers all;
  all.reserve(columns_.size() * program.class_of.size());
  for (const Column& column : columns_) {
    for (const std::int32_t c : program.class_of) all.push_back(column[at(c)]);
  }
  return compress_numbers(all, {.width = program.mesh().width,
                                .period = static_cast<std::int32_t>(program.class_of.size()),
                                .most = static_cast<std::int32_t>(kFirstOwnNumber) - 1});
}

}  // namespace muster::wafer
