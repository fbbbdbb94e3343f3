/* The machine description that measured figures come to. */
#include <math.h>

#include "api/attach/host_figures.h"

/* So many times another figure than the description's: something else was measured, too. */
static const double CREDIBLE = 8;

static double described(const struct strata_machine *host, double bytes)
{
    return host->alpha + 2 * host->overhead + bytes * host->beta +
           (bytes > host->eager ? host->rendezvous : bytes * (host->beta_eager - host->beta));
}

static bool credible(double figure, double described)
{
    return figure > described / CREDIBLE && figure < described * CREDIBLE;
}

static bool credible_messages(const struct strata_host_figures *f,
                              const struct strata_machine *host)
{
    bool all = credible(f->message, described(host, 8));

    for (int i = 0; i < STRATA_HOST_SIZES; i++) {
        all = all && credible(f->sized[i], described(host, STRATA_HOST_SHORT << i));
    }
    return all;
}

/* From what size on messages wait for their receives shows in a step of their times, which the
 * two long ones lie above. */
static void fit_messages(const struct strata_host_figures *f, struct strata_machine *host)
{
    const int long_one = 4, longest = STRATA_HOST_SIZES - 1; /* 16 and 64 KiB */
    double apart = (double)((STRATA_HOST_SHORT << longest) - (STRATA_HOST_SHORT << long_one));
    double beta = fmax(f->sized[longest] - f->sized[long_one], 0) / apart;
    double step = f->sized[long_one] - f->message - (STRATA_HOST_SHORT << long_one) * beta;
    int ahead = 0;

    host->beta = host->beta_node = beta;
    host->alpha = host->alpha_node = fmax(f->message - 2 * host->overhead, 0);
    while (ahead < long_one &&
           f->sized[ahead] < f->message + (STRATA_HOST_SHORT << ahead) * beta + step / 2) {
        ahead++;
    }
    host->rendezvous = fmax(step, 0);
    host->eager = step > 0 ? STRATA_HOST_SHORT << ahead >> 1 : 0;
    host->beta_eager =
        ahead > 0 ? fmax(f->sized[ahead - 1] - f->message, 0) / (STRATA_HOST_SHORT << (ahead - 1))
                  : 0;
}

static bool credible_memory(const struct strata_host_figures *f, const struct strata_machine *host)
{
    return credible(f->signal, host->signal) && credible(f->copy, host->copy) &&
           credible(f->combine, host->reduce);
}

static void fit_memory(const struct strata_host_figures *f, struct strata_machine *host)
{
    host->signal = f->signal;
    host->copy = f->copy;
    host->reduce = f->combine;
    host->reduce_near = fmin(f->combine_near, f->combine);
    if (credible(f->fetch, host->fetch)) {
        host->fetch = f->fetch;
    }
}

bool strata_host_machine(const struct strata_host_figures *figures, struct strata_machine *host)
{
    *host = *strata_machine_host();
    bool messages = credible_messages(figures, host), memory = credible_memory(figures, host);

    if (messages) {
        fit_messages(figures, host);
    }
    if (memory) {
        fit_memory(figures, host);
    }
    return messages || memory;
}
