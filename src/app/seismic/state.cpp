#include "app/seismic/state.h"

namespace muster::seismic {
namespace {

template <class Real>
Real* first_cell(Volume<Real>& volume) {
  return volume.data() == nullptr ? nullptr : volume.data() + volume.layout().offset(0, 0, 0);
}

template <class Real>
void show_layers(AxisView<Real>& along, const Layers<Real>& layers, Axis axis) {
  along.layer_low = layers.cpml[axis].low;
  along.layer_high = layers.cpml[axis].high;
  for (const std::size_t half : {0U, 1U}) {
    along.a[half] = layers.profiles[axis].a[half].data();
    along.b[half] = layers.profiles[axis].b[half].data();
    along.cross[half] = layers.profiles[axis].cross[half].data();
    along.damping[half] = layers.profiles[axis].damping[half].data();
  }
}

}  // namespace

template <class Real>
View<Real> State<Real>::view() {
  View<Real> view{
      .radius = radius, .has_damping = layers.has_damping, .is_multiaxial = layers.is_multiaxial, .axes = weights};
  for (const Axis axis : kAxes) {
    view.axes[axis].extent = layout.extent()[axis];
    view.axes[axis].stride = layout.stride(axis);
    view.axes[axis].slab = slabs[axis];
    show_layers(view.axes[axis], layers, axis);
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    view.fields[i] = first_cell(fields[i]);
    view.before[i] = first_cell(before[i]);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) view.parameters[i] = first_cell(parameters[i]);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    view.psi[i] = memory[i].psi.data();
    view.zeta[i] = memory[i].zeta.data();
  }
  return view;
}

template struct State<float>;
template struct State<double>;

}  // namespace muster::seismic
