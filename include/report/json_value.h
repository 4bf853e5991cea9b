/* Values of a JSON document (RFC 8259). What is not known is null. */
#ifndef REPORT_JSON_VALUE_H
#define REPORT_JSON_VALUE_H

#include <stdio.h>

/* Quoted. Bytes that are no UTF-8, which a path may have, become the replacement character. */
void json_string(FILE *out, const char *text);

/* A further member of an object: a text, null when it is "", or a number, null when it is NAN. */
void json_text(FILE *out, const char *name, const char *text);
void json_number(FILE *out, const char *name, double value);

#endif
