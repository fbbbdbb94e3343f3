/* What it costs to send to several neighbours at once. Rank 0 sends a message to each of l
 * neighbours, and each answers with an empty one when it has its message. The time of an empty
 * message, half of a round trip of two, is taken off. Least squares find alpha, beta and tau in
 * (alpha + n beta) (1 + (l-1) tau), the cost of n bytes to each of l neighbours by Chan, van de
 * Geijn, Gropp, Thakur, PPoPP 2006, 5.1.1. Prints a table of times and one of fits, as CSV. */
#include <math.h>

#include "bench/measure.h"

enum { MOST = 6, LENGTHS = 32, LONGEST = 1 << 26, BATCHES = 15 };

static const char help[] =
    "usage: mpirun -n RANKS neighbours [OPTION]...\n\n"
    "Times messages from rank 0 to 1, 2, .. neighbours at once, and fits alpha, beta and tau:\n"
    "for lengths up to 512 bytes, up to 32 KiB, and above.\n\n"
    "  --to RANKS     the neighbours, ascending, at most 6 (1,2,3,4,5,6)\n"
    "  --bytes LIST   lengths of a message, ascending, at most 32 (8 B to 1 MiB)\n"
    "  --seconds S    least length of a batch; the median of 15 batches counts (0.002)\n";

struct sample {
    int bytes, neighbours;
    double us, least;
};

struct fit {
    double alpha, beta, tau, error;
};

static int rank, ranks;
static int to[MOST] = {1, 2, 3, 4, 5, 6}, neighbours;
static int bytes[LENGTHS] = {8, 64, 512, 1024, 4096, 32768, 65536, 262144, 1048576}, lengths = 9;
static double seconds = 0.002;
static MPI_Request *request;
static MPI_Status *status;
static char *data;

static void answer(const struct sample *s)
{
    for (int i = 0; i < s->neighbours; i++) {
        if (rank == to[i]) {
            MPI_Recv(data, s->bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(data, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
}

static void ask(const struct sample *s)
{
    MPI_Request *next = request;
    for (int i = 0; i < s->neighbours; i++) {
        MPI_Irecv(NULL, 0, MPI_BYTE, to[i], 0, MPI_COMM_WORLD, next++);
    }
    for (int i = 0; i < s->neighbours; i++) {
        MPI_Isend(data, s->bytes, MPI_BYTE, to[i], 0, MPI_COMM_WORLD, next++);
    }
    MPI_Waitall(2 * s->neighbours, request, status);
}

static void exchange(const void *argument)
{
    rank == 0 ? ask(argument) : answer(argument);
}

static void measure(struct sample *s)
{
    const int calls = measure_calls_for(exchange, s, seconds);
    double times[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
        times[i] = measure_batch(exchange, s, calls) * 1e6;
    }
    s->us = measure_median(times, BATCHES); /* which sorts */
    s->least = times[0];
}

/* Alpha and beta that fit best for this tau. Each time counts by its relative error. */
static void fit_line(struct fit *f, const struct sample *s, int count)
{
    double aa = 0, ab = 0, bb = 0, a = 0, b = 0;
    for (int i = 0; i < count; i++) {
        const double start = (1 + (s[i].neighbours - 1) * f->tau) / s[i].us;
        const double length = start * s[i].bytes;
        aa += start * start;
        ab += start * length;
        bb += length * length;
        a += start;
        b += length;
    }
    f->alpha = (a * bb - b * ab) / (aa * bb - ab * ab);
    f->beta = (aa * b - ab * a) / (aa * bb - ab * ab);
}

/* The tau that fits best for these alpha and beta. */
static void fit_tau(struct fit *f, const struct sample *s, int count)
{
    double product = 0, square = 0, errors = 0;
    for (int i = 0; i < count; i++) {
        const double one = (f->alpha + f->beta * s[i].bytes) / s[i].us;
        const double more = (s[i].neighbours - 1) * one;
        errors += pow(one + more * f->tau - 1, 2);
        product += more * (1 - one);
        square += more * more;
    }
    f->tau = square > 0 ? product / square : 0;
    f->error = sqrt(errors / count);
}

static void print_fit(const struct sample *s, int count)
{
    struct fit f = {.tau = 0};
    for (int i = 0; i < count; i++) {
        if (s[i].us <= 0) {
            fputs("neighbours: the machine was too busy for a fit\n", stderr);
            return;
        }
    }
    for (int turn = 0; turn < 1000; turn++) {
        fit_line(&f, s, count);
        fit_tau(&f, s, count);
    }
    printf("%d,%d,%.4g,%.4g,%.4f,%.1f\n", s->bytes, s[count - 1].bytes, f.alpha, f.beta * 1e3,
           f.tau, 100 * f.error);
}

static void print(const struct sample *s, int count)
{
    printf("bytes,neighbours,us,us_least\n");
    for (int i = 0; i < count; i++) {
        printf("%d,%d,%.3f,%.3f\n", s[i].bytes, s[i].neighbours, s[i].us, s[i].least);
    }
    printf("\nfrom,to,alpha_us,beta_ns,tau,error_percent\n");
    for (int first = 0, last = 0; first < count; first = last) {
        const int most = s[first].bytes <= 512 ? 512 : s[first].bytes <= 32768 ? 32768 : LONGEST;
        while (last < count && s[last].bytes <= most) {
            last++;
        }
        if (s[first].bytes < s[last - 1].bytes) {
            print_fit(&s[first], last - first);
        }
    }
}

/* Measures every length with 1, 2, .. neighbours. */
static void run(void)
{
    const int count = lengths * neighbours;
    struct sample *s = measure_need((size_t)count * sizeof *s), empty = {.neighbours = 1};
    double least = 0;
    request = measure_need(2 * MOST * sizeof *request);
    status = measure_need(2 * MOST * sizeof *status);
    data = measure_need((size_t)bytes[lengths - 1]);
    for (int i = 0; i < count; i++) {
        s[i] = (struct sample){bytes[i / neighbours], i % neighbours + 1, 0, 0};
        measure(&empty); /* each time anew, because other programs may disturb one */
        measure(&s[i]);
        least = i == 0 || empty.least < least ? empty.least : least;
    }
    for (int i = 0; i < count; i++) {
        s[i].us -= least / 2;
        s[i].least -= least / 2;
    }
    if (rank == 0) {
        print(s, count);
    }
    free(s);
    free(request);
    free(status);
    free(data);
}

/* Reads whole numbers from 1 to `most`, ascending, with commas between. Returns how many; 0: the
 * text is wrong. */
static int read_list(const char *text, int most, int *list, int room)
{
    char *end = NULL;
    for (int count = 0, least = 1; count < room; count++, text = end + 1) {
        const long number = strtol(text, &end, 10);
        if (end == text || number < least || number > most || (*end && *end != ',')) {
            return 0;
        }
        list[count] = (int)number;
        least = (int)number + 1;
        if (!*end) {
            return count + 1;
        }
    }
    return 0;
}

static bool take(const char *option, const char *value)
{
    char *end;
    if (strcmp(option, "--to") == 0) {
        return (neighbours = read_list(value, ranks - 1, to, MOST)) > 0;
    }
    if (strcmp(option, "--bytes") == 0) {
        return (lengths = read_list(value, LONGEST, bytes, LENGTHS)) > 0;
    }
    seconds = strtod(value, &end);
    return strcmp(option, "--seconds") == 0 && end != value && !*end && seconds >= 0;
}

int main(int argc, char **argv)
{
    const bool asks = argc == 2 && strcmp(argv[1], "--help") == 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    neighbours = ranks - 1 < MOST ? ranks - 1 : MOST;
    bool right = asks || ranks > 1;
    for (int i = 1; !asks && right && i < argc; i += 2) {
        right = take(argv[i], i + 1 < argc ? argv[i + 1] : "");
    }
    if (right && !asks) {
        run();
    } else if (rank == 0) {
        fputs(help, right ? stdout : stderr);
    }
    MPI_Finalize();
    return right ? 0 : 2;
}
