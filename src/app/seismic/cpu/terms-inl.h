// What derivatives are taken of: sums of fields, or of fields times parameters. Included once per instruction set (Highway's
// foreach_target), so it has no include guard; the order of sums and products is that of cell.h.

#include <hwy/highway.h>

#include <cstdint>

#include "app/seismic/equation/equation.h"
#include "app/seismic/view.h"

HWY_BEFORE_NAMESPACE();
namespace muster::seismic::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
using VectorOf = hn::Vec<hn::ScalableTag<Real>>;

template <class Real, int FieldIndex, int... Parameters>
[[nodiscard]] HWY_INLINE VectorOf<Real> product_of(const View<Real>& view, std::int64_t offset,
                                                   Term<FieldIndex, Parameters...> /*term*/) {
  const hn::ScalableTag<Real> tag;
  VectorOf<Real> product = hn::LoadU(tag, view.fields[FieldIndex] + offset);
  ((product = hn::Mul(product, hn::LoadU(tag, view.parameters[Parameters] + offset))), ...);
  return product;
}

/// The last product is fused into the sum.
template <class Real, int FieldIndex, int Last, int... Parameters>
[[nodiscard]] HWY_INLINE VectorOf<Real> add_product(const View<Real>& view, VectorOf<Real> sum, std::int64_t offset,
                                                    Term<FieldIndex, Last, Parameters...> /*term*/) {
  const VectorOf<Real> product = product_of(view, offset, Term<FieldIndex, Parameters...>{});
  return hn::MulAdd(product, hn::LoadU(hn::ScalableTag<Real>(), view.parameters[Last] + offset), sum);
}

template <class Real, int FieldIndex>
[[nodiscard]] HWY_INLINE VectorOf<Real> add_product(const View<Real>& view, VectorOf<Real> sum, std::int64_t offset,
                                                    Term<FieldIndex> /*term*/) {
  return hn::Add(sum, hn::LoadU(hn::ScalableTag<Real>(), view.fields[FieldIndex] + offset));
}

/// The sum of terms in the cells from an offset on.
template <class Real, class First, class... Rest>
[[nodiscard]] HWY_INLINE VectorOf<Real> sum_of(const View<Real>& view, std::int64_t offset,
                                               List<First, Rest...> /*terms*/) {
  VectorOf<Real> sum = product_of(view, offset, First{});
  ((sum = add_product(view, sum, offset, Rest{})), ...);
  return sum;
}

}  // namespace muster::seismic::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
