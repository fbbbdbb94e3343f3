#include "internode/mpi/spans_mpi.h"

#include <string.h>

#include "core/base/memory.h"

#define MOST_COUNT ((size_t)1 << 30) /* of one part: MPI counts in int */

static int add_part(struct strata_span_types *t, const unsigned char *address, size_t count,
                    const struct strata_type *type)
{
    struct strata_span_part part = {.count = count, .type = type};
    struct strata_span_part *last = t->listed > 0 ? &t->list[t->listed - 1] : NULL;
    PMPI_Get_address(address, &part.at);
    if (last && !type && !last->type && last->at + (MPI_Aint)last->count == part.at &&
        last->count + count <= MOST_COUNT) {
        last->count += count;
        return MPI_SUCCESS;
    }
    if (t->listed == t->room) {
        size_t room = 2 * t->room + 64;
        struct strata_span_part *list = strata_reallocate(t->list, room, sizeof *list);
        if (!list) {
            return MPI_ERR_NO_MEM;
        }
        t->list = list;
        t->room = room;
    }
    t->list[t->listed++] = part;
    return MPI_SUCCESS;
}

/* `count` elements of `step` bytes from the address on, in parts that MPI can count. */
static int add_elements(struct strata_span_types *t, const unsigned char *address, size_t count,
                        ptrdiff_t step, const struct strata_type *type)
{
    int error = MPI_SUCCESS;
    while (count > 0 && error == MPI_SUCCESS) {
        size_t now = count < MOST_COUNT ? count : MOST_COUNT;
        error = add_part(t, address, now, type);
        address += (ptrdiff_t)now * step;
        count -= now;
    }
    return error;
}

/* Bytes [from, to) of one element's stream. */
static int add_pieces(struct strata_span_types *t, const unsigned char *origin,
                      const struct strata_type *type, size_t from, size_t to)
{
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < type->npieces && error == MPI_SUCCESS; i++) {
        const struct strata_piece *piece = &type->pieces[i];
        size_t begin = type->before[i], end = begin + piece->length;
        size_t first = begin > from ? begin : from, last = end < to ? end : to;
        if (first < last) {
            const unsigned char *at = origin + piece->offset + (ptrdiff_t)(first - begin);
            error = add_elements(t, at, last - first, 1, NULL);
        }
    }
    return error;
}

/* The rest of an element, whole ones, the beginning of one. */
static int add_span(struct strata_span_types *t, const struct strata_span *span)
{
    const struct strata_type *type = span->type;
    if (strata_span_address(span)) {
        return add_elements(t, strata_span_address(span), span->bytes, 1, NULL);
    }
    size_t into = span->skip % type->size, left = span->bytes;
    const unsigned char *at = span->origin + (ptrdiff_t)(span->skip / type->size) * type->extent;
    int error = MPI_SUCCESS;
    if (into > 0) {
        size_t head = type->size - into < left ? type->size - into : left;
        error = add_pieces(t, at, type, into, into + head);
        at += type->extent;
        left -= head;
    }
    if (!error) {
        error = add_elements(t, at, left / type->size, type->extent, type);
        at += (ptrdiff_t)(left / type->size) * type->extent;
    }
    return error ? error : add_pieces(t, at, type, 0, left % type->size);
}

/* MPI's arrays for a list of parts. */
struct arrays {
    int *lengths;
    MPI_Aint *at;
    MPI_Datatype *types;
    int used;
};

static void arrays_fini(struct arrays *a)
{
    strata_release(a->lengths);
    strata_release(a->at);
    strata_release(a->types);
}

static int arrays_init(struct arrays *a, size_t room)
{
    *a = (struct arrays){.lengths = strata_allocate(room, sizeof *a->lengths),
                         .at = strata_allocate(room, sizeof *a->at),
                         .types = strata_allocate(room, sizeof *a->types)};
    if (room > MOST_COUNT) {
        return MPI_ERR_COUNT;
    }
    return a->lengths && a->at && a->types ? MPI_SUCCESS : MPI_ERR_NO_MEM;
}

static void add_entry(struct arrays *a, size_t length, MPI_Aint at, MPI_Datatype type)
{
    a->lengths[a->used] = (int)length;
    a->at[a->used] = at;
    a->types[a->used++] = type;
}

/* One element of a flattened datatype. */
static int make_element(const struct strata_type *type, MPI_Datatype *element)
{
    struct arrays a;
    MPI_Datatype pieces = MPI_DATATYPE_NULL;
    int error = arrays_init(&a, type->npieces);
    for (size_t i = 0; i < type->npieces && !error; i++) {
        if (type->pieces[i].length > MOST_COUNT) {
            error = MPI_ERR_COUNT;
        }
        add_entry(&a, type->pieces[i].length, (MPI_Aint)type->pieces[i].offset, MPI_BYTE);
    }
    if (!error) {
        error = PMPI_Type_create_hindexed(a.used, a.lengths, a.at, MPI_BYTE, &pieces);
    }
    if (!error) {
        error = PMPI_Type_create_resized(pieces, 0, (MPI_Aint)type->extent, element);
        PMPI_Type_free(&pieces);
    }
    arrays_fini(&a);
    return error;
}

/* A part that is not bytes has an element of its own, shared by those after it of the same type. */
static int fill_arrays(const struct strata_span_types *t, struct arrays *a)
{
    const struct strata_type *last = NULL;
    MPI_Datatype element = MPI_BYTE;
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < t->listed && !error; i++) {
        const struct strata_span_part *part = &t->list[i];
        if (part->type && part->type != last) {
            error = make_element(part->type, &element);
            last = part->type;
        }
        if (!error) {
            add_entry(a, part->count, part->at, part->type ? element : MPI_BYTE);
        }
    }
    return error;
}

static void free_elements(struct arrays *a)
{
    MPI_Datatype last = MPI_BYTE;
    for (int i = 0; i < a->used; i++) {
        MPI_Datatype type = a->types[i];
        if (type != MPI_BYTE && type != last) {
            last = type;
            PMPI_Type_free(&type);
        }
    }
}

/* The type of the whole list. */
static int make_type(struct strata_span_types *t, bool bytes, MPI_Datatype *type)
{
    struct arrays a;
    int error = arrays_init(&a, t->listed);
    if (!error) {
        error = fill_arrays(t, &a);
    }
    if (!error) {
        error = bytes ? PMPI_Type_create_hindexed(a.used, a.lengths, a.at, MPI_BYTE, type)
                      : PMPI_Type_create_struct(a.used, a.lengths, a.at, a.types, type);
    }
    free_elements(&a);
    arrays_fini(&a);
    if (!error) {
        t->made++;
        error = PMPI_Type_commit(type);
    }
    return error;
}

static struct strata_span_type *kept_at(struct strata_span_types *t, int number)
{
    return &t->kept[(t->first + number) % STRATA_SPAN_TYPES];
}

/* Calls repeat themselves, so the one after the last is looked at first. */
static const struct strata_span_type *find_kept(struct strata_span_types *t)
{
    for (int i = 0; i < t->used; i++) {
        int number = (t->expected + i) % t->used;
        const struct strata_span_type *kept = kept_at(t, number);
        if (kept->nparts == t->listed &&
            memcmp(kept->parts, t->list, t->listed * sizeof *t->list) == 0) {
            t->expected = (number + 1) % t->used;
            return kept;
        }
    }
    return NULL;
}

static void drop_oldest(struct strata_span_types *t)
{
    struct strata_span_type *oldest = kept_at(t, 0);
    PMPI_Type_free(&oldest->type); /* messages under way keep the parts that they need */
    strata_release(oldest->parts);
    t->parts -= oldest->nparts;
    t->first = (t->first + 1) % STRATA_SPAN_TYPES;
    t->used--;
    t->expected = 0;
}

/* Whether it is kept; if not, it is the message's own. */
static bool keep(struct strata_span_types *t, MPI_Datatype type)
{
    struct strata_span_part *parts =
        t->listed <= STRATA_SPAN_PARTS ? strata_allocate(t->listed, sizeof *parts) : NULL;
    if (!parts) {
        return false;
    }
    memcpy(parts, t->list, t->listed * sizeof *parts);
    while (t->used == STRATA_SPAN_TYPES || t->parts + t->listed > STRATA_SPAN_PARTS) {
        drop_oldest(t);
    }
    *kept_at(t, t->used++) = (struct strata_span_type){type, parts, t->listed};
    t->parts += t->listed;
    return true;
}

int strata_describe_spans(struct strata_span_types *t, const struct strata_span *spans, int nspots,
                          struct strata_description *d)
{
    int error = MPI_SUCCESS;
    bool bytes = true;
    *d = (struct strata_description){MPI_BYTE, 1, false};
    t->listed = 0;
    for (int i = 0; i < nspots && !error; i++) {
        bytes = bytes && strata_span_address(&spans[i]);
        error = add_span(t, &spans[i]);
    }
    const struct strata_span_type *kept = bytes && !error ? find_kept(t) : NULL;
    if (kept) {
        d->type = kept->type;
    } else if (!error) {
        error = make_type(t, bytes, &d->type);
        d->made = !error && !(bytes && keep(t, d->type));
    }
    return error;
}

void strata_span_types_fini(struct strata_span_types *t)
{
    while (t->used > 0) {
        drop_oldest(t);
    }
    strata_release(t->list);
    *t = (struct strata_span_types){0};
}
