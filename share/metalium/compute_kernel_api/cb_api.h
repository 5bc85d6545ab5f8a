#pragma once

#include "stand_in/compute.h"
