# The skeletons of bench/: what arrives is checked before it is timed.
set(quickly --batches 1 --seconds 0.001)
strata_launched_test("is_traffic" bench_is_traffic 0 "^counts +3 @^keys +3 @!wrong" 3 STRATA_TOPO=node:2 ${quickly})
strata_launched_test("fft_traffic" bench_fft_traffic 0 "^rows +2 @^columns +2 @!wrong" 4 STRATA_TOPO=node:3,1
         --grid 2x2 ${quickly})
strata_launched_test("fft_traffic refuses a grid" bench_fft_traffic 2
         "^fft_traffic: --grid '2x2': needs 4 ranks, not 2" 2 "" --grid 2x2)
strata_launched_test("fft_traffic refuses many columns" bench_fft_traffic 2
         "^fft_traffic: --grid '2x999999999': 64 x 64 x 64 elements have room for 64" 2 ""
         --grid 2x999999999)
strata_launched_test("is_traffic refuses a class" bench_is_traffic 2
         "^is_traffic: --class 'Q': must be S, W, A, B, C or D" 1 "" --class Q)
