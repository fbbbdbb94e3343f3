/* A clock that is wrong, as another host's may be: CLOCK_REALTIME is ahead by CLOCK_AHEAD seconds,
 * and runs too fast by CLOCK_FAST seconds in each. Preloaded. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BILLION = 1000000000 };

static double setting(const char *name)
{
    const char *text = getenv(name);
    return text ? atof(text) : 0;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
__attribute__((visibility("default"))) int clock_gettime(clockid_t clock, struct timespec *time)
{
    const long error = syscall(SYS_clock_gettime, clock, time);
    if (error == 0 && clock == CLOCK_REALTIME) {
        struct timespec up;
        syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &up);
        const double wrong = setting("CLOCK_AHEAD") + setting("CLOCK_FAST") * (double)up.tv_sec +
                             setting("CLOCK_FAST") * (double)up.tv_nsec / BILLION;
        const int64_t now =
            (int64_t)time->tv_sec * BILLION + time->tv_nsec + (int64_t)(wrong * BILLION);
        time->tv_sec = now / BILLION;
        time->tv_nsec = now % BILLION;
    }
    return (int)error;
}
