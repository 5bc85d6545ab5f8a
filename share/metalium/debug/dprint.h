#pragma once

#include "stand_in/kernel.h"
