/* How pictures look that the command draws as SVG, in a light and in a dark page. */
#ifndef STRATA_TOOLS_COMMAND_PICTURE_H
#define STRATA_TOOLS_COMMAND_PICTURE_H

/* Texts, the ground, a lane for each row, lines of an axis, and bars and marks of two kinds. */
#define TOOL_PICTURE_LIGHT                                                                         \
    "  text { font: 12px sans-serif; fill: #24292f; }\n"                                           \
    "  .head { font: bold 17px sans-serif; }\n"                                                    \
    "  .small { font-size: 11px; fill: #57606a; }\n"                                               \
    "  .number { text-anchor: end; }\n"                                                            \
    "  .middle { text-anchor: middle; }\n"                                                         \
    "  .ground { fill: #ffffff; }\n"                                                               \
    "  .lane { fill: #eceff3; }\n"                                                                 \
    "  .line { stroke: #d0d7de; }\n"                                                               \
    "  .waited, .untuned { fill: #d9730d; }\n"                                                     \
    "  .moved, .native { fill: #2f6fbf; }\n"
#define TOOL_PICTURE_DARK                                                                          \
    "    text { fill: #e6edf3; }\n"                                                                \
    "    .small { fill: #9da7b1; }\n"                                                              \
    "    .ground { fill: #0d1117; }\n"                                                             \
    "    .lane { fill: #21262d; }\n"                                                               \
    "    .line { stroke: #3d444d; }\n"                                                             \
    "    .waited, .untuned { fill: #f0a050; }\n"                                                   \
    "    .moved, .native { fill: #4d8fe0; }\n"

#endif
