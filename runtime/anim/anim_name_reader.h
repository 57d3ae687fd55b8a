/* anim_name_reader.h - reads coded names of joints and float tracks.
 *
 * A name is the number of bytes at its start that are equal to the name before,
 * then the other bytes and a NUL, each as eight bits from high to low. A file
 * includes it after model_reader.h; head_writer.c of the compiler writes.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_ANIM_ANIM_NAME_READER_H
#define SPN_ANIM_ANIM_NAME_READER_H

#include "anim/anim_model.h"
#include "base/mem.h"

#include <stdbool.h>

/* Read a name.
 *
 * before        the name before, without need of a NUL; may be `name`
 * before_bytes  without NUL; 0 for the first name
 * name          filled, with NUL
 * limit         bytes at `name`; a longer name is damaged
 * bytes         of the name without its NUL
 *
 * Returns false, with undefined outputs, if the name is damaged. */
static inline bool read_name(struct coder *c, struct anim_name_models *m,
                             const char *before, uint32_t before_bytes,
                             char *name, uint32_t limit, uint32_t *bytes)
{
    const uint32_t common = code_number(c, &m->common, 0);
    uint32_t count = common;
    uint32_t byte;

    if (common > before_bytes || common > limit)
        return false;
    memmove(name, before, common);
    do {
        if (count == limit)
            return false;
        byte = code_tree(c, m->text, 8, 0);
        name[count++] = (char)byte;
    } while (byte != 0);
    *bytes = count - 1;
    return true;
}

#endif
