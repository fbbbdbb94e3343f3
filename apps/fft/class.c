/* The classes of NAS FT. */
#include "apps/fft/ft.h"

static const struct ft_class classes[] = {
    {'S', {64, 64, 64}, 6, ft_checksums_S},     {'W', {32, 128, 128}, 6, ft_checksums_W},
    {'A', {128, 256, 256}, 6, ft_checksums_A},  {'B', {256, 256, 512}, 20, ft_checksums_B},
    {'C', {512, 512, 512}, 20, ft_checksums_C}, {'D', {1024, 1024, 2048}, 25, ft_checksums_D},
};

const struct ft_class *ft_class_find(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (name[0] == classes[i].name && name[1] == '\0') {
            return &classes[i];
        }
    }
    return NULL;
}
