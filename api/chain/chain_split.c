/* Splitting chains and communicators. */
#include "internode/split/split.h"

#include <string.h>

#include "api/attach/chain_comm.h"
#include "api/attach/state.h"
#include "api/chain/chain.h"
#include "api/life/life.h"
#include "internode/split/methods.h"

static enum strata_integer kind_of(const struct strata_split_value *value)
{
    return value->compare == strata_compare_int32   ? STRATA_INT32
           : value->compare == strata_compare_int64 ? STRATA_INT64
                                                    : STRATA_NO_INTEGER;
}

static int read_value(const struct strata_split_value *value, struct strata_field *field,
                      struct strata_diagnostic *message)
{
    *field = (struct strata_field){.enabled = value != NULL};
    if (!value) {
        return STRATA_OK;
    }
    field->bytes = value->value;
    field->size = value->bytes;
    field->compare = value->compare;
    field->hash = value->hash;
    field->context = value->context;
    field->integer = kind_of(value);
    return value->compare
               ? STRATA_OK
               : strata_fail(message, STRATA_ERR_ARGUMENT, "a value has no compare function");
}

/* Keeps errors in the input: all ranks go on until they have agreed on errors. */
static void read_input(const struct strata_split_value *colour,
                       const struct strata_split_value *key, const char *method,
                       struct strata_split_input *input, struct strata_diagnostic *message)
{
    int first = read_value(colour, &input->colour, message);
    int second = read_value(key, &input->key, message);
    int third = strata_split_method_parse(method, input, message);
    input->status = input->status ? input->status : first ? first : second ? second : third;
}

static int fail(const struct strata_chain *chain, int error,
                const struct strata_diagnostic *message)
{
    return strata_chain_raise(chain, strata_error_class(error), "chain_split",
                              message->text[0] ? message->text : strata_error_text(error));
}

/* Makes the new chain on all ranks, or on none. */
static int make_group(struct strata_chain *chain, const struct strata_chain_links *links,
                      bool member, struct strata_chain **group)
{
    struct strata_chain *made = member ? strata_chain_make(chain->comm, chain->group, links) : NULL;
    int error = strata_chain_agree(&chain->station, &chain->links,
                                   member && !made ? STRATA_ERR_MEMORY : STRATA_OK);
    if (error) {
        strata_chain_free(&made);
        return error;
    }
    *group = made;
    return STRATA_OK;
}

int strata_chain_split(struct strata_chain *chain, const struct strata_split_value *colour,
                       const struct strata_split_value *key, const char *method, int flags,
                       struct strata_chain **group)
{
    struct strata_diagnostic message = {""};
    struct strata_split_input input = {.undefined = flags & STRATA_UNDEFINED};
    struct strata_chain_links links;
    if (!chain) {
        return strata_chain_raise(NULL, MPI_ERR_ARG, "chain_split", "the chain is null");
    }
    if (!group || (flags & ~STRATA_UNDEFINED)) {
        input.status = strata_fail(&message, STRATA_ERR_ARGUMENT,
                                   group ? "a flag is not known" : "the result's address is null");
    }
    read_input(colour, key, method, &input, &message);
    int error = strata_split_run(&chain->station, &chain->links, &input, &links, &message);
    if (!error && group) {
        error = make_group(chain, &links, !input.undefined, group);
    }
    return error ? fail(chain, error, &message) : MPI_SUCCESS;
}

#define CANNOT_BE_MADE "the communicator cannot be made"

/* What a rank without an error says about a new communicator. The largest word of all ranks
 * decides. */
enum { LEAVE_NEW = -2, ATTACH = -1 };

/* All ranks have the communicator, or none has. All attach it where one rank asks for that, for
 * attaching is collective. */
static int agree_made(struct strata_chain *chain, int error, int flags, MPI_Comm *made)
{
    int wish = flags & STRATA_ATTACH ? ATTACH : LEAVE_NEW;
    int agreed = strata_chain_agree(&chain->station, &chain->links, error ? error : wish);
    struct strata_process *process = strata_process();
    if (agreed > STRATA_OK) {
        strata_private_communicator_free(made);
        return agreed;
    }
    if (agreed == ATTACH && process) {
        struct strata_state *state = strata_state_find(process, *made);
        state ? (void)strata_attach_now(process, state) : strata_attach_decline(process, *made);
    }
    return STRATA_OK;
}

/* Makes the communicator and attaches it. Where it cannot be attached, MPI's own serves its
 * collectives, as everywhere. */
static int make_comm(struct strata_chain *chain, int own, int flags, MPI_Comm *made)
{
    int error = strata_chain_collect_comm(chain->comm, &chain->station, &chain->links, own, made);
    return error == STRATA_ERR_ARGUMENT ? error : agree_made(chain, error, flags, made);
}

int strata_chain_comm(struct strata_chain *chain, int flags, MPI_Comm *newcomm)
{
    MPI_Comm made = MPI_COMM_NULL;
    const bool known = !(flags & ~STRATA_ATTACH);
    if (!chain) {
        return strata_chain_raise(NULL, MPI_ERR_ARG, "chain_comm", "the chain is null");
    }
    int error = make_comm(chain, newcomm && known ? STRATA_OK : STRATA_ERR_ARGUMENT, flags, &made);
    if (error) {
        return strata_chain_raise(chain, strata_error_class(error), "chain_comm",
                                  !newcomm ? "the new communicator's address is null"
                                  : !known ? "a flag is not known"
                                           : CANNOT_BE_MADE);
    }
    *newcomm = made;
    return MPI_SUCCESS;
}

/* Makes the communicators of all groups, or of none. A rank in no group agrees, too. */
static int make_all(struct strata_chain *all, struct strata_chain *group, int flags,
                    MPI_Comm *newcomm)
{
    MPI_Comm made = MPI_COMM_NULL;
    int error = group ? make_comm(group, STRATA_OK, flags, &made) : STRATA_OK;
    error = strata_chain_agree(&all->station, &all->links, error);
    if (error) {
        strata_private_communicator_free(&made);
        return strata_chain_raise(all, strata_error_class(error), "comm_split", CANNOT_BE_MADE);
    }
    *newcomm = made;
    return MPI_SUCCESS;
}

int strata_comm_split(MPI_Comm comm, const struct strata_split_value *colour,
                      const struct strata_split_value *key, const char *method, int flags,
                      MPI_Comm *newcomm)
{
    struct strata_chain *all = NULL, *group = NULL;
    int error = strata_chain_create(comm, &all);
    if (error != MPI_SUCCESS) {
        return error;
    }
    error = strata_chain_split(all, colour, key, method, flags & ~STRATA_ATTACH,
                               newcomm ? &group : NULL);
    if (error == MPI_SUCCESS && newcomm) { /* strata_chain_split has reported a null newcomm */
        error = make_all(all, group, flags & STRATA_ATTACH, newcomm);
    }
    strata_chain_free(&group);
    strata_chain_free(&all);
    return error;
}
