/* pak_list.h - a pak's files for people and machines. */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_LIST_H
#define OFFLINE_PACK_PAK_LIST_H

#include "common/report.h"
#include "pak/pak_index.h"

#include <stdio.h>

/* A line for each file of each place, in the order of the places; those of no
 * bytes come last. */
void pak_list_print(const struct pak_index *index, FILE *file);
/* The same as an array "list". */
void pak_list_json(const struct pak_index *index, cJSON *json);

#endif
