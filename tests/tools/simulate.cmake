# Simulated clusters: words that are wrong, everywhere; runs, once, where build/smpi lies beside this
# build.
tool_test("simulate nothing" 2 "a collective is needed" simulate)
tool_test("simulate a wrong thing" 2 "\"sort\" is neither a collective of strata list nor is_sort"
          simulate sort)
tool_test("simulate nowhere" 2 "--platform and --ranks are needed" simulate bcast)
tool_test("simulate on a wrong platform" 2
          "--platform: \"moon\" is not known. allowed is one of bluegene, .*smoky, yahoo"
          simulate bcast --platform moon --ranks 4)
tool_test("simulate on an adapter of no platform" 2 "allowed behind cervino is adapter=SECONDS, more than 0 and at most 1"
          simulate bcast --platform cervino:adapter --ranks 4)
tool_test("simulate on an adapter that the program has not" 1 "/bin/sh was built without shared adapters; build it again"
          simulate bcast --platform smoky:adapter --ranks 4 --program /bin/sh)
tool_test("replay on a shared adapter" 2 "--platform: a replay has no shared adapter"
          replay bcast --platform smoky:adapter=1e-6 --ranks 4)
tool_test("simulate too many ranks" 2 "--ranks \"1281\": allowed is at most 1280: smoky has 80 hosts"
          simulate bcast --platform smoky --ranks 1281)
tool_test("simulate too many threads" 2
          "--threads \"5\": allowed is at most 4: a node of smoky has 16 cores, and 4 ranks"
          simulate bcast --platform smoky --ranks 8 --ranks-per-node 4 --threads 5)
tool_test("simulate more ranks than threads have cores" 2 "--ranks \"161\": allowed is at most 160: smoky has 80 hosts, with 2 "
          simulate bcast --platform smoky --ranks 161 --threads 8)
tool_test("simulate split with threads" 2 "unknown option \"--threads\"; split has --platform"
          simulate split --platform smoky --ranks 4 --threads 2)
tool_test("simulate a wrong method" 2 "--methods: \"quick\" is no algorithm of alltoallv; there are"
          simulate alltoallv --platform smoky --ranks 4 --methods quick)
tool_test("simulate a wrong mapping" 2 "--mapping \"round\": allowed is sequential or cyclic"
          simulate bcast --platform smoky --ranks 4 --mapping round)
tool_test("simulate wrong bytes" 2 "--bytes \"8,x\": allowed is up to 64 sizes"
          simulate bcast --platform smoky --ranks 4 --bytes 8,x)
tool_test("simulate bytes that end with a comma" 2 "--bytes \"8,\": allowed is up to 64 sizes"
          simulate bcast --platform smoky --ranks 4 --bytes 8,)
tool_test("simulate methods that end with a comma" 2 "--methods \"auto,\": allowed is up to 32 methods between"
          simulate bcast --platform smoky --ranks 4 --methods auto,)
string(REPEAT "x" 192 long)
tool_test("simulate a method with a long name" 2 "--methods \"xx.*\": allowed is up to 32 methods between"
          simulate bcast --platform smoky --ranks 4 --methods ${long})
tool_test("simulate a wrong pattern" 2 "--pattern uniform: all blocks of alltoall have one length"
          simulate alltoall --platform smoky --ranks 4 --pattern uniform)
tool_test("simulate a wrong class" 2 "--class \"Z\": allowed is S, W, A"
          simulate is_sort --platform smoky --ranks 4 --class Z)
tool_test("simulate a wrong case" 2 "--cases \"reorder,split-none-5\": allowed are up to 64 of reorder, split-many-N"
          simulate split --platform smoky --ranks 4 --cases reorder,split-none-5)
tool_test("simulate cases that end with a comma" 2 "--cases \"reorder,\": allowed are up to 64 of reorder"
          simulate split --platform smoky --ranks 4 --cases reorder,)
tool_test("simulate a wrong split" 2 "--methods: \"hsh\" is no method; there are: .*MPI_Comm_split"
          simulate split --platform smoky --ranks 4 --methods bitonic,hsh)
tool_test("simulate split with what it has not" 2 "unknown option \"--bytes\"; split has --platform, .*--cases"
          simulate split --platform smoky --ranks 4 --bytes 8)
tool_test("simulate cases of a collective" 2 "unknown option \"--cases\"; bcast has .*--bytes"
          simulate bcast --platform smoky --ranks 4 --cases reorder)
tool_test("simulate a wrong option" 2 "unknown option \"--rank\"; bcast has --platform, --ranks"
          simulate bcast --platform smoky --rank 4)
tool_test("simulate is_sort with what it has not" 2 "--calls, --seed, .* are for collectives"
          simulate is_sort --platform smoky --ranks 4 --calls 2)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/parts.xml
     "<platform><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3,6-9\"/></platform>")
tool_test("simulate on hosts with gaps" 2 "parts.xml: no platform .* a radical such as 0-79"
          simulate bcast --platform ${CMAKE_CURRENT_BINARY_DIR}/parts.xml --ranks 8)
tool_test("list platforms" 0 "^smoky +80 hosts x 16 @^yahoo +16 hosts x 8 " list platforms)
if(NOT STRATA_HAVE_MPI AND NOT STRATA_SANITIZE)
    foreach(case rows_of_alltoallv rows_of_alltoall rows_of_allgather rows_of_trees rows_of_reductions
                 same_figures_twice verification_costs_nothing copies_take_time shared_adapter every_platform mapping is_sort fft
                 threads_share_work threads_share_copies threads_share_pieces
                 split late_root interruption allocator waits failures)
        add_test(NAME simulate/${case} COMMAND ${PROJECT_SOURCE_DIR}/tests/simulate.sh
                                               $<TARGET_FILE:strata_tool> ${case})
        set_tests_properties(simulate/${case} PROPERTIES TIMEOUT 300 LABELS simulate
                                                         SKIP_RETURN_CODE 77)
    endforeach()
endif()
