/* Writes the part of the page that one study fills. */
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/page.h"

#include "tools/study/report/html.h"
#include "tools/study/report/picture.h"
#include "tools/study/report/report.h"
#include "tools/study/table/columns.h"
#include "tools/study/table/memory.h"

static void put_element(FILE *file, const char *open, const char *text, const char *close)
{
    fputs(open, file);
    tool_html_text(file, text);
    fputs(close, file);
}

static const char *verdict_class(const struct study_finding *finding)
{
    const char *verdict = study_verdict(finding);
    return strncmp(verdict, "not", 3) == 0 ? "unmeasured" : verdict;
}

static void put_summary(FILE *file, const struct study_report *report)
{
    fprintf(file,
            "<div class=\"sum\"><div><b class=\"agrees\">%d</b>claims of the paper agree</div>"
            "<div><b class=\"disagrees\">%d</b>disagree</div>"
            "<div><b class=\"unmeasured\">%d</b>not judged or not measured</div>"
            "<div><b>%d</b>points in the CSV</div></div>\n",
            report->agreeing, report->judged - report->agreeing, report->claims - report->judged,
            report->store->dones);
    fputs(
        "<p class=\"caption\">A claim about two methods agrees if they come in the paper's order "
        "at "
        "80 % of the points or more; a claim about a trend if it has the same sign (a slope of the "
        "logarithms below 0.1 is none). How much faster something is depends on the machine, "
        "so figures stand side by side and are not judged. Points whose spreads overlap are not "
        "told "
        "apart, and do not count.</p>\n",
        file);
    if (report->busy) {
        fprintf(file,
                "<p class=\"disagrees\">%d of %d rows are left out of the judging: other programs "
                "took more than a tenth of the machine during their measurement, and again when "
                "it was repeated.</p>\n",
                report->busy, report->store->table.rows);
    }
}

/* Writes the comment lines "# key: value" as a list for each run. A run begins with the key
 * "run". */
static void put_runs(FILE *file, const struct study_store *store)
{
    const char *comments = store->comments;
    fputs("<section class=\"card\"><h2>Where and how it was made</h2>\n", file);
    fputs(study_store_mixed(store)
              ? "<p class=\"disagrees\">Runs of more than one commit added points.</p>\n<dl>\n"
              : "<dl>\n",
          file);
    while (*comments) {
        size_t length = strcspn(comments, "\n");
        char *line = study_copy(comments, length);
        char *mark = strstr(line, ": ");
        if (strncmp(line, "# run: ", 7) == 0) {
            fputs("</dl>\n<dl>\n", file);
        }
        if (strncmp(line, "# ", 2) == 0 && mark) {
            *mark = '\0';
            put_element(file, "<dt>", line + 2, "</dt>");
            put_element(file, "<dd>", mark + 2, "</dd>\n");
        }
        free(line);
        comments += length + (comments[length] == '\n');
    }
    fputs("</dl></section>\n", file);
}

static void put_lines(FILE *file, const char *text)
{
    fputs("<details><summary>the points</summary><pre>", file);
    tool_html_text(file, text);
    fputs("</pre></details>", file);
}

static void put_claim(FILE *file, const struct study_claim *claim,
                      const struct study_finding *finding)
{
    put_element(file, "<tr><td><div class=\"claim\">", claim->sentence, "</div>");
    put_element(file, "<div class=\"place\">", claim->place, "</div></td>");
    put_element(file, "<td>", claim->number, "</td>");
    put_element(file, "<td>", finding->points ? finding->ours : "", "");
    if (finding->lacks && finding->points) {
        put_element(file, "<p>Not judged without points of ", finding->lacks, ".</p>\n");
    }
    if (finding->points && !finding->lacks && !finding->agrees && claim->note) {
        put_element(file, "<p>", claim->note, "</p>");
    }
    if (finding->points && finding->details) {
        put_lines(file, finding->details);
    }
    fprintf(file, "</td><td class=\"verdict %s\">%s</td></tr>\n", verdict_class(finding),
            study_verdict(finding));
}

static void put_claims(FILE *file, const struct study_report *report,
                       const struct study_picture *picture)
{
    bool any = false;
    const struct study_claim *claims = report->study->claims;
    for (int i = 0; i < report->claims; i++) {
        if (strcmp(claims[i].picture, picture->name) != 0) {
            continue;
        }
        if (!any) {
            fputs(
                "<div class=\"scroll\"><table><thead><tr><th>The paper says</th><th>its figure</th>"
                "<th>ours</th><th>verdict</th></tr></thead><tbody>\n",
                file);
        }
        any = true;
        put_claim(file, &claims[i], &report->findings[i]);
    }
    if (any) {
        fputs("</tbody></table></div>\n", file);
    }
}

static void put_picture(FILE *file, const struct study_report *report,
                        const struct study_picture *picture)
{
    char *path = study_picture_path(report->study, picture, report->folder, "svg");
    char *prefix = study_text("%s-%s", report->study->name, picture->name);
    put_element(file, "<section class=\"card\"><h2>", picture->title, "</h2>\n");
    if (!report->drawn || !study_html_picture(file, path, prefix)) {
        fprintf(file, "<p class=\"unmeasured\">%s</p>\n",
                report->drawn ? "No points of this picture were run."
                              : "No picture: gnuplot is not installed.");
    }
    put_element(file, "<p class=\"caption\">", picture->caption, "</p>\n");
    put_claims(file, report, picture);
    fputs("</section>\n", file);
    free(prefix);
    free(path);
}

/* Collects all results that disagree with the paper. */
static void put_disagreements(FILE *file, const struct study_report *report)
{
    fputs("<section class=\"card\"><h2>Disagreements</h2>\n", file);
    for (int i = 0; i < report->claims; i++) {
        const struct study_claim *claim = &report->study->claims[i];
        const struct study_finding *finding = &report->findings[i];
        if (strcmp(study_verdict(finding), "disagrees") != 0) {
            continue;
        }
        put_element(file, "<h3>", claim->place, "</h3>\n");
        put_element(file, "<p>The paper: ", claim->sentence, ".</p>\n");
        put_element(file, "<p>Here: ", finding->ours, ".</p>\n");
        put_element(file, "<p>Cause: ",
                    claim->note ? claim->note
                                : "not known; the counts below are what was measured.",
                    "</p>\n");
        put_element(file, "<pre>", finding->details ? finding->details : "", "</pre>\n");
    }
    if (report->agreeing == report->judged) {
        fputs("<p>None among what was measured.</p>\n", file);
    }
    fputs("</section>\n", file);
}

/* Says what the columns hold. */
static void put_columns(FILE *file, const struct study_table *table)
{
    fputs("<dl>\n", file);
    for (int i = 0; i < table->width; i++) {
        put_element(file, "<dt>", table->columns[i], "</dt>");
        put_element(file, "<dd>", study_column_text(table->columns[i]), "</dd>\n");
    }
    fputs("</dl>\n", file);
}

static void put_data(FILE *file, const struct study_report *report)
{
    const struct study_table *table = &report->store->table;
    fprintf(file, "<details><summary>all %d rows of %s.csv, and what its columns hold</summary>\n",
            table->rows, report->study->name);
    put_columns(file, table);
    fputs("<div class=\"scroll\"><table><thead><tr>", file);
    for (int i = 0; i < table->width; i++) {
        put_element(file, "<th>", table->columns[i], "</th>");
    }
    fputs("</tr></thead><tbody>\n", file);
    for (int i = 0; i < table->rows; i++) {
        fputs("<tr>", file);
        for (int j = 0; j < table->width; j++) {
            put_element(file, "<td>", table->cells[i][j], "</td>");
        }
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div></details>\n", file);
}

void study_page_write(FILE *file, const struct study_report *report)
{
    const struct study *study = report->study;
    put_element(file, "<header><h1>", study->title, "</h1>\n");
    put_element(file, "<p class=\"paper\">", study->paper, "</p>\n");
    put_element(file, "<p class=\"lead\">", study->shows, "</p>\n");
    if (study->left_out) {
        put_element(file, "<p>Left out: ", study->left_out, "</p>\n");
    }
    fputs("</header>\n", file);
    study_answer_html(&report->answer, file);
    if (report->claims > 0) {
        put_summary(file, report);
    }
    for (int i = 0; i < report->pictures.count; i++) {
        put_picture(file, report, &report->pictures.pictures[i]);
    }
    if (report->claims > 0) {
        put_disagreements(file, report);
    }
    put_runs(file, report->store);
    put_data(file, report);
}
