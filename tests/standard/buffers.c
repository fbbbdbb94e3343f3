/* Fills a case's buffers before its call, and prints the digest of their contents after it. */
#include "buffers.h"

#include <stdio.h>
#include <string.h>

char sent_room[ROOM], taken_room[ROOM];
static int room;          /* the bytes of both that this case looks at */
static int begin = BEGIN; /* where its data begin */

/* The bytes of the type's floating-point numbers; 0: it has none. */
static size_t number_bytes(MPI_Datatype type)
{
    static const struct {
        MPI_Datatype type;
        size_t bytes;
    } floating[] = {
        {MPI_FLOAT, sizeof(float)},
        {MPI_C_FLOAT_COMPLEX, sizeof(float)},
        {MPI_REAL, sizeof(float)},
        {MPI_COMPLEX, sizeof(float)},
        {MPI_FLOAT_INT, sizeof(float)},
        {MPI_DOUBLE, sizeof(double)},
        {MPI_2REAL, sizeof(float)},
        {MPI_C_DOUBLE_COMPLEX, sizeof(double)},
        {MPI_DOUBLE_COMPLEX, sizeof(double)},
        {MPI_DOUBLE_PRECISION, sizeof(double)},
        {MPI_2DOUBLE_PRECISION, sizeof(double)},
    };
    size_t bytes = 0;

    for (size_t i = 0; i < sizeof floating / sizeof *floating; i++) {
        bytes = type == floating[i].type ? floating[i].bytes : bytes;
    }
    return bytes;
}

/* Writes a number that gives the same result in any order of operations. */
static void fill_number(int index, char *at, size_t bytes)
{
    int number = 1 + (index * 7 + rank) % 2;
    float f = (float)number;
    double d = number;
    memcpy(at, bytes == sizeof f ? (void *)&f : (void *)&d, bytes);
}

/* Writes integers that no order of operations lets overflow. */
static void fill_integers(const struct call *call, int bytes)
{
    bool product = call->op == MPI_PROD;
    int below = product ? 2 : bytes == 1 ? 20 : 1000;
    for (int i = 0; begin + (i + 1) * bytes <= room; i++) {
        int64_t sent = 1 + (i * 7 + rank * 13) % below, taken = 1 + (i * 3 + rank * 11) % below;
        memcpy(sent_room + begin + i * bytes, &sent, (size_t)bytes);
        memcpy(taken_room + begin + i * bytes, &taken, (size_t)bytes);
    }
}

static void fill_floating(size_t bytes)
{
    for (size_t i = 0; (size_t)begin + (i + 1) * bytes <= (size_t)room; i++) {
        fill_number((int)i, sent_room + begin + i * bytes, bytes);
        fill_number((int)i + 1, taken_room + begin + i * bytes, bytes);
    }
}

/* MPICH 4.0 compares unsigned integers as signed ones in its minimum and maximum. */
static bool must_be_small(MPI_Datatype type, MPI_Op op)
{
    bool compares = op == MPI_MIN || op == MPI_MAX;
    return compares && (type == MPI_UNSIGNED || type == MPI_UNSIGNED_SHORT || type == MPI_UINT64_T);
}

void fill_buffers(const struct call *call)
{
    MPI_Datatype type = call->sent_type ? call->sent_type : MPI_INT;
    bool adds = info[call->collective].reduces &&
                (!call->op || call->op == MPI_SUM || call->op == MPI_PROD);
    int bytes = 0;
    begin = BEGIN + call->shift;
    room = call->sent > 2000 ? ROOM : SMALL_ROOM;
    for (int i = 0; i < room; i++) {
        sent_room[i] = (char)(i * 31 / 7 + 17 * rank + 3);
        taken_room[i] = (char)(i * 13 / 5 + 6 * rank);
    }
    if (number_bytes(type) > 0) {
        fill_floating(number_bytes(type));
    } else if (adds || must_be_small(type, call->op)) {
        PMPI_Type_size(type, &bytes);
        fill_integers(call, bytes);
    }
}

static uint64_t digest_of(const char *bytes, uint64_t sum)
{
    for (int i = 0; i < room; i += (int)sizeof sum) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum = (sum ^ word) * 1099511628211U;
    }
    return sum;
}

/* Prints a line with the digest over all ranks, each with its number. */
static void print_line(const char *section, const char *name, const char *about, uint64_t mine)
{
    uint64_t all = 0;
    mine *= 2 * (uint64_t)rank + 3;
    PMPI_Reduce(&mine, &all, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s %s%s%s %016llx\n", section, name, *name ? ": " : "", about,
               (unsigned long long)all);
    }
}

void print_value(const char *section, const char *about, uint64_t seen)
{
    print_line(section, "", about, seen);
}

/* The contents that exscan leaves on rank 0, and that reduce_scatter leaves behind its result in
 * place, are not defined. */
void print_case(const struct call *call, const char *section, const char *about, int seen)
{
    int me = 0, size = 1;
    uint64_t sum = digest_of(sent_room, 14695981039346656037U + (uint64_t)seen);
    PMPI_Comm_rank(call->comm ? call->comm : MPI_COMM_WORLD, &me);
    PMPI_Type_size(call->sent_type ? call->sent_type : MPI_INT, &size);
    if (call->collective == REDUCE_SCATTER || call->collective == REDUCE_SCATTER_BLOCK) {
        int count =
            call->collective == REDUCE_SCATTER ? varied(call, call->sent, me, me) : call->sent;
        if (call->in_place && count >= 0) {
            memset(taken_room + begin + count * size, 0, (size_t)(room - begin - count * size));
        }
    }
    sum = call->collective == EXSCAN && me == 0 ? sum : digest_of(taken_room, sum);
    print_line(section, info[call->collective].name, about, sum);
}
