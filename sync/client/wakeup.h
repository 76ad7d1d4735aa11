#pragma once

#include "models/domain/clock.h"

#include <functional>

namespace daybook {

/// Seam: one pending call-back after a time. Setting it again replaces what was pending.
/// **Thread:** the one that made it.
class Wakeup
{
public:
    virtual ~Wakeup() = default;
    virtual void onWake(std::function<void()> handler) = 0;
    virtual void schedule(Milliseconds delay) = 0;
    virtual void cancel() = 0;
};

} // namespace daybook
