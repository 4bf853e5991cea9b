/* Sizes, durations and figures: parsed and printed by the same tables. Decimal points are ".", whatever
 * the locale. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdint.h>

#define KIB (UINT64_C(1) << 10)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

enum { UNITS_TEXT = 32 };       /* room for any text printed here, its end included */

/* The parsers take the whole string or nothing. They return NULL, or why the text is not one, as a phrase with its
 * remedy that follows the quoted value: "is not a whole size; use 512, 16k, 1m or 1g". The result is then unset. */

/* A size in bytes, 1 .. 2^64-1: decimal digits, then k, m, g or t in either case for powers of 1024, then B or iB. */
const char *size_parse(const char *text, uint64_t *bytes);

/* A duration in ns, 0 .. 2^62: a decimal number with at most nine decimals, then ns, us, ms, s, m or h; seconds without. */
const char *duration_parse(const char *text, int64_t *ns);

/* A whole number, 0 .. 2^64-1. */
const char *count_parse(const char *text, uint64_t *count);

/* A decimal number, 0 or more, with at most nine decimals. */
const char *number_parse(const char *text, double *number);

/* A percentage, 0 < value <= 100, with or without %. */
const char *percent_parse(const char *text, double *percent);

/* The size that size_parse() reads back: in the largest unit that leaves a whole number, "16k", "1m", "4000". */
char *size_print(char text[UNITS_TEXT], uint64_t bytes);

/* The capacity of a disk in powers of 1000, three digits, as it stands on its label: "240 MB", "4.00 TB". */
char *capacity_print(char text[UNITS_TEXT], uint64_t bytes);

/* A duration for people: "250 ms", "9.5 s", "12 min 30 s", "3 h 05 min". Negative ones count as 0. */
char *duration_print(char text[UNITS_TEXT], int64_t ns);

/* A latency, four digits: "812 ns", "81.34 us", "8.3 ms", "1.25 s"; NAN is "-". */
char *latency_print(char text[UNITS_TEXT], double ns);

/* A figure with so many decimals, or as many fewer as make it fit into width; NAN is "-". */
char *figure_print(char text[UNITS_TEXT], double value, int decimals, int width);

#endif
