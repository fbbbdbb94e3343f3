/* The rules by which a node's members share rings (docs/node-memory.md), a row for each. The code
 * that builds and runs a member's program asks ring_holds at the one place where a rule applies. So
 * a rule can be left out, and the model must then find a fault. */
#ifndef STRATA_TESTS_MODEL_RING_RULES_H
#define STRATA_TESTS_MODEL_RING_RULES_H

#define RING_RULES(X)                                                                              \
    X(SLOT_CREDIT, "no write into a slot before its last readers have left")                       \
    X(PAYLOAD_CREDIT, "no write of a line's payload before its last readers have left")            \
    X(LANDING_CREDIT, "no receive into the landing before all have left its last use")             \
    X(CREDIT_BEFORE_POST, "credit is had before a receive is posted, not before it is complete")   \
    X(LANDING_LAST_USE, "a landing's last use is anybody's, not only one's own")                   \
    X(STATUS_CREDIT, "no second status before all who await the first have left")                  \
    X(CREDIT_EACH_USE, "credit is had for each use, not once a call")                              \
    X(NUMBER_EACH_USE, "each use of a call has a number of its own, not each call")                \
    X(READERS_DECLARED, "every reader of a slot is declared")                                      \
    X(READERS_KEPT, "a use that writes nothing leaves the readers of its place as they are")       \
    X(TICK_ALONE, "a bare signal stores the tick and leaves the payload")                          \
    X(WAIT_AT_LEAST, "an await is over from its tick on, not at its tick only")                    \
    X(PROVES_EARLIER, "a tick of use u proves that the uses up to u - F were left, not u itself")  \
    X(HEARING_EARLIER, "a tick of use u proves that all have left use u - R, and no later one")    \
    X(COVERS_TRUE, "only who has heard from all in a use takes credit from all")                   \
    X(COVERS_GOOD, "who has seen a status takes no such credit")                                   \
    X(LEAVING_SAID, "who says only after several uses that it has left them says so")              \
    X(LEAVING_IN_TIME, "and after no more uses than there are places")                             \
    X(LEAVING_LEFT, "and of no use that it has not left")                                          \
    X(LEAVING_OF_FAILED, "a member that failed says at once that it has left")                     \
    X(END_AFTER_READS, "END comes after the last read")                                            \
    X(END_AFTER_SENDS, "END comes after the sends that read a mate's slot are complete")           \
    X(END_WITHOUT_STEPS, "a member without steps publishes END")                                   \
    X(END_OF_FAILED, "a member that failed publishes END")                                         \
    X(STATUS_BEFORE_END, "the status is stored before END")                                        \
    X(STATUS_LOOKED_AT, "who awaits a line looks at its status")                                   \
    X(STATUS_OF_ITS_USE, "a status of another use says nothing")                                   \
    X(FAILS_AT_ONCE, "who sees a status fails before its next tick")                               \
    X(WITHDRAWN, "who fails withdraws its messages before END")

enum ring_rule {
#define ROW(name, sentence) RING_##name,
    RING_RULES(ROW)
#undef ROW
        RING_RULE_COUNT,
    RING_ALL_RULES = RING_RULE_COUNT /* no rule is left out */
};

#endif
