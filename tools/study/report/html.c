/* Writes parts of the page, as XML that is also HTML, so that a test can read it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/study/report/html.h"

#include "tools/study/report/report.h"
#include "tools/study/table/files.h"

static const char style[] =
    ":root{--ink:#1c2733;--soft:#5b6877;--line:#dfe5ec;--page:#f5f7fa;--good:#00704d;"
    "--bad:#a63c00;--none:#5b6877;--accent:#0072b2}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--page);color:var(--ink);"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI','DejaVu Sans',Helvetica,sans-serif}\n"
    "main{max-width:980px;margin:0 auto;padding:28px 20px 64px}\n"
    "h1{font-size:1.75rem;line-height:1.25;margin:.2em 0 .35em}\n"
    "h2{font-size:1.2rem;margin:0 0 .5em}\nh3{font-size:1rem;margin:1.2em 0 .4em}\n"
    "p{margin:.5em 0}\n.paper{color:var(--soft)}\n.lead{font-size:1.06rem}\n"
    ".card{background:#fff;border:1px solid var(--line);border-radius:10px;padding:20px 22px;"
    "margin:20px 0}\n"
    ".card svg{display:block;width:100%;height:auto;margin:.6em 0}\n"
    ".caption{color:var(--soft);font-size:.93rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.92rem}\n"
    "th,td{text-align:left;vertical-align:top;padding:8px 10px;border-top:1px solid var(--line)}\n"
    "thead th{border-top:0;color:var(--soft);font-weight:600}\n"
    "td.number{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".verdict{font-weight:600;white-space:nowrap}\n.agrees{color:var(--good)}\n"
    ".disagrees{color:var(--bad)}\n.unmeasured{color:var(--none)}\n"
    ".claim::first-letter{text-transform:uppercase}\n.place{color:var(--soft);font-size:.86rem}\n"
    "pre,code{font-family:ui-monospace,'DejaVu Sans Mono',monospace;font-size:.85rem}\n"
    "pre{background:#eef2f6;border-radius:8px;padding:12px 14px;white-space:pre-wrap;"
    "overflow-wrap:anywhere;margin:.5em 0}\n"
    ".sum{display:flex;flex-wrap:wrap;gap:12px;margin:18px 0}\n"
    ".sum div{background:#fff;border:1px solid var(--line);border-radius:10px;padding:10px 18px}\n"
    ".sum b{display:block;font-size:1.5rem;line-height:1.3}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:4px "
    "18px;margin:0;font-size:.92rem}\n"
    "dl:empty{display:none}dl+dl{margin-top:14px;border-top:1px solid "
    "var(--line);padding-top:12px}\n"
    "dt{color:var(--soft)}\ndd{margin:0;overflow-wrap:anywhere}\n"
    "summary{cursor:pointer;color:var(--accent)}\n.scroll{overflow-x:auto}\n"
    "@media print{body{background:#fff}.card{break-inside:avoid}}\n";

void study_html_head(FILE *file, const char *title)
{
    fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\"/>\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
          file);
    tool_html_text(file, title);
    fprintf(file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", style);
}

void study_html_foot(FILE *file)
{
    fputs("</main>\n</body>\n</html>\n", file);
}

/* Whether an identifier, or a reference to one, begins right after this text. */
static bool names_follow(const char *text, const char *from)
{
    static const char *const marks[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        size_t length = strlen(marks[i]);
        if ((size_t)(from - text) >= length && strncmp(from - length, marks[i], length) == 0) {
            return true;
        }
    }
    return false;
}

bool study_html_picture(FILE *file, const char *path, const char *prefix)
{
    char *text = study_file_read(path);
    const char *start = text ? strstr(text, "<svg") : NULL;
    for (const char *at = start; at && *at; at++) {
        if (names_follow(start, at)) {
            fprintf(file, "%s-", prefix);
        }
        putc(*at, file);
    }
    free(text);
    return start != NULL;
}
