# The sources that a build may leave out of the library. With STRATA_SPLIT=OFF the public functions of splitting stay,
# but return errors (api/chain/chain_absent.c), so that one header and one list of symbols serve every build. The
# methods of splitting then move to strata_simulation, because the strata command simulates them.
set(split "/(api/chain/chain[^/]*|api/attach/(chain_comm|hosts_named|wire[^/]*)|internode/chain/.*|internode/split/.*)\\.c$")
set(split_stays "_absent\\.c$|/internode/split/values\\.c$")
if(STRATA_SPLIT)
    list(FILTER library EXCLUDE REGEX "_absent\\.c$")
else()
    set(left_out ${library})
    list(FILTER left_out INCLUDE REGEX ${split})
    list(FILTER left_out EXCLUDE REGEX ${split_stays})
    list(REMOVE_ITEM library ${left_out} "")
    list(FILTER left_out INCLUDE REGEX "/internode/")
    list(APPEND simulation ${left_out})
endif()
if(NOT STRATA_TORUS)
    list(FILTER library EXCLUDE REGEX "/internode/torus/")
    set_source_files_properties(internode/algorithms.c PROPERTIES COMPILE_DEFINITIONS STRATA_WITHOUT_TORUS)
endif()
