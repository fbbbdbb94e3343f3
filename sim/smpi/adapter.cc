// The adapter that the ranks of a simulated node share. Messages leave it one after another, each
// STRATA_ADAPTER seconds behind the one before. Their bytes share the node's link as before.
//
// SimGrid has no such resource and no interface in C for it. So this file asks the network's model
// for the latency of each message, and adds the time for which the message waits at its sender's
// adapter. Each rank loads a copy of the program, and the first copy takes the variable away.
#if __has_include(<simgrid/kernel/resource/NetworkModelIntf.hpp>) // SimGrid 3.32
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#define ASKS(zone, factor) (zone)->get_network_model()->set_lat_factor_cb(factor)
#else
#define ASKS(zone, factor) (zone)->set_latency_factor_cb(factor)
#endif
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>

namespace s4u = simgrid::s4u;

static double gap;
static std::unordered_map<const s4u::Host *, double> ready; // when each adapter takes a message

static double factor(double, const s4u::Host *from, const s4u::Host *to,
                     const std::vector<s4u::Link *> &links,
                     const std::unordered_set<s4u::NetZone *> &)
{
    double latency = 0, now = s4u::Engine::get_clock();
    for (const s4u::Link *link : links) {
        latency += link->get_latency();
    }
    if (from == to) {
        return 1;
    }
    if (latency <= 0) {
        std::fprintf(stderr, "strata: a shared adapter needs links with a latency\n");
        std::abort();
    }
    double start = std::max(now, ready[from]);
    ready[from] = start + gap;
    return 1 + (start - now) / latency;
}

__attribute__((constructor)) static void attach_adapter()
{
    const char *seconds = std::getenv("STRATA_ADAPTER");
    if (seconds && s4u::Engine::is_initialized()) {
        gap = std::strtod(seconds, nullptr);
        ASKS(s4u::Engine::get_instance()->get_netzone_root(), factor);
        unsetenv("STRATA_ADAPTER");
    }
}
