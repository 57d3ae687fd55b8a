/* pak_list.h - print the entries of a pak as text or JSON, for `spindle info`.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_PACK_PAK_LIST_H
#define OFFLINE_PACK_PAK_LIST_H

#include "common/report.h"
#include "pak/pak_index.h"

#include <stdio.h>

/* Print one line for each entry at each of its positions, by position. Entries
 * without bytes come last. */
void pak_list_print(const struct pak_index *index, FILE *file);
/* Add the same as an array "list" to a JSON object. */
void pak_list_json(const struct pak_index *index, cJSON *json);

#endif
