// The flags of a cluster's options: jitter, slow NPUs, slow and missing links, order of arrival.
#pragma once

#include "base/flag_texts.h"
#include "machine/cluster.h"

namespace muster {

/// What the flags ask for; nothing if none of them was given. Throws InputError.
Options cluster_options(const Machine& machine, const FlagTexts& flags);

}  // namespace muster
