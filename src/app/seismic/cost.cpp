#include "app/seismic/cost.h"

#include <algorithm>
#include <set>
#include <vector>

#include "app/seismic/equation/equations.h"
#include "app/seismic/propagators.h"

namespace muster::seismic {
namespace {

/// A staggered difference: so many differences, a product, and fused products for the others.
double first_operations(int radius) { return radius + 1 + 2 * (radius - 1); }
double second_operations(int radius) { return 1 + 3 * radius; }
/// memory <- b memory + a value, and adding it.
constexpr double kRecall = 4;
/// b and a of a multiaxial layer: two products and a difference.
constexpr double kMultiaxial = 3;

/// What a phase computes and which arrays it touches.
struct PhaseCost {
  double operations = 0;
  std::set<int> read;  ///< fields
  std::set<int> parameters;
  std::set<std::vector<int>> products;  ///< sums of fields times parameters that have been counted
};

/// Appends what tells a term from others: the order of its parameters does not.
template <int FieldIndex, int... Parameters>
void read_term(PhaseCost& cost, std::vector<int>& sum, Term<FieldIndex, Parameters...> /*term*/) {
  cost.read.insert(FieldIndex);
  (cost.parameters.insert(Parameters), ...);
  std::vector<int> parameters{Parameters...};
  std::ranges::sort(parameters);
  sum.push_back(FieldIndex);
  sum.insert(sum.end(), parameters.begin(), parameters.end());
  sum.push_back(kOne);
}

template <int FieldIndex, int... Parameters>
constexpr std::size_t products_of(Term<FieldIndex, Parameters...> /*term*/) {
  return sizeof...(Parameters);
}

template <class... Terms>
void count_terms(PhaseCost& cost, List<Terms...> /*terms*/) {
  std::vector<int> sum;
  (read_term(cost, sum, Terms{}), ...);
  if (!cost.products.insert(sum).second) return;
  cost.operations += static_cast<double>((0 + ... + products_of(Terms{})) + sizeof...(Terms) - 1);
}

template <class Equation, class Update, class Item>
void count_item(PhaseCost& cost, int radius) {
  constexpr Difference kDifference = difference_of<Equation, Update, Item>();
  if constexpr (kDifference == Difference::mean) {
    cost.read.insert(Item::kField);
    int pairs = 1;
    for (const Axis axis : kAxes) {
      const bool is_half = location_of<Equation, Item::kField>().is_half(axis);
      if (is_half != where_of<Equation, Update>().is_half(axis)) pairs *= 2;
    }
    cost.operations += 2 * (pairs - 1);
  } else {
    count_terms(cost, typename Item::Terms{});
    cost.operations += kDifference == Difference::second ? second_operations(radius) : first_operations(radius);
  }
}

template <class Equation, class Update>
void count_update(PhaseCost& cost, int radius) {
  for_each_item<Update, 0>([&]<class Item, std::size_t>() { count_item<Equation, Update, Item>(cost, radius); });
  cost.operations += static_cast<double>(kItems<Update> - Update::Rates::kCount);
  for (const Coupling& coupling : Update::kCouplings) {
    cost.operations += coupling.parameter == kOne ? 1 : 2;
    if (coupling.parameter != kOne) cost.parameters.insert(coupling.parameter);
  }
  for (const int output : Update::kOutputs) {
    const int order = Equation::kFields[static_cast<std::size_t>(output)].time_order;
    if (order > 0) cost.read.insert(output);
    if (order == 2) cost.operations += 3;  // 2 now - before
  }
}

template <class Equation>
Cost count(int order, std::size_t bytes_of_real) {
  const Description description = describe<Equation>();
  Cost sum;
  for (std::size_t i = 0; i < Equation::Phases::kCount; ++i) {
    PhaseCost cost;
    for_phase(i, typename Equation::Phases{}, [&]<class Phase, std::size_t Slot>() {
      for_each_update<Slot>(Phase{},
                            [&]<class Update, std::size_t>() { count_update<Equation, Update>(cost, order / 2); });
    });
    std::size_t arrays = cost.read.size() + cost.parameters.size();
    for (const int output : description.phases[i].writes) {
      const bool has_before = description.fields[static_cast<std::size_t>(output)].time_order == 2;
      arrays += has_before ? 2 : 1;  // `before` is read, and written over
    }
    sum.operations += cost.operations;
    sum.bytes += static_cast<double>(arrays * bytes_of_real);
  }
  return sum;
}

}  // namespace

Cost cost_of(std::string_view propagator, int order, std::size_t bytes_of_real) {
  (void)describe_propagator(propagator);
  Cost cost;
  for_each_equation([&]<class Equation>() {
    if (Equation::kName == propagator) cost = count<Equation>(order, bytes_of_real);
  });
  return cost;
}

Cost cost_with_layers(std::string_view propagator, const GridOptions& grid, std::size_t bytes_of_real) {
  const Description equation = describe_propagator(propagator);
  Cost cost = cost_of(propagator, grid.order, bytes_of_real);
  LayerOptions layers = grid.layers;
  layers.reach = equation.has_second() ? grid.order / 2 : 0;
  const PerAxis<Thickness> thickness = thickness_of(grid.sides, layers);
  PerAxis<double> share;
  double outside = 1;
  for (const Axis axis : kAxes) {
    const auto cells = static_cast<double>(thickness[axis].low + thickness[axis].high);
    share[axis] = cells / static_cast<double>(grid.extent[axis]);
    outside *= 1 - share[axis];
  }
  const bool is_multiaxial = layers.ratio > 0;
  for (const ItemDescription& item : equation.items) {
    if (item.difference == Difference::mean) continue;
    const bool is_second = item.difference == Difference::second;
    const double cells = is_multiaxial ? 1 - outside : share[item.axis];
    // psi is read and written; a second derivative has zeta besides, and a difference more on the way to psi and one behind it.
    cost.bytes += cells * static_cast<double>((is_second ? 4 : 2) * bytes_of_real);
    cost.operations += cells * (kRecall + (is_multiaxial ? kMultiaxial : 0));
    if (is_second) cost.operations += cells * (kRecall + 2 * first_operations(grid.order / 2));
  }
  return cost;
}

}  // namespace muster::seismic
