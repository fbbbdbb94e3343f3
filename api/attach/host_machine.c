/* The machine descriptions that are made of measured figures. */
#include <float.h>
#include <math.h>

#include "api/attach/measured_host.h"
#include "api/attach/message_pair.h"
#include "core/engine/node_memory.h"

/* A figure that differs from the description's by a larger factor is not credible: something
 * disturbed the measurement. Where only the figures of memory are taken, the factor is smaller, for
 * they stand beside the description's messages. */
static const double CREDIBLE = 8, CREDIBLE_ALONE = 3;

/* Messages between nodes take from a tenth of a microsecond, and those of 64 KiB up to ten seconds;
 * a byte takes at least as long as at 4 Tbit/s. All else is not credible. */
static const double LEAST_MESSAGE = 1e-7, MOST_MESSAGE = 10, LEAST_BYTE = 2e-12;

static double described(const struct strata_machine *host, double bytes)
{
    return host->alpha + 2 * host->overhead + bytes * host->beta +
           (bytes > host->eager ? host->rendezvous : bytes * (host->beta_eager - host->beta));
}

static bool within(double times, double parameter, double described)
{
    return parameter > described / times && parameter < described * times;
}

/* The time of one byte of a long message, from the times of two lengths. Where a disturbance made
 * the shorter one slower, both times are almost equal, and a byte seems to cost nothing: then a
 * plan of long messages was chosen that ran at a third of MPI's speed. So a byte takes at least the
 * least time, and at most as long as in a message whose start is free. */
static double message_byte(const struct strata_message_times *f, double least)
{
    const int long_one = STRATA_HOST_LONG, longest = STRATA_HOST_SIZES - 1;
    const int bytes = STRATA_HOST_SHORT << longest;
    double slope =
        (f->sized[longest] - f->sized[long_one]) / (bytes - (STRATA_HOST_SHORT << long_one));
    double whole = fmax(f->sized[longest] - f->message, 0) / bytes;
    return fmin(fmax(slope, least), whole);
}

/* A disturbance of the longest message alone can make a byte less credible than the message. */
static bool credible_messages(const struct strata_host_parameters *f,
                              const struct strata_machine *host)
{
    const struct strata_message_times *m = &f->messages;
    bool all = within(CREDIBLE, m->message, described(host, 8)) &&
               message_byte(m, 0) < CREDIBLE * host->beta;
    for (int i = 0; i < STRATA_HOST_SIZES; i++) {
        all = all && within(CREDIBLE, m->sized[i], described(host, STRATA_HOST_SHORT << i));
    }
    return all;
}

/* Above some length messages wait for their receives. That shows as a step in their times, and the
 * two long messages lie above it. */
static void fit_messages(const struct strata_message_times *f, double least,
                         struct strata_machine *machine)
{
    const int long_one = STRATA_HOST_LONG;
    const double beta = message_byte(f, least);
    double step = f->sized[long_one] - f->message - (STRATA_HOST_SHORT << long_one) * beta;
    int ahead = 0;
    machine->beta = beta;
    machine->alpha = fmax(f->message - 2 * machine->overhead, 0);
    while (ahead < long_one &&
           f->sized[ahead] < f->message + (STRATA_HOST_SHORT << ahead) * beta + step / 2) {
        ahead++;
    }
    machine->rendezvous = fmax(step, 0);
    machine->eager = step > 0 ? STRATA_HOST_SHORT << ahead >> 1 : 0;
    machine->beta_eager =
        ahead > 0 ? fmax(f->sized[ahead - 1] - f->message, 0) / (STRATA_HOST_SHORT << (ahead - 1))
                  : 0;
}

static bool credible_memory(const struct strata_host_parameters *f,
                            const struct strata_machine *host, double times)
{
    return within(times, f->signal, host->signal) && within(times, f->copy, host->copy) &&
           within(times, f->combine, host->reduce);
}

/* Where single copies are not allowed, the description's own figures stay. */
static void fit_fetch(const struct strata_host_parameters *f, struct strata_machine *host)
{
    const int longest = STRATA_HOST_SHORT << (STRATA_HOST_SIZES - 1);
    double byte = (f->read - f->fetch) / longest;
    if (within(CREDIBLE, f->fetch, host->fetch)) {
        host->fetch = f->fetch;
        host->beta_fetch = within(CREDIBLE, byte, host->copy) ? byte : 0;
    }
}

/* The time of a line is below the resolution of clocks, so it is held between bounds. */
static double between(double least, double value, double most)
{
    return fmax(fmin(value, most), fmin(least, most));
}

static void fit_short(const struct strata_host_parameters *f, struct strata_machine *host)
{
    double bytes = 2.0 * (STRATA_SHORT_COPY - STRATA_CACHE_LINE);
    host->line = between(f->signal / 8, f->line - f->signal, f->signal);
    host->copy_short = between(host->beta_mapped, (f->block - f->line) / bytes, host->copy);
}

/* Two cores of a virtual machine may be threads of one core for a moment; then slots seem cheaper
 * than they will be. A copy through a slot is two copies, so it takes no less than the kernel's
 * single one. */
static void fit_memory(const struct strata_host_parameters *f, struct strata_machine *host)
{
    host->signal = f->signal;
    host->copy = fmax(f->copy, host->beta_fetch);
    host->beta_mapped = fmin(f->mapped, host->copy);
    fit_short(f, host);
    host->reduce = f->combine;
    host->reduce_near = fmin(f->combine_near, f->combine);
}

bool strata_host_machine(const struct strata_host_parameters *parameters,
                         struct strata_machine *host)
{
    *host = *strata_machine_host();
    bool messages = credible_messages(parameters, host);

    if (!credible_memory(parameters, host, messages ? CREDIBLE : CREDIBLE_ALONE)) {
        return false;
    }
    fit_fetch(parameters, host);
    if (messages) { /* a byte takes at least as long as in the kernel's single copy */
        fit_messages(&parameters->messages, fmax(host->beta_fetch, host->beta / CREDIBLE), host);
        host->alpha_node = host->alpha;
        host->beta_node = host->beta;
    }
    fit_memory(parameters, host);
    return true;
}

/* Where time ran out before the longest messages, each takes as much longer as the bytes behind the
 * last two lengths say. */
static struct strata_message_times complete(const struct strata_message_times *times)
{
    struct strata_message_times all = *times;
    for (int i = 1; i < STRATA_HOST_SIZES; i++) {
        const double last = all.sized[i - 1];
        const double more = i > 1 ? 2 * (last - all.sized[i - 2]) : last - all.message;
        all.sized[i] = all.sized[i] < DBL_MAX ? all.sized[i] : last + more;
    }
    return all;
}

bool strata_network_credible(const struct strata_message_times *times)
{
    const struct strata_message_times all = complete(times);
    const double longest = all.sized[STRATA_HOST_SIZES - 1];
    return all.message > LEAST_MESSAGE && longest < MOST_MESSAGE &&
           longest - all.message > LEAST_BYTE * STRATA_MESSAGE_PAIR_LONG;
}

bool strata_network_machine(const struct strata_message_times *times, bool doubtful,
                            struct strata_machine *machine)
{
    const struct strata_message_times all = complete(times);
    const double longest = all.sized[STRATA_HOST_SIZES - 1];
    if (doubtful && within(CREDIBLE, longest, described(machine, STRATA_MESSAGE_PAIR_LONG))) {
        return false;
    }
    machine->overhead = fmin(machine->overhead, all.message / 2);
    fit_messages(&all, LEAST_BYTE, machine);
    return true;
}
