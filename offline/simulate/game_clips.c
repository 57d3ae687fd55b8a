/* game_clips.c - do what a script says, picture after picture. */
/* SPDX-License-Identifier: MIT */
#include "simulate/game_clips.h"

#include "common/fault_text.h"
#include "simulate/game_streams.h"

#include <string.h>

#define SECOND_US UINT64_C(1000000)
/* How long a clip of one frame is shown. */
#define FRAME_US SECOND_US

/* An action of the script, in the run. */
struct deed {
    const struct clip_action *action;
    spn_anim anim; /* of a play, cue or reference */
    spn_anim_database database;
    uint64_t end_us;            /* UINT64_MAX: the end of the run */
    spn_anim_play play;         /* 0: it does not play */
    struct game_stream *stream; /* NULL: none plays */
    uint64_t started_us;        /* of a play */
    bool is_waiting;            /* for the first part of its clip */
};

struct game_clips {
    const struct clip_files *files;
    const struct clip_script *script;
    struct sim_record *out;
    struct diag *diag;
    spn_runtime *rt;
    spn_overload overload; /* of nodes that play caches */
    struct game_streams *streams;
    spn_anim_skeleton *skeletons; /* opened ones: of script->skeletons */
    struct deed *deeds;           /* one for each action */
    uint32_t next;                /* the first deed that has not begun */
    struct deed **active;         /* begun, and not ended; in that order */
    uint32_t active_count;
    spn_anim_timeline timeline; /* 0: there are no cues */
    uint64_t picture;           /* number of the next picture */
    uint64_t due_us;            /* its time */
    uint64_t end_us;            /* of the script */
};

struct game_clips *game_clips_create(const struct clip_files *files,
                                     spn_overload overload,
                                     struct sim_record *out, struct diag *diag)
{
    const struct clip_script *script = files->script;
    struct game_clips *clips = ARENA_NEW(&out->arena, struct game_clips, 1);

    *clips = (struct game_clips){.files = files,
                                 .script = script,
                                 .overload = overload,
                                 .out = out,
                                 .diag = diag};
    clips->streams = game_streams_create(script, out, diag);
    clips->skeletons =
        ARENA_NEW(&out->arena, spn_anim_skeleton, script->skeleton_count);
    clips->deeds = ARENA_NEW(&out->arena, struct deed, script->action_count);
    clips->active = ARENA_NEW(&out->arena, struct deed *, script->action_count);
    return clips;
}

const struct clip_files *game_clips_files(const struct game_clips *clips)
{
    return clips->files;
}

static bool refuse(const struct game_clips *clips, const struct clip_name *name,
                   const char *what)
{
    return clip_script_refuse(clips->script, name, clips->diag, what);
}

static bool refuse_status(const struct game_clips *clips,
                          const struct clip_name *name, spn_status status)
{
    return status == SPN_OK || refuse(clips, name, spn_status_text(status));
}

/* -- opening -- */

static bool set(const struct game_clips *clips, const struct clip_name *setting)
{
    const char *equals = strchr(setting->text, '=');
    char name[64] = "";
    spn_status status;

    if (equals - setting->text >= (ptrdiff_t)sizeof name)
        return refuse(clips, setting, "there is no such variable");
    memcpy(name, setting->text, (size_t)(equals - setting->text));
    status = spn_tuning_set(clips->rt, name, equals + 1);
    if (status == SPN_ERR_NOT_FOUND)
        return refuse(clips, setting, "there is no such variable");
    return status == SPN_OK ||
           refuse(clips, setting, "the variable does not take this value");
}

bool game_clips_open(struct game_clips *clips, spn_runtime *rt)
{
    const struct clip_script *script = clips->script;

    clips->rt = rt;
    for (uint32_t i = 0; i < script->setting_count; i++)
        if (!set(clips, &script->settings[i]))
            return false;
    if (script->image.text &&
        !refuse_status(clips, &script->image,
                       spn_anim_open_image(rt, script->image.text)))
        return false;
    for (uint32_t i = 0; i < script->clip_count; i++)
        if (!refuse_status(clips, &script->clips[i],
                           spn_anim_add_file(rt, script->clips[i].text)))
            return false;
    for (uint32_t i = 0; i < script->skeleton_count; i++)
        if (!refuse_status(clips, &script->skeletons[i],
                           spn_anim_skeleton_open(rt, script->skeletons[i].text,
                                                  &clips->skeletons[i])))
            return false;
    return game_streams_open(clips->streams, rt);
}

/* Refuse a file that cannot be opened. */
static spn_status refuse_file(const struct game_clips *clips, spn_status status,
                              const struct clip_name *name,
                              const spn_fault *fault)
{
    if (status >= SPN_OK)
        return status;
    if (fault->what)
        fault_refuse(clips->diag, fault->file ? fault->file : name->text,
                     FAULT_NO_FRAME, fault);
    else if (status == SPN_ERR_IO)
        diag_io(clips->diag, name->text, 0, "%s", spn_status_text(status));
    else
        refuse_status(clips, name, status);
    return status;
}

spn_status game_clips_opened(struct game_clips *clips)
{
    const struct clip_script *script = clips->script;
    const struct clip_name *first =
        script->image.text ? &script->image : script->clips;
    spn_fault fault = {0};
    spn_status status = SPN_OK;

    if (clips->files->clip_count > 0)
        status = refuse_file(
            clips, spn_anim_get_image_status(clips->rt, &fault), first, &fault);
    for (uint32_t i = 0; status == SPN_OK && i < script->skeleton_count; i++) {
        memset(&fault, 0, sizeof fault);
        status = refuse_file(clips,
                             spn_anim_skeleton_get_status(
                                 clips->rt, clips->skeletons[i], &fault),
                             &script->skeletons[i], &fault);
    }
    return status == SPN_OK ? game_streams_opened(clips->streams) : status;
}

/* -- names -- */

static bool has_skeleton(const struct game_clips *clips, spn_anim anim)
{
    const uint32_t count = clips->script->skeleton_count;

    for (uint32_t i = 0; i < count; i++)
        if (spn_anim_skeleton_check_clip(clips->rt, clips->skeletons[i],
                                         anim) == SPN_OK)
            return true;
    return count == 0;
}

/* Time of one pass of a clip at the rate of the action. */
static uint64_t pass_us(const struct game_clips *clips, const struct deed *deed)
{
    const uint64_t us =
        clips->out->clips.clips[deed->anim - 1].info.duration_us;
    const int32_t rate = deed->action->rate_permille;

    return (us > 0 ? us : FRAME_US) * 1000 /
           (uint64_t)(rate < 0 ? -rate : rate);
}

static bool find_clip(const struct game_clips *clips, struct deed *deed)
{
    const struct clip_action *action = deed->action;

    if (spn_anim_find(clips->rt, action->name.text, &deed->anim) != SPN_OK)
        return refuse(clips, &action->name, "there is no such clip");
    if (action->kind != CLIP_REFER && action->for_us == 0)
        deed->end_us = action->at_us + pass_us(clips, deed);
    return action->kind == CLIP_REFER || has_skeleton(clips, deed->anim) ||
           refuse(clips, &action->name,
                  "none of the skeletons has the joints of this clip");
}

static bool find_name(struct game_clips *clips, struct deed *deed)
{
    const struct clip_action *action = deed->action;

    deed->end_us =
        action->for_us > 0 ? action->at_us + action->for_us : UINT64_MAX;
    switch (action->kind) {
    case CLIP_PLAY:
    case CLIP_CUE:
    case CLIP_REFER:
        return find_clip(clips, deed);
    case CLIP_PRELOAD:
    case CLIP_LOCK:
        return spn_anim_database_find(clips->rt, action->name.text,
                                      &deed->database) == SPN_OK ||
               refuse(clips, &action->name, "there is no such database");
    case CLIP_STREAM:
        if (action->for_us == 0)
            deed->end_us =
                action->at_us + game_streams_pass_us(clips->streams, action);
        return true;
    case CLIP_ACTIONS:
        break;
    }
    return false;
}

/* Tell a timeline of all cues. */
static bool make_timeline(struct game_clips *clips)
{
    const struct clip_script *script = clips->script;
    spn_anim_cue *cues =
        ARENA_NEW(&clips->out->arena, spn_anim_cue, script->play_count);
    const struct clip_name *name = NULL;
    uint32_t count = 0;
    spn_status status;

    for (uint32_t i = 0; i < script->action_count; i++)
        if (script->actions[i].kind == CLIP_CUE) {
            name = &script->actions[i].name;
            cues[count++] = (spn_anim_cue){(int64_t)script->actions[i].at_us,
                                           clips->deeds[i].anim};
        }
    if (!name)
        return true;
    status = spn_anim_timeline_create(clips->rt, &clips->timeline);
    if (status == SPN_OK)
        status =
            spn_anim_timeline_set_cues(clips->rt, clips->timeline, cues, count);
    return refuse_status(clips, name, status);
}

static void on_event(void *user, const spn_anim_event *event)
{
    const struct game_clips *clips = user;

    played_clips_count(&clips->out->clips, clips->rt, event);
}

bool game_clips_begin(struct game_clips *clips)
{
    const struct clip_script *script = clips->script;

    if (clips->files->clip_count > 0 &&
        !played_clips_list(&clips->out->clips, clips->rt, &clips->out->arena,
                           clips->diag))
        return false;
    clips->out->clips.skeleton_count = script->skeleton_count;
    for (uint32_t i = 0; i < script->action_count; i++) {
        struct deed *deed = &clips->deeds[i];
        const uint64_t at_us = script->actions[i].at_us;

        deed->action = &script->actions[i];
        if (!find_name(clips, deed))
            return false;
        if (at_us > clips->end_us)
            clips->end_us = at_us;
        if (deed->end_us != UINT64_MAX && deed->end_us > clips->end_us)
            clips->end_us = deed->end_us;
    }
    (void)spn_anim_listen(clips->rt, on_event, clips);
    return make_timeline(clips);
}

/* -- deeds -- */

static struct played_clip *clip_of(const struct game_clips *clips,
                                   const struct deed *deed)
{
    return &clips->out->clips.clips[deed->anim - 1];
}

static spn_status start_play(struct game_clips *clips, struct deed *deed,
                             uint64_t now_us)
{
    struct played_clip *clip = clip_of(clips, deed);
    spn_anim_play_state state = {0};
    spn_status status = spn_anim_play_start(clips->rt, deed->anim, &deed->play);

    if (status == SPN_OK)
        status =
            spn_anim_play_set_mode(clips->rt, deed->play, deed->action->loop,
                                   deed->action->rate_permille);
    if (status == SPN_OK)
        status = spn_anim_play_get_state(clips->rt, deed->play, &state);
    clip->plays++;
    deed->is_waiting = !state.is_ready;
    clip->waits += deed->is_waiting;
    deed->started_us = now_us;
    return status;
}

static bool begin(struct game_clips *clips, struct deed *deed, uint64_t now_us)
{
    spn_status status = SPN_OK;

    switch (deed->action->kind) {
    case CLIP_PLAY:
    case CLIP_CUE:
        status = start_play(clips, deed, now_us);
        break;
    case CLIP_REFER:
        status = spn_anim_add_ref(clips->rt, deed->anim);
        break;
    case CLIP_PRELOAD:
        status = spn_anim_database_preload(clips->rt, deed->database,
                                           (spn_priority)0);
        break;
    case CLIP_LOCK:
        status = spn_anim_database_lock(clips->rt, deed->database, 1,
                                        (spn_priority)0);
        break;
    case CLIP_STREAM:
        deed->stream =
            game_stream_begin(clips->streams, deed->action, clips->overload);
        if (!deed->stream)
            return false;
        break;
    case CLIP_ACTIONS:
        break;
    }
    if (deed->action->kind != CLIP_PRELOAD)
        clips->active[clips->active_count++] = deed;
    return refuse_status(clips, &deed->action->name, status);
}

static bool end(struct game_clips *clips, struct deed *deed)
{
    spn_status status = SPN_OK;

    if (deed->stream)
        game_stream_end(deed->stream);
    else if (deed->play != 0)
        status = spn_anim_play_stop(clips->rt, deed->play);
    else if (deed->anim != 0)
        status = spn_anim_release(clips->rt, deed->anim);
    else
        status = spn_anim_database_lock(clips->rt, deed->database, 0,
                                        (spn_priority)0);
    return refuse_status(clips, &deed->action->name, status);
}

static bool end_all(struct game_clips *clips, uint64_t now_us)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < clips->active_count; i++) {
        struct deed *deed = clips->active[i];

        if (deed->end_us > now_us)
            clips->active[kept++] = deed;
        else if (!end(clips, deed))
            return false;
    }
    clips->active_count = kept;
    return true;
}

/* Backwards, a play begins at the end of its clip. */
static void set_time(const struct game_clips *clips, const struct deed *deed,
                     uint64_t now_us)
{
    const int64_t rate = deed->action->rate_permille;
    const int64_t us = (int64_t)(now_us - deed->action->at_us) * rate / 1000;

    (void)spn_anim_play_set_time(
        clips->rt, deed->play,
        rate > 0 ? us : us + (int64_t)clip_of(clips, deed)->info.duration_us);
}

/* -- pictures -- */

uint64_t game_clips_due_us(const struct game_clips *clips)
{
    return clips->due_us;
}

bool game_clips_advance(struct game_clips *clips, uint64_t now_us)
{
    if (now_us < clips->due_us)
        return true;
    if (clips->timeline != 0)
        (void)spn_anim_timeline_set_time(clips->rt, clips->timeline,
                                         (int64_t)now_us);
    if (!end_all(clips, now_us))
        return false;
    while (clips->next < clips->script->action_count &&
           clips->script->actions[clips->next].at_us <= now_us)
        if (!begin(clips, &clips->deeds[clips->next++], now_us))
            return false;
    for (uint32_t i = 0; i < clips->active_count; i++) {
        const struct deed *deed = clips->active[i];

        if (deed->play != 0)
            set_time(clips, deed, now_us);
        if (deed->stream)
            game_stream_set_time(deed->stream, now_us);
    }
    return true;
}

static void count(struct game_clips *clips, struct deed *deed, uint64_t now_us)
{
    struct played_clip *clip = clip_of(clips, deed);
    spn_anim_play_state state = {.pose = SPN_PENDING};

    (void)spn_anim_play_get_state(clips->rt, deed->play, &state);
    if (deed->is_waiting)
        played_clip_waited(clip, deed->started_us, now_us);
    deed->is_waiting = deed->is_waiting && !state.is_ready;
    played_clip_show(clip, state.is_ready, &state);
}

void game_clips_show(struct game_clips *clips, uint64_t now_us)
{
    spn_anim_stats stats = {0};

    if (now_us < clips->due_us)
        return;
    for (uint32_t i = 0; i < clips->active_count; i++) {
        struct deed *deed = clips->active[i];

        if (deed->play != 0)
            count(clips, deed, now_us);
        if (deed->stream)
            game_stream_show(deed->stream, now_us);
    }
    (void)spn_anim_get_stats(clips->rt, &stats);
    sim_record_memory(clips->out, now_us, stats.loaded_bytes);
    clips->picture++;
    clips->due_us = clips->picture * SECOND_US / clips->script->picture_rate;
    if (now_us >= clips->end_us)
        clips->due_us = UINT64_MAX;
}

void game_clips_finish(struct game_clips *clips)
{
    for (uint32_t i = 0; i < clips->active_count; i++)
        if (clips->active[i]->stream)
            game_stream_end(clips->active[i]->stream);
    (void)spn_anim_get_stats(clips->rt, &clips->out->clips.stats);
    played_clips_refuse(&clips->out->clips, false, clips->diag);
    game_streams_finish(clips->streams);
}
