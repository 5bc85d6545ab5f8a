#pragma once

#include "stand_in/host.h"
