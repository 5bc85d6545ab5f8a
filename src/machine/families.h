// All families at once, for tests and for code that compares them.
#pragma once

#include "machine/cluster.h"
#include "machine/hyperx.h"
#include "machine/mesh.h"
#include "machine/torus.h"
