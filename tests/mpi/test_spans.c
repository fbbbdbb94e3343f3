/* Messages of several places with exact lengths: where they arrive, and which datatypes are kept.
 *
 * run: 1,3
 * timeout: 120
 */
#include <stdlib.h>
#include <string.h>

#include "internode/mpi/transport_mpi.h"
#include "tests/mpi/require.h"
#include "tests/random.h"

#define MEMORY (1 << 17)
#define MOST   24 /* spans of a message */

static const struct strata_transport *const mpi = &strata_transport_mpi;

struct world {
    int rank, ranks, next, previous;
    MPI_Comm comm;
    struct strata_endpoints endpoints;
};

/* One end of a message: memory, and spans of it that do not overlap. */
struct side {
    unsigned char *memory;
    struct strata_type types[MOST];
    struct strata_span spans[MOST];
    int count;
};

static void random_type(struct random *r, bool contiguous, struct strata_type *type, ptrdiff_t *low,
                        ptrdiff_t *high)
{
    struct strata_piece pieces[RANDOM_PIECES] = {{0, 1}};
    size_t count = 1;
    *low = 0;
    *high = 1;
    if (!contiguous) {
        count = random_pieces(r, random_between(r, 1, 40), pieces, low, high);
    }
    ptrdiff_t extent = *high - *low + (contiguous ? 0 : random_below(r, 3));
    REQUIRE(!strata_type_init(type, pieces, count, extent));
}

/* Places a span behind `at`. Returns the first byte behind it. */
static size_t random_span(struct random *r, struct side *side, size_t bytes, size_t at, bool plain)
{
    ptrdiff_t low, high;
    struct strata_type *type = &side->types[side->count];
    struct strata_span *span = &side->spans[side->count++];
    random_type(r, plain || random_one_in(r, 3), type, &low, &high);
    span->type = type;
    span->bytes = bytes;
    span->skip = random_one_in(r, 2) ? 0 : (size_t)random_below(r, 3 * (int)type->size);
    span->origin = side->memory + (ptrdiff_t)at - low;
    size_t elements = (span->skip + bytes) / type->size + 1;
    return at + elements * (size_t)type->extent + (size_t)(high - low);
}

/* Equal seeds give equal spans; the memory is this process's own. */
static void side_init(struct side *side, uint64_t seed, size_t total, bool plain)
{
    struct random r = {seed};
    *side = (struct side){.memory = malloc(MEMORY)};
    REQUIRE(side->memory);
    size_t at = 64;
    while (total > 0) {
        size_t bytes = 1 + (size_t)random_below(&r, (int)(total / 2) + 1);
        bytes = side->count == MOST - 1 ? total : bytes;
        at = random_span(&r, side, bytes, at + (size_t)random_below(&r, 2), plain);
        total -= bytes;
    }
    REQUIRE_CMP(at, <, MEMORY);
}

static void side_fini(struct side *side)
{
    for (int i = 0; i < side->count; i++) {
        strata_type_fini(&side->types[i]);
    }
    free(side->memory);
}

static void fill(struct side *side, uint64_t seed)
{
    struct random r = {seed};
    for (size_t i = 0; i < MEMORY; i++) {
        side->memory[i] = (unsigned char)random_next(&r);
    }
}

static void pack(const struct side *side, unsigned char *stream)
{
    for (int i = 0; i < side->count; i++) {
        strata_span_pack(&side->spans[i], stream);
        stream += side->spans[i].bytes;
    }
}

static void unpack(const struct side *side, const unsigned char *stream)
{
    for (int i = 0; i < side->count; i++) {
        strata_span_unpack(&side->spans[i], stream);
        stream += side->spans[i].bytes;
    }
}

static void wait_for(struct strata_transport_mpi *t)
{
    int open;
    do {
        REQUIRE(!mpi->test(t, STRATA_LANE_TRAFFIC, &open));
    } while (open > 0);
}

/* The data of the rank before, whose memory is filled by its rank. */
static void expected_stream(const struct world *w, uint64_t seed, size_t total, bool plain,
                            unsigned char *stream)
{
    struct side side;
    side_init(&side, seed, total, plain);
    fill(&side, (uint64_t)w->previous);
    pack(&side, stream);
    side_fini(&side);
}

enum ends { BOTH_SPANS, SPANS_TO_BYTES, BYTES_TO_SPANS, ENDS };

/* Sends round the ring, with spans at one end or both, and compares all of the receiver's
 * memory. */
static void exchange(struct world *w, struct strata_transport_mpi *t, uint64_t seed, size_t total,
                     enum ends ends)
{
    bool plain = seed % 4 == 0;
    struct side from, to, image;
    unsigned char *out = malloc(total), *in = malloc(total), *stream = malloc(total);
    REQUIRE(out);
    REQUIRE(in);
    REQUIRE(stream);
    side_init(&from, 2 * seed, total, plain);
    side_init(&to, 2 * seed + 1, total, plain);
    side_init(&image, 2 * seed + 1, total, plain);
    fill(&from, (uint64_t)w->rank);
    fill(&to, 77);
    fill(&image, 77);
    pack(&from, out);
    expected_stream(w, 2 * seed, total, plain, stream);
    REQUIRE(!mpi->reserve(t, 2, 0));
    REQUIRE(!(ends == SPANS_TO_BYTES ? mpi->recv_exactly(t, w->previous, in, total)
                                     : mpi->recv_spans(t, w->previous, to.spans, to.count)));
    REQUIRE(!(ends == BYTES_TO_SPANS ? mpi->send_exactly(t, w->next, out, total)
                                     : mpi->send_spans(t, w->next, from.spans, from.count)));
    wait_for(t);
    if (ends == SPANS_TO_BYTES) {
        REQUIRE_BYTES(in, stream, total);
    } else {
        unpack(&image, stream);
        REQUIRE_BYTES(image.memory, to.memory, MEMORY);
    }
    side_fini(&from);
    side_fini(&to);
    side_fini(&image);
    free(out);
    free(in);
    free(stream);
}

static void test_places(struct world *w)
{
    struct strata_transport_mpi t;
    struct random r = {3};
    strata_transport_mpi_init(&t, &w->endpoints, 0);
    for (uint64_t round = 0; round < 400; round++) {
        size_t total = (size_t)random_between(&r, 1, round % 8 == 0 ? 3000 : 200);
        exchange(w, &t, round, total, (enum ends)(round % ENDS));
    }
    strata_transport_mpi_fini(&t);
}

/* Sends `count` single bytes, two apart, from `first` on. */
static void send_comb(struct world *w, struct strata_transport_mpi *t, unsigned char *out,
                      unsigned char *in, int count)
{
    static struct strata_piece piece = {0, 1};
    struct strata_type byte;
    struct strata_span *spans = calloc(2 * (size_t)count, sizeof *spans);
    REQUIRE(spans);
    REQUIRE(!strata_type_init(&byte, &piece, 1, 1));
    for (int i = 0; i < count; i++) {
        spans[i] = (struct strata_span){out + 2 * i, &byte, 0, 1};
        spans[count + i] = (struct strata_span){in + 2 * i, &byte, 0, 1};
        out[2 * i] = (unsigned char)(w->rank + i);
        in[2 * i] = 255;
    }
    REQUIRE(!mpi->reserve(t, 2, 0));
    REQUIRE(!mpi->recv_spans(t, w->previous, spans + count, count));
    REQUIRE(!mpi->send_spans(t, w->next, spans, count));
    wait_for(t);
    for (int i = 0; i < count; i++) {
        REQUIRE_CMP(in[2 * i], ==, (unsigned char)(w->previous + i));
    }
    free(spans);
    strata_type_fini(&byte);
}

/* Calls on the same buffers make no datatype. Other calls do, and the oldest datatypes make
 * room. */
static void test_kept_types(struct world *w)
{
    enum { CALLS = 5, LISTS = 300, LONG = STRATA_SPAN_PARTS / 2 + 1 };
    struct strata_transport_mpi t, beside;
    unsigned char *out = calloc(4 * LONG, 1), *in = calloc(4 * LONG, 1);
    REQUIRE(out);
    REQUIRE(in);
    strata_transport_mpi_init(&t, &w->endpoints, 2);
    for (int call = 0; call < CALLS; call++) {
        for (int count = 2; count < 12; count++) {
            send_comb(w, &t, out, in, count);
        }
        REQUIRE_CMP(t.span_types->made, ==, 20);
        REQUIRE_CMP(t.span_types->used, ==, 20);
    }
    strata_transport_mpi_init(&beside, &w->endpoints, 2);
    strata_transport_mpi_share(&t, &t, 0, 2);
    strata_transport_mpi_share(&beside, &t, 1, 2);
    send_comb(w, &beside, out, in, 2); /* another place in turn finds what the first one keeps */
    REQUIRE_CMP(t.span_types->made, ==, 20);
    strata_transport_mpi_fini(&beside);
    send_comb(w, &t, out + 1, in, 5); /* the same shape elsewhere: one end is new */
    REQUIRE_CMP(t.span_types->made, ==, 21);
    for (int i = 0; i < LISTS; i++) {
        send_comb(w, &t, out + 20 + i, in + 20 + i, 2);
    }
    REQUIRE_CMP(t.span_types->made, ==, 21 + 2 * LISTS);
    REQUIRE_CMP(t.span_types->used, ==, STRATA_SPAN_TYPES);
    send_comb(w, &t, out, in, LONG);
    REQUIRE_CMP(t.span_types->used, ==, 1);
    REQUIRE_CMP(t.span_types->parts, ==, LONG); /* not both at once */
    send_comb(w, &t, out, in, 2 * LONG);
    REQUIRE_CMP(t.span_types->used, ==, 1);
    REQUIRE_CMP(t.span_types->parts, ==, LONG); /* too long to be kept */
    strata_transport_mpi_fini(&t);
    free(out);
    free(in);
}

/* Sends so many of the first bytes where two places of 8 bytes are expected, or one of 16. */
static int send_of_length(struct world *w, int tag, size_t sent, bool spans)
{
    static struct strata_piece piece = {0, 1};
    char out[64] = "0123456789", in[64];
    struct strata_type byte;
    REQUIRE(!strata_type_init(&byte, &piece, 1, 1));
    struct strata_span to[2] = {{(unsigned char *)in, &byte, 0, 8},
                                {(unsigned char *)in + 32, &byte, 0, 8}};
    struct strata_transport_mpi t;
    strata_transport_mpi_init(&t, &w->endpoints, tag);
    REQUIRE(!mpi->reserve(&t, 2, 0));
    REQUIRE(!(spans ? mpi->recv_spans(&t, w->previous, to, 2)
                    : mpi->recv_exactly(&t, w->previous, in, 16)));
    REQUIRE(!mpi->send_exactly(&t, w->next, out, sent));
    int open = 1, error = STRATA_OK;
    while (open > 0) {
        error = mpi->test(&t, STRATA_LANE_TRAFFIC, &open);
    }
    mpi->abandon(&t);
    strata_transport_mpi_fini(&t);
    strata_type_fini(&byte);
    MPI_Barrier(w->comm);
    return error;
}

static void test_lengths(struct world *w)
{
    for (int spans = 0; spans < 2; spans++) {
        int tag = 10 + 10 * spans;
        REQUIRE_CMP(send_of_length(w, tag, 16, spans), ==, STRATA_OK);
        if (w->ranks > 1) { /* plans send nothing to the rank itself, where MPIs differ */
            REQUIRE_CMP(send_of_length(w, tag + 2, 8, spans), ==, STRATA_ERR_TRUNCATE);
            REQUIRE_CMP(send_of_length(w, tag + 4, 0, spans), ==, STRATA_ERR_TRUNCATE);
            REQUIRE_CMP(send_of_length(w, tag + 6, 17, spans), ==, STRATA_ERR_TRUNCATE);
        }
    }
}

int main(int argc, char **argv)
{
    struct world w;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.ranks);
    w.next = (w.rank + 1) % w.ranks;
    w.previous = (w.rank + w.ranks - 1) % w.ranks;
    MPI_Comm_split(MPI_COMM_WORLD, 0, w.rank, &w.comm);
    MPI_Comm_set_errhandler(w.comm, MPI_ERRORS_RETURN);
    w.endpoints = strata_endpoints_of(w.comm, w.rank, w.ranks);
    test_places(&w);
    test_kept_types(&w);
    test_lengths(&w);
    if (w.rank == 0) {
        printf("messages of several places: %d ranks: ok\n", w.ranks);
    }
    MPI_Comm_free(&w.comm);
    MPI_Finalize();
    return 0;
}
