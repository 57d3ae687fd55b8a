/* play_damage.c - one fault for each file, with the number of its frames. */
/* SPDX-License-Identifier: MIT */
#include "player/play_damage.h"

#include "common/fault_text.h"

#include <stdio.h>

/* If a file has several faults, the last one is reported. */
static void note_damage(struct playing_file *file, const spn_node_state *state)
{
    struct play_fault *damage = &file->damage;

    if (state->frames_dropped == 0)
        return;
    damage->frames_dropped += state->frames_dropped;
    /* A status above 0 says that the frame is pending: no fault. */
    if (state->fault.status >= SPN_OK)
        return;
    damage->fault = state->fault;
    damage->fault.file = NULL;
    damage->frame = state->fault_frame;
}

static void report_damage(const struct player *player,
                          const struct play_fault *damage, bool is_first)
{
    char more[64];

    snprintf(more, sizeof more, "; %u frames not shown",
             damage->frames_dropped);
    if (damage->fault.status == SPN_OK)
        diag_refuse(player->diag, damage->file, DIAG_NO_OFFSET, NULL, "%s",
                    more + 2);
    else if (is_first)
        fault_refuse_with(player->diag, damage->file, damage->frame,
                          &damage->fault, more);
    else
        fault_warn(player->diag, damage->file, damage->frame, &damage->fault,
                   "%s", more);
}

void play_damage_collect(struct player *player)
{
    struct play_report *report = player->report;

    for (uint32_t i = 0; i < player->stream_count; i++) {
        spn_node_state state;

        if (spn_node_get_state(player->rt, player->streams[i].node, &state) ==
            SPN_OK)
            note_damage(player->streams[i].file, &state);
    }
    for (uint32_t i = 0; i < player->options->file_count; i++) {
        struct play_fault *damage = &player->files[i].damage;

        if (damage->frames_dropped == 0)
            continue;
        damage->file = player->files[i].path;
        report_damage(player, damage, report->fault_count == 0);
        report->faults[report->fault_count++] = *damage;
    }
}
