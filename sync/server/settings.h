#pragma once

#include "sync/server/options.h"

#include <vector>

namespace daybook {

/// An option that the command line, the environment and the configuration file know under one name.
struct Setting
{
    const char *name;
    const char *valueName; ///< null for a switch
    const char *description;
    Result<void> (*set)(ServerOptions &options, const QString &value);
};

const std::vector<Setting> &settings();
/// Null when there is none of that name.
const Setting *findSetting(const QString &name);

/// A mistake of the operator's.
inline Error usageError(const QString &detail) { return {ErrorKind::InvalidArgument, detail}; }

} // namespace daybook
