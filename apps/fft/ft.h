/* What the files of the FFT application share: NAS FT, and transforms of any size. main.c has the
 * order of a run, and transform.h the transform itself. */
#ifndef STRATA_APPS_FFT_FT_H
#define STRATA_APPS_FFT_FT_H

#include "apps/common/app.h"
#include "apps/fft/transform.h"

#define FT_REPEATS   1000
#define FT_TOLERANCE 1e-12 /* relative, of checksums and of round trips */

/* A problem size, in the order z, y, x. */
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
    int n[3];                       /* from the class or from --size */
    int grid[2];                    /* 0: fft_grid_choose chooses */
    unsigned libraries, transposes; /* bits 1 << enum fft_library; bits 1 << enum fft_transpose */
    enum fft_calls calls;
    bool every;          /* all libraries that can exchange */
    bool measure;        /* FFTW measures its plans */
    bool mapped;         /* fields lie in memory of strata_alloc */
    bool members;        /* each thread has planes of its own, as a member */
    bool team;           /* the threads of a rank share its exchanges */
    int repeat, threads; /* threads 0: as many as the host offers */
    const char *json;    /* NULL: no file */
    bool help;
};

extern const char *const ft_calls_name[FFT_CALLS];
/* Returns false with a sentence in message. */
bool ft_options_parse(struct ft_options *options, char **words, char *message, size_t size);
void ft_options_help(FILE *file);

/* The ways that are compared: the variants of the exchange, and FFTW's whole transform. */
enum { FT_VARIANTS = 5, FT_REFERENCE = FT_VARIANTS, FT_WAYS };
struct ft_variant {
    enum fft_library library;
    enum fft_transpose transpose;
    const char *name, *how;
};
extern const struct ft_variant ft_variants[FT_WAYS];

/* Seconds of one iteration: the parts of the transform, and the total. */
enum { FT_TOTAL = FFT_PARTS, FT_PARTS };

/* The results of one way's runs, which are equal on all ranks. */
struct ft_result {
    int runs, checks, passed;
    double error; /* the largest relative error of all checks */
    /* Of each run, summed over iterations: the total is the slowest rank's, the others are
     * means. */
    double seconds[FT_REPEATS][FT_PARTS];
};

/* A run of the application. */
struct ft {
    const struct ft_options *options;
    const struct app_host *host;
    MPI_Comm comm;   /* MPI_COMM_WORLD, or a member's handle */
    int rank, ranks; /* this one and all: ranks, or members */
    int processes;   /* ranks of MPI */
    int threads;     /* of this rank, or of this member: 1 */
    int grid[2];
    struct fft *fft;
    const char *lacks;        /* why FFTW's transposition is left out; NULL: it takes part */
    unsigned variants;        /* bits of the variants that run */
    double complex *field;    /* the data that is transformed */
    double complex *spectrum; /* NAS FT: the spectrum of the first field */
    double *decay;            /* NAS FT: each axis' factors of the spectrum for one time */
    struct ft_reference *reference;
    bool progress;               /* print a line for each iteration */
    bool by_strata;              /* Strata makes the exchanges and the checksums */
    double checksum[2];          /* NAS FT: the checksum of this iteration */
    double wave_error;           /* round trip: the largest of ft_wave_error */
    double reference_error;      /* round trip: the largest of ft_reference_error */
    struct ft_result *result;    /* [FT_WAYS] */
    struct app_used row, column; /* Strata's report of the last exchanges */
};

/* setup.c: memory and plans. Collective. The message says what failed. */
double ft_bytes(const struct ft_options *options, const int grid[2]); /* the memory of one rank */
bool ft_create(struct ft *ft, char *message, size_t size); /* of what run() in main.c gave */
void ft_destroy(struct ft *ft);                            /* also after ft_create failed */
/* Why there is no comparison with FFTW's MPI transform; NULL: there is one. */
const char *ft_without_reference(const struct ft_options *options);
bool ft_runs(const struct ft *ft, int way); /* whether this way takes part */

/* The numbers of all, combined, in place of mine. Collective. */
void ft_collect(const struct ft *ft, void *numbers, int count, MPI_Datatype type, MPI_Op op);

/* run.c: timing. Collective. */
typedef void ft_action(struct ft *ft, int iteration);
/* Orders the variants for this iteration, so that each variant comes first in its turn. Returns
 * their number. */
int ft_order(const struct ft *ft, int iteration, int order[FT_VARIANTS]);
/* Lets the variant's library make the exchanges and the checksums from now on. */
void ft_use(struct ft *ft, int variant);
/* Runs a variant's action and adds its times to the current run; `seconds` gets the times of this
 * action alone. */
void ft_timed(struct ft *ft, int variant, ft_action *action, int iteration,
              double seconds[FT_PARTS]);
void ft_add_times(struct ft *ft, int way, double mine[FT_PARTS]);
/* Records the error of a check, which is the same on all ranks. A NaN fails. */
void ft_check(struct ft *ft, int way, double error);
void ft_done(struct ft *ft);    /* ends the current run of all ways */
void ft_forward(struct ft *ft); /* both directions end the program if the exchange fails */
void ft_inverse(struct ft *ft);

/* nas.c and field.c: NAS FT. */
void ft_nas(struct ft *ft);
void ft_field_random(struct ft *ft);           /* the first field of the benchmark */
void ft_field_evolve(struct ft *ft, int time); /* from the spectrum to the field at that time */
void ft_field_checksum(struct ft *ft, double sum[2]);

/* roundtrip.c: transforms random data there and back. */
void ft_roundtrip(struct ft *ft);
/* noise.c: random data that depend only on the place in the field. */
double complex ft_noise_at(const int n[3], int z, int y, int x);
void ft_noise_fill(const int n[3], const struct fft_box *box, double complex *data, int threads);
/* Divides the field by its number of elements. Returns the largest difference from the noise over
 * all ranks. */
double ft_noise_error(const struct ft *ft);

/* wave.c: computes the spectrum of the noise at a few wave numbers by its definition. Collective.
 * Returns the largest difference, relative to the spectrum's mean. */
double ft_wave_error(const struct ft *ft);

/* fftw_reference.c: FFTW's MPI transform, with its own distribution. Collective. */
const char *ft_reference_lacks(const int n[3]); /* why this build lacks it; NULL: it is there */
double ft_reference_bytes(const struct ft_options *options, int ranks);
struct ft_reference *ft_reference_create(struct ft *ft); /* NULL: memory is short */
void ft_reference_destroy(struct ft_reference *reference);
double ft_reference_forward(struct ft *ft); /* noise -> spectrum; both return their seconds */
double ft_reference_inverse(struct ft *ft);
/* The largest difference of FFTW's spectrum from ft->field, relative to the largest value. */
double ft_reference_error(struct ft *ft);

/* results.c: makes figures of results. */
bool ft_verified(const struct ft_result *result);
double ft_seconds(const struct ft_result *result, int part); /* the median over the runs */
/* A comparison for the reports: the time of a way, divided by the time of `base`. */
struct ft_comparison {
    const char *title, *key; /* its title in the report; its key in JSON */
    int way, base;
    unsigned parts; /* bits of the parts whose sum is compared */
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
