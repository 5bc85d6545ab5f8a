// All equations that can be propagated. A new one: write its file and add it here.
#pragma once

#include "app/seismic/equation/acoustic_iso.h"
#include "app/seismic/equation/acoustic_iso_cd.h"
#include "app/seismic/equation/acoustic_tti.h"
#include "app/seismic/equation/elastic_iso.h"
#include "app/seismic/equation/elastic_tti.h"
#include "app/seismic/equation/elastic_tti_approx.h"

namespace muster::seismic {

/// Calls visit.operator()<Equation>() for each.
template <class Visit>
constexpr void for_each_equation(const Visit& visit) {
  visit.template operator()<AcousticIsoCd>();
  visit.template operator()<AcousticIso>();
  visit.template operator()<AcousticTti>();
  visit.template operator()<ElasticIso>();
  visit.template operator()<ElasticTti>();
  visit.template operator()<ElasticTtiApprox>();
}

}  // namespace muster::seismic
