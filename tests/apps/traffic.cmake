# The skeletons of bench/: what arrives is checked before it is timed.
set(quickly --batches 1 --seconds 0.001)
app_test("is_traffic" bench_is_traffic 0 "^counts +3 @^keys +3 @!wrong" 3 STRATA_TOPO=node:2 ${quickly})
app_test("fft_traffic" bench_fft_traffic 0 "^rows +2 @^columns +2 @!wrong" 4 STRATA_TOPO=node:3,1
         --grid 2x2 ${quickly})
app_test("fft_traffic refuses a grid" bench_fft_traffic 2 "^--grid PxQ: P times Q ranks" 2 ""
         --grid 2x2)
