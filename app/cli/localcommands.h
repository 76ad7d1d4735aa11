#pragma once

#include "app/cli/arguments.h"

namespace daybook {

class Clock;
class DataFolder;
class Random;

/// The commands that need no network: add, edit, delete, list, show, status, verify, metrics.
ExitCode runLocalCommand(const Arguments &arguments, const DataFolder &folder, Clock &clock, Random &random);

} // namespace daybook
