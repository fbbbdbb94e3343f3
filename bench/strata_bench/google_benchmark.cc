// Google Benchmark behind bench.h: it selects cases, runs them and writes reports. The one C++ file.
#include "bench/strata_bench/bench.h"

#include <benchmark/benchmark.h>

#include <vector>

namespace
{

// Our own table is printed by the suite, case by case.
class NoReport : public benchmark::BenchmarkReporter
{
  public:
    bool ReportContext(const Context &) override
    {
        return true;
    }
    void ReportRuns(const std::vector<Run> &) override
    {
    }
};

// Google Benchmark's clock stands still meanwhile: the time that counts is the suite's, which all
// ranks agreed on.
void run_case(benchmark::State &state, const bench_suite *suite, int index)
{
    const char *error = suite->open(index);
    if (error) {
        state.SkipWithError(error);
        return;
    }
    for (auto _ : state) {
        state.PauseTiming();
        state.SetIterationTime(suite->batch());
        state.ResumeTiming();
    }
    const bench_result *result = suite->close();
    if (result->error) {
        state.SkipWithError(result->error);
        return;
    }
    state.SetLabel(result->label);
    for (int i = 0; i < result->ncounters; i++) {
        state.counters[result->counters[i].name] = result->counters[i].value;
    }
}

} // namespace

void bench_initialize(int *argc, char **argv)
{
    benchmark::Initialize(argc, argv);
}

void bench_context(const char *key, const char *value)
{
    benchmark::AddCustomContext(key, value);
}

size_t bench_run(const bench_suite *suite, bool report)
{
    NoReport none;
    for (int index = 0; index < suite->cases; index++) {
        benchmark::RegisterBenchmark(suite->name(index), run_case, suite, index)
            ->UseManualTime()
            ->Iterations(suite->batches)
            ->Unit(benchmark::kMicrosecond);
    }
    size_t count =
        report ? benchmark::RunSpecifiedBenchmarks() : benchmark::RunSpecifiedBenchmarks(&none);
    benchmark::Shutdown();
    return count;
}
