/* The FFT application, NAS FT and transforms of any size: what its files share. The order of a run
 * stands in main.c, the transform itself in transform.h. */
#ifndef STRATA_APPS_FFT_FT_H
#define STRATA_APPS_FFT_FT_H

#include "apps/common/app.h"
#include "apps/fft/transform.h"

#define FT_REPEATS   1000
#define FT_TOLERANCE 1e-12 /* of checksums and of round trips, relative */

/* Problem sizes: z, y, x. */
struct ft_class {
    char name;
    int n[3], iterations;
    const double (*checksums)[2]; /* [iterations] real and imaginary */
};

extern const double ft_checksums_S[6][2], ft_checksums_W[6][2], ft_checksums_A[6][2],
    ft_checksums_B[20][2], ft_checksums_C[20][2], ft_checksums_D[25][2];
const struct ft_class *ft_class_find(const char *name); /* NULL: no such class */

struct ft_options {
    const struct ft_class *class;   /* NULL: a round trip */
    int n[3];                       /* of the class, or of --size */
    int grid[2];                    /* 0: chosen */
    unsigned libraries, transposes; /* bits: 1 << enum fft_library, 1 << enum fft_transpose */
    enum fft_calls calls;
    bool every;          /* all libraries that can */
    bool measure;        /* let FFTW measure its plans */
    bool mapped;         /* fields lie in memory of strata_alloc */
    int repeat, threads; /* threads 0: chosen for the host */
    const char *json;    /* NULL: none */
    bool help;
};

extern const char *const ft_calls_name[FFT_CALLS];
/* Returns false with a sentence in message. */
bool ft_options_parse(struct ft_options *options, char **words, char *message, size_t size);
void ft_options_help(FILE *file);

/* The ways to exchange that are compared; and the whole transform by FFTW, a way of its own. */
enum { FT_VARIANTS = 5, FT_REFERENCE = FT_VARIANTS, FT_WAYS };
struct ft_variant {
    enum fft_library library;
    enum fft_transpose transpose;
    const char *name, *how;
};
extern const struct ft_variant ft_variants[FT_WAYS];

/* Seconds of one iteration: those of the transform, and all. */
enum { FT_TOTAL = FFT_PARTS, FT_PARTS };

/* What the runs with one variant showed; equal on all ranks but for the times, which rank 0 has. */
struct ft_result {
    int runs, checks, passed;
    double error; /* the largest that was seen in a check, relative */
    /* of each run, summed over iterations: the total of the slowest rank, means of the others */
    double seconds[FT_REPEATS][FT_PARTS];
};

/* A run. */
struct ft {
    const struct ft_options *options;
    const struct app_host *host;
    MPI_Comm comm;
    int rank, ranks;
    int grid[2];
    struct fft *fft;
    const char *lacks;        /* why FFTW's transposition is left out; NULL: it is not */
    unsigned variants;        /* bits: those that run */
    double complex *field;    /* what is transformed */
    double complex *spectrum; /* NAS FT: of the first field */
    double *decay;            /* NAS FT: factors of the spectrum for one time, each axis */
    struct ft_reference *reference;
    bool progress;               /* a line for each iteration */
    double checksum[2];          /* NAS FT: of this iteration */
    double wave_error;           /* round trip: the largest of ft_wave_error */
    double reference_error;      /* round trip: the largest of ft_reference_error */
    struct ft_result *result;    /* [FT_WAYS] */
    struct app_used row, column; /* what Strata's last exchanges were done by */
};

/* setup.c: memory and plans. Collective. message says what went wrong. */
double ft_bytes(const struct ft_options *options, const int grid[2]); /* of one rank */
bool ft_create(struct ft *ft, char *message, size_t size); /* of options, host and grid */
void ft_destroy(struct ft *ft);                            /* also what failed to be created */
bool ft_runs(const struct ft *ft, int way);                /* whether it takes part */

/* run.c: timing. Collective. */
typedef void ft_action(struct ft *ft, int iteration);
/* The variants in the order of this iteration: each goes first in its turn. Returns how many. */
int ft_order(const struct ft *ft, int iteration, int order[FT_VARIANTS]);
/* Runs a variant's action and adds its times to those of the current run; seconds are this
 * time's. */
void ft_timed(struct ft *ft, int variant, ft_action *action, int iteration,
              double seconds[FT_PARTS]);
void ft_add_times(struct ft *ft, int way, double mine[FT_PARTS]);
/* Counts a check of a variant's result: the same on all ranks. A NaN fails. */
void ft_check(struct ft *ft, int way, double error);
void ft_done(struct ft *ft);    /* the current run of all ways is over */
void ft_forward(struct ft *ft); /* these end the program if the exchange fails */
void ft_inverse(struct ft *ft);

/* nas.c and field.c: NAS FT. */
void ft_nas(struct ft *ft);
void ft_field_random(struct ft *ft);           /* the benchmark's first field */
void ft_field_evolve(struct ft *ft, int time); /* spectrum -> field, after that time */
void ft_field_checksum(struct ft *ft, double sum[2]);

/* roundtrip.c: random data there and back. */
void ft_roundtrip(struct ft *ft);
/* noise.c: data that are a function of the place in the field. */
double complex ft_noise_at(const int n[3], int z, int y, int x);
void ft_noise_fill(const int n[3], const struct fft_box *box, double complex *data, int threads);
/* The largest difference of the field, divided by its number of elements, to that: of all ranks. */
double ft_noise_error(const struct ft *ft);

/* wave.c: the spectrum of the noise at a few wave numbers, by definition. Collective. Returns the
 * largest difference, relative to the spectrum's mean. */
double ft_wave_error(const struct ft *ft);

/* fftw_reference.c: FFTW's MPI transform, with its own distribution. Collective. */
const char *ft_reference_lacks(const int n[3]); /* NULL, or why it is not there */
double ft_reference_bytes(const struct ft_options *options, int ranks);
struct ft_reference *ft_reference_create(struct ft *ft); /* NULL: no memory */
void ft_reference_destroy(struct ft_reference *reference);
double ft_reference_forward(struct ft *ft); /* noise -> spectrum; these return their seconds */
double ft_reference_inverse(struct ft *ft);
/* How far its spectrum is from ft->field's, relative to the largest value. */
double ft_reference_error(struct ft *ft);

/* results.c: figures from results. */
bool ft_verified(const struct ft_result *result);
double ft_seconds(const struct ft_result *result, int part); /* median over runs */
/* Comparisons that are shown: how many times as long `way` took for what is compared as `base`. */
struct ft_comparison {
    const char *title, *key; /* in the report, in JSON */
    int way, base;
    unsigned parts; /* bits: their sum is compared */
};
enum { FT_COMPARISONS = 6 };
extern const struct ft_comparison ft_comparisons[FT_COMPARISONS];
bool ft_compares(const struct ft *ft, const struct ft_comparison *comparison);
struct app_spread ft_ratio(const struct ft *ft, const struct ft_comparison *comparison);

/* report.c, json.c: on rank 0 only. */
void ft_report_begin(const struct ft *ft);
void ft_report_iteration(const struct ft *ft, int iteration, int iterations,
                         double (*seconds)[FT_PARTS]);
void ft_report_end(const struct ft *ft);
bool ft_json_write(const struct ft *ft, FILE *file);

#endif
