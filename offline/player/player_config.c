/* player_config.c - size the runtime's tables for what is played, and set
 * tuning variables.
 */
/* SPDX-License-Identifier: MIT */
#include "player/player_config.h"

#include "common/codecs.h"

#include <stdio.h>
#include <string.h>

/* -- the config -- */

/* Size the tables that depend on the clips, from the headers. */
static bool size_tables(struct player *player, uint32_t source,
                        spn_config *config)
{
    const struct play_options *o = player->options;
    struct cache_header header;
    double frames_ahead;
    double rate;

    if (!play_paks_header(&player->paks, source, &header, player->diag))
        return false;
    rate = header.duration_us > 0
               ? (header.frame_count - 1) * 1e6 / (double)header.duration_us
               : 1;
    /* Frames that a stream buffers: those of the time ahead with a margin, and
     * of groups at both ends. */
    frames_ahead = rate * (o->ahead_max_s > 5 ? o->ahead_max_s : 5) * 1.25 +
                   4.0 * header.index_distance + 16;
    if (frames_ahead > SPN_STREAM_FRAMES_MAX)
        frames_ahead = SPN_STREAM_FRAMES_MAX;
    if ((uint32_t)frames_ahead > config->stream_frame_count)
        config->stream_frame_count = (uint32_t)frames_ahead;
    return true;
}

bool player_config_make(struct player *player, spn_config *config)
{
    const struct play_options *o = player->options;

    memset(config, 0, sizeof *config);
    config->platform = &player->platform;
    config->heap_bytes = o->heap_mib << 20;
    config->worker_count = o->is_virtual                   ? SPN_NO_WORKERS
                           : o->worker_count == UINT32_MAX ? 0
                           : o->worker_count == 0          ? SPN_NO_WORKERS
                                                           : o->worker_count;
    config->cache_count = o->file_count > 64 ? o->file_count : 64;
    config->file_count = config->cache_count + player->paks.count;
    config->pak_count = player->paks.count;
    config->node_count = player->stream_count > 64 ? player->stream_count : 64;
    config->stream_frame_count = 512;
    if (o->drive)
        config->media[SPN_MEDIUM_OPTICAL].drive = &player->drive.profile;
    if (o->order)
        config->media[SPN_MEDIUM_OPTICAL].order = strcmp(o->order, "key") == 0
                                                      ? SPN_ORDER_SORT_KEY
                                                      : SPN_ORDER_DEADLINE;
    player->listener = play_reads_listener(&player->report->reads);
    config->listener = &player->listener;
    if (o->decode_us > 0) {
        play_reads_charge(&player->listener, &player->worker);
        play_worker_init(&player->worker, o->decode_us, config);
    }
    play_clips_configure(&player->clips, config);
    config->codecs = codecs_extra;
    config->codec_count = CODECS_EXTRA_COUNT;
    for (uint32_t i = 0; i < o->file_count; i++)
        if (!size_tables(player, i, config))
            return false;
    return true;
}

/* -- tuning variables -- */

static bool tune(struct player *player)
{
    const struct play_options *o = player->options;
    char text[2][16];

    if (o->ahead_max_s <= 0)
        return true;
    snprintf(text[0], sizeof text[0], "%.0f", o->ahead_min_s * 1000);
    snprintf(text[1], sizeof text[1], "%.0f", o->ahead_max_s * 1000);
    if (spn_tuning_set(player->rt, "buffer_ahead_min_ms", text[0]) ||
        spn_tuning_set(player->rt, "buffer_ahead_max_ms", text[1]))
        return diag_refuse(player->diag, "--buffer-ahead", DIAG_NO_OFFSET, NULL,
                           "the runtime refuses %s,%s ms", text[0], text[1]);
    return true;
}

/* Say what a tuning variable takes. */
static bool refuse_tuning(struct player *player, const char *name,
                          const char *value)
{
    spn_tuning tuning;
    uint32_t index;

    if (spn_tuning_find(name, &index) != SPN_OK ||
        spn_tuning_get(player->rt, index, &tuning) != SPN_OK)
        return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, NULL,
                           "no tuning variable \"%s\"", name);
    if (tuning.is_text)
        return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, name,
                           "a text of at most %u bytes, not \"%s\"",
                           SPN_TUNING_TEXT_BYTES_MAX - 1, value);
    if (strcmp(name, tuning.name) == 0)
        return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, name,
                           "%u to %u%s%s, not \"%s\"", tuning.low, tuning.high,
                           tuning.unit[0] ? " " : "", tuning.unit, value);
    return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, name,
                       "%g to %g, not \"%s\"",
                       (double)tuning.low / tuning.alias_scale,
                       (double)tuning.high / tuning.alias_scale, value);
}

/* Set the variables of --tune, each NAME=VALUE. */
static bool tune_all(struct player *player)
{
    for (uint32_t i = 0; i < player->options->tuning_count; i++) {
        const char *text = player->options->tunings[i];
        size_t length = strcspn(text, "=");
        const char *name = arena_string(player->arena, text, length);

        if (text[length] == '\0')
            return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, NULL,
                               "NAME=VALUE, not \"%s\"", text);
        if (spn_tuning_set(player->rt, name, text + length + 1) != SPN_OK)
            return refuse_tuning(player, name, text + length + 1);
    }
    return true;
}

/* Without geometry no stream would ever be ready. */
static bool check_geometry(struct player *player)
{
    spn_tuning tuning;
    uint32_t index;

    if (spn_tuning_find("geometry", &index) == SPN_OK &&
        spn_tuning_get(player->rt, index, &tuning) == SPN_OK &&
        tuning.value == 0)
        return diag_refuse(player->diag, "--tune", DIAG_NO_OFFSET, tuning.name,
                           "0 turns reading and decoding off: nothing can be "
                           "played");
    return true;
}

bool player_config_tune(struct player *player)
{
    return tune(player) && tune_all(player) && check_geometry(player);
}
