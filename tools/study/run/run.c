/* The runner: runs simulated points several at a time, and timed ones alone. Whatever ends the
 * runner ends its points too. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "tools/command/command.h"
#include "tools/study/run/job.h"
#include "tools/study/run/progress.h"
#include "tools/study/run/run.h"

static int most_jobs(const struct study_request *request)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long jobs = request->jobs > 0 ? request->jobs : processors;
    return jobs < 1 ? 1 : jobs > STUDY_MOST_JOBS ? STUDY_MOST_JOBS : (int)jobs;
}

static const struct study_point *next_point(struct study_run *run)
{
    while (run->next < run->points->count) {
        const struct study_point *point = &run->points->points[run->next];
        if (study_store_has(run->store, point) == 0) {
            return point;
        }
        run->next++;
    }
    return NULL;
}

/* Timed points run alone, others beside each other. */
static bool may_start(const struct study_run *run, const struct study_point *point)
{
    int most = point->timed || run->timed ? 1 : most_jobs(run->request);
    return run->running < most && !run->signal;
}

static void start_points(struct study_run *run)
{
    const struct study_point *point;
    while ((point = next_point(run)) && may_start(run, point)) {
        struct study_job *job = run->jobs;
        while (job->point) {
            job++;
        }
        run->next++;
        run->timed = point->timed;
        if (study_job_start(job, run->request, point)) {
            run->running++;
        } else {
            fprintf(stderr, "strata study: %s cannot be started: %s\n", point->name,
                    strerror(errno));
            run->failed++;
        }
    }
}

static void end_job(struct study_run *run, struct study_job *job, int status)
{
    const struct study_point *point = job->point;
    double seconds = strata_seconds() - job->began;
    study_progress_clear(run);
    const enum study_end end = study_job_finish(job, run, status);
    if (end == STUDY_AGAIN) {
        run->next = (int)(point - run->points->points);
        fprintf(stderr, "  %s: other programs took more than a tenth of the machine; once more\n",
                point->name);
    } else {
        run->weight_left -= point->weight;
        run->left--;
    }
    if (end == STUDY_DONE) {
        run->done++;
        run->weight_done += point->weight;
        study_progress_point(run, point, seconds);
    }
    run->failed += end == STUDY_FAILED;
    run->running--;
    study_job_release(job);
}

static void reap_jobs(struct study_run *run)
{
    for (int i = 0; i < STUDY_MOST_JOBS; i++) {
        struct study_job *job = &run->jobs[i];
        int status = 0;
        if (job->point && strata_seconds() - job->began > run->request->limit) {
            kill(-job->child.pid, SIGTERM);
            fprintf(stderr, "strata study: %s takes longer than --limit %g seconds\n",
                    job->point->name, run->request->limit);
            study_child_stop(&job->child);
            end_job(run, job, -1);
        } else if (job->point && study_child_ended(&job->child, &status)) {
            end_job(run, job, status);
        }
    }
}

static void stop_jobs(struct study_run *run)
{
    study_progress_clear(run);
    for (int i = 0; i < STUDY_MOST_JOBS; i++) {
        if (run->jobs[i].point) {
            study_child_stop(&run->jobs[i].child);
            study_job_release(&run->jobs[i]);
        }
    }
    fprintf(stderr, "strata study: interrupted; the same command goes on where this one stopped\n");
}

/* The signals that the runner blocks and fetches while it waits: without handlers there are no
 * races. */
static sigset_t fetched_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    return set;
}

static void run_all(struct study_run *run, const sigset_t *signals)
{
    const struct timespec stamp = {.tv_nsec = 250000000};
    start_points(run);
    while (run->running > 0 && !run->signal) {
        int number = sigtimedwait(signals, NULL, &stamp);
        run->signal = number > 0 && number != SIGCHLD ? number : 0;
        reap_jobs(run);
        start_points(run);
        study_progress_show(run);
    }
}

int study_run_points(const struct study_request *request, const struct study_points *points,
                     struct study_store *store)
{
    struct study_run run = {.request = request,
                            .points = points,
                            .store = store,
                            .began = strata_seconds(),
                            .terminal = isatty(2) == 1};
    sigset_t signals = fetched_signals(), before;
    for (int i = 0; i < points->count; i++) {
        bool is_there = study_store_has(store, &points->points[i]) == 1;
        run.weight_left += is_there ? 0 : points->points[i].weight;
        run.left += !is_there;
    }
    sigprocmask(SIG_BLOCK, &signals, &before);
    run_all(&run, &signals);
    if (run.signal) {
        stop_jobs(&run);
    }
    study_progress_clear(&run);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (run.signal) {
        signal(run.signal, SIG_DFL);
        raise(run.signal); /* end as the signal would have ended us: a calling script ends too */
    }
    return run.failed ? TOOL_FAILED : TOOL_OK;
}
