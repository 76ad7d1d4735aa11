#pragma once

#include "models/domain/clock.h"

#include <functional>

namespace daybook {

/// After this a local store that failed is tried again.
inline constexpr Milliseconds storeWait = std::chrono::seconds(60);

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
