/* The words for the columns of studies. */
#include <stddef.h>
#include <string.h>

#include "tools/study/table/columns.h"

static const struct {
    const char *column, *text;
} columns[] = {
    {"point", "the point that gave the row; a point may give several"},
    {"figure", "the paper's figure or table, or the group of points"},
    {"platform", "the simulated cluster; empty: this machine"},
    {"method", "the algorithm, the library or the way of calling"},
    {"algorithm", "the algorithm of the catalogue, with its parameters"},
    {"family", "the family of algorithms"},
    {"collective", "the MPI collective"},
    {"pattern", "how lengths of blocks are drawn"},
    {"mapping", "how ranks are placed on nodes"},
    {"how", "replayed from plans, or executed"},
    {"class", "the class of the NAS benchmark"},
    {"torus", "the sizes of the torus"},
    {"draw", "the number of ranks, and the number of the draw of their groups"},
    {"total", "bytes of all blocks together"},
    {"elements", "ints that a process sends to all others together"},
    {"bytes", "bytes of a block or of the vector; in counts, bytes that a rank sends"},
    {"groups", "groups that the communicator is split into; none: it is reordered only"},
    {"colour", "the type of colours: int, or text with its length"},
    {"keys", "how keys are drawn; none: the order stays"},
    {"nodes", "number of nodes"},
    {"ranks", "number of MPI ranks"},
    {"ranks_per_node", "MPI ranks on each node"},
    {"threads", "threads of each rank"},
    {"cores", "cores of the machine; empty: simulated"},
    {"split", "nodes x ranks of a node x threads of a rank"},
    {"run", "the work and the place; a picture shows one run"},
    {"backend", "where it ran: emulated, hosts, smpi or slurm"},
    {"app", "the application, the collective or the program"},
    {"mode", "what threads do: ranks, members or parts"},
    {"repeat", "the number of the repeat, from 1"},
    {"seconds", "seconds of a call or of the timed part"},
    {"seconds_low", "the least of these seconds"},
    {"seconds_high", "the most of these seconds"},
    {"in_turn", "the time divided by MPI's, of neighbouring batches: the median"},
    {"in_turn_low", "the lower bound of the 95 % interval of in_turn"},
    {"in_turn_high", "the upper bound of that interval"},
    {"ran", "the algorithm that the method chose, with its parameters; native: MPI's own"},
    {"predicted", "seconds of a call by the cost model's estimate; empty: there is none"},
    {"exchange_seconds", "seconds of these in the exchange"},
    {"mops", "millions of operations a second, as NAS counts them"},
    {"rounds", "messages in a row"},
    {"messages", "messages that a rank sends, the most of all ranks"},
    {"messages_all", "messages of all ranks"},
    {"bytes_all", "bytes that all ranks send"},
    {"memory", "bytes of memory that a rank needs, the most of all ranks"},
    {"rank_messages", "messages that a rank sends"},
    {"rank_bytes", "bytes that a rank sends"},
    {"rank_copied", "bytes that a rank copies"},
    {"at_once", "messages under way at once"},
    {"longest_bytes", "the sum over the rounds of the longest message, in bytes"},
    {"combined_bytes", "bytes that a rank combines, the most of all ranks"},
    {"messages_between", "messages between nodes, of all ranks"},
    {"bytes_between", "bytes between nodes, of all ranks"},
    {"not_ours", "the share of the machine that other programs took, 0 to 1; -1: not known"},
};

const char *study_column_text(const char *column)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (strcmp(columns[i].column, column) == 0) {
            return columns[i].text;
        }
    }
    return NULL;
}
