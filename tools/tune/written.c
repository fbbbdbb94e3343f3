#include "tools/tune/written.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/command/beside.h"
#include "tools/command/words.h"

struct tool_written tool_written_open(const char *out)
{
    struct tool_written w = {.file = out ? NULL : stdout};
    struct stat there;
    if (out && stat(out, &there) == 0 && !S_ISREG(there.st_mode)) {
        w.file = fopen(out, "w");
    } else if (out) {
        const int file = tool_file_beside(out, w.fresh, sizeof w.fresh);
        w.file = file >= 0 ? fdopen(file, "w") : NULL;
        if (file >= 0 && !w.file) {
            unlink(w.fresh);
        }
    }
    return w;
}

bool tool_written_can(struct tool_written *w)
{
    if (w->file && w->fresh[0]) {
        fclose(w->file);
        return unlink(w->fresh) == 0;
    }
    return w->file != NULL;
}

bool tool_written_close(struct tool_written *w, const char *out)
{
    const bool good = w->file == stdout ? fflush(stdout) == 0 : fclose(w->file) == 0;
    if (!w->fresh[0]) {
        return good;
    }
    if (!good || rename(w->fresh, out) != 0) {
        unlink(w->fresh);
        return false;
    }
    return true;
}

int tool_written_complain(const struct tool_command *command, const char *out)
{
    tool_complain(command, "cannot write \"%s\": %s", out ? out : "the output", strerror(errno));
    return TOOL_FAILED;
}
