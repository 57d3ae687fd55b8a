/* clip_script.c - parse the lines of a script. */
/* SPDX-License-Identifier: MIT */
#include "simulate/clip_script.h"

#include "common/digits.h"
#include "host/host.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SECOND_US UINT64_C(1000000)
#define PICTURE_RATE_MIN 5u
#define PICTURE_RATE_MAX 240u
#define BLANKS " \t\r"

struct reading {
    struct clip_script *out;
    struct arena *arena;
    struct diag *diag;
    uint32_t line;
    uint64_t clip_capacity;
    uint64_t skeleton_capacity;
    uint64_t setting_capacity;
    uint64_t action_capacity;
};

static const char *const action_names[CLIP_ACTIONS] = {
    "play", "cue", "refer", "preload", "lock", "stream"};
static const char *const loop_names[] = {"clip", "always", "never"};

__attribute__((format(printf, 2, 3))) static bool refuse(
    const struct reading *r, const char *format, ...)
{
    char what[DIAG_TEXT_BYTES];
    char place[32];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    snprintf(place, sizeof place, "line %" PRIu32, r->line);
    return diag_refuse(r->diag, r->out->path, DIAG_NO_OFFSET, place, "%s",
                       what);
}

bool clip_script_refuse(const struct clip_script *script,
                        const struct clip_name *name, struct diag *diag,
                        const char *what)
{
    char place[32];

    snprintf(place, sizeof place, "line %" PRIu32, name->line);
    return diag_refuse(diag, script->path, DIAG_NO_OFFSET, place, "%s: %s",
                       name->text, what);
}

/* -- words and numbers -- */

/* Cut the first word off *text. "": there is none. */
static char *take_word(char **text)
{
    char *word = *text + strspn(*text, BLANKS);
    char *end = word + strcspn(word, BLANKS);

    *text = end;
    if (*end != '\0')
        *(*text)++ = '\0';
    return word;
}

static char *take_rest(char *text)
{
    size_t length;

    text += strspn(text, BLANKS);
    length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* A decimal number with up to `decimals` of them, as an integer in units of the
 * last one. `high`: the largest whole number. */
static bool parse_decimal(const char *text, uint64_t high, uint32_t decimals,
                          uint64_t *out)
{
    uint64_t value;

    if (!digits_parse(&text, high, &value))
        return false;
    if (*text == '.' && *++text == '\0')
        return false;
    for (uint32_t i = 0; i < decimals; i++) {
        value *= 10;
        if (*text >= '0' && *text <= '9')
            value += (uint64_t)(*text++ - '0');
    }
    *out = value;
    return *text == '\0';
}

static bool parse_seconds(const char *text, uint64_t *us)
{
    return parse_decimal(text, CLIP_SCRIPT_SECONDS_MAX - 1, 6, us);
}

static bool parse_rate(const char *text, int32_t *permille)
{
    const bool is_backwards = *text == '-';
    uint64_t value;

    if (!parse_decimal(text + is_backwards, CLIP_SCRIPT_RATE_MAX / 1000, 3,
                       &value) ||
        value == 0 || value > CLIP_SCRIPT_RATE_MAX)
        return false;
    *permille = is_backwards ? -(int32_t)value : (int32_t)value;
    return true;
}

/* -- options of actions -- */

static bool parse_loop(const char *text, spn_anim_loop *out)
{
    for (uint32_t i = 0; i < sizeof loop_names / sizeof loop_names[0]; i++)
        if (strcmp(text, loop_names[i]) == 0) {
            *out = (spn_anim_loop)i;
            return true;
        }
    return false;
}

/* Begins the text with an option, "for=", "rate=" or "loop="? */
static bool is_option(const char *text)
{
    return strncmp(text, "for=", 4) == 0 || strncmp(text, "rate=", 5) == 0 ||
           strncmp(text, "loop=", 5) == 0;
}

static bool read_option(struct reading *r, const char *word,
                        struct clip_action *action)
{
    const bool is_play = action->kind == CLIP_PLAY || action->kind == CLIP_CUE;
    const bool is_stream = action->kind == CLIP_STREAM;
    const char *value = strchr(word, '=') + 1;

    if (*word == 'f'   ? action->kind == CLIP_PRELOAD
        : *word == 'r' ? !is_play && !is_stream
                       : !is_play)
        return refuse(r, "\"%s\" is no option of %s", word,
                      action_names[action->kind]);
    if (*word == 'f' && parse_seconds(value, &action->for_us) &&
        action->for_us > 0)
        return true;
    if (*word == 'r' && parse_rate(value, &action->rate_permille))
        return true;
    if (*word == 'l' && parse_loop(value, &action->loop))
        return true;
    return refuse(r, "\"%s\": expected %s", word,
                  *word == 'f'   ? "seconds, more than 0 and below 86400"
                  : *word == 'r' ? "a rate from 0.001 to 8, or -0.001 to -8"
                                 : "clip, always or never");
}

static bool read_action(struct reading *r, const char *time, char *text)
{
    struct clip_script *out = r->out;
    struct clip_action action = {.rate_permille = 1000};
    const char *word;

    if (!parse_seconds(time, &action.at_us))
        return refuse(r,
                      "\"%s\": expected a time in seconds, below 86400, with "
                      "at most 6 decimals",
                      time);
    if (out->action_count > 0 &&
        action.at_us < out->actions[out->action_count - 1].at_us)
        return refuse(r, "\"%s\": is before the time of an earlier line", time);
    word = take_word(&text);
    while (action.kind < CLIP_ACTIONS &&
           strcmp(word, action_names[action.kind]) != 0)
        action.kind++;
    if (action.kind == CLIP_ACTIONS)
        return refuse(r,
                      "\"%s\": expected play, cue, refer, preload, lock or "
                      "stream",
                      word);
    text += strspn(text, BLANKS);
    while (is_option(text)) {
        if (!read_option(r, take_word(&text), &action))
            return false;
        text += strspn(text, BLANKS);
    }
    action.name = (struct clip_name){take_rest(text), r->line};
    if (*action.name.text == '\0')
        return refuse(r, "\"%s\": no name", word);
    out->play_count += action.kind == CLIP_PLAY || action.kind == CLIP_CUE;
    if (out->play_count > CLIP_SCRIPT_PLAYS_MAX)
        return refuse(r, "more than %u plays", CLIP_SCRIPT_PLAYS_MAX);
    out->stream_count += action.kind == CLIP_STREAM;
    if (out->stream_count > CLIP_SCRIPT_STREAMS_MAX)
        return refuse(r, "more than %u streams", CLIP_SCRIPT_STREAMS_MAX);
    if (action.at_us + action.for_us > out->last_us)
        out->last_us = action.at_us + action.for_us;
    out->actions = arena_grow(r->arena, out->actions, out->action_count,
                              &r->action_capacity, sizeof action);
    out->actions[out->action_count++] = action;
    return true;
}

/* -- lines without a time -- */

static struct clip_name *grow(struct reading *r, struct clip_name *list,
                              uint32_t *count, uint64_t *capacity,
                              struct clip_name name)
{
    list = arena_grow(r->arena, list, *count, capacity, sizeof name);
    list[(*count)++] = name;
    return list;
}

static bool read_image(struct reading *r, struct clip_name name)
{
    if (r->out->image.text)
        return refuse(r, "\"%s\": a second image", name.text);
    r->out->image = name;
    return true;
}

static bool read_pictures(struct reading *r, const char *text)
{
    const char *at = text;
    uint64_t value;

    if (!digits_parse(&at, PICTURE_RATE_MAX, &value) || *at != '\0' ||
        value < PICTURE_RATE_MIN)
        return refuse(r, "\"%s\": expected %u to %u pictures a second", text,
                      PICTURE_RATE_MIN, PICTURE_RATE_MAX);
    r->out->picture_rate = (uint32_t)value;
    return true;
}

static bool read_setting(struct reading *r, struct clip_name name)
{
    if (!strchr(name.text, '='))
        return refuse(r, "\"%s\": expected NAME=VALUE", name.text);
    r->out->settings = grow(r, r->out->settings, &r->out->setting_count,
                            &r->setting_capacity, name);
    return true;
}

static bool read_line(struct reading *r, char *text)
{
    struct clip_script *out = r->out;
    const char *word = take_word(&text);
    struct clip_name name;

    if (*word == '\0' || *word == '#')
        return true;
    if (*word >= '0' && *word <= '9')
        return read_action(r, word, text);
    name = (struct clip_name){take_rest(text), r->line};
    if (strcmp(word, "image") != 0 && strcmp(word, "clip") != 0 &&
        strcmp(word, "skeleton") != 0 && strcmp(word, "set") != 0 &&
        strcmp(word, "pictures") != 0)
        return refuse(r,
                      "\"%s\": expected a time in seconds, image, clip, "
                      "skeleton, set or pictures",
                      word);
    if (*name.text == '\0')
        return refuse(r, "\"%s\": no %s", word,
                      *word == 'p' ? "number" : "name");
    if (*word == 'i')
        return read_image(r, name);
    if (*word == 'p')
        return read_pictures(r, name.text);
    if (word[1] == 'e')
        return read_setting(r, name);
    if (*word == 'c')
        out->clips =
            grow(r, out->clips, &out->clip_count, &r->clip_capacity, name);
    else
        out->skeletons = grow(r, out->skeletons, &out->skeleton_count,
                              &r->skeleton_capacity, name);
    return true;
}

/* -- the whole -- */

static bool check(const struct reading *r)
{
    const struct clip_script *out = r->out;

    if (!out->image.text && out->clip_count == 0 && out->stream_count == 0)
        return diag_refuse(r->diag, out->path, DIAG_NO_OFFSET, NULL,
                           "neither an image nor a clip nor a stream");
    if (out->image.text && out->clip_count > 0)
        return clip_script_refuse(out, &out->clips[0], r->diag,
                                  "a clip beside an image: the runtime takes "
                                  "clips from an image, or single ones");
    if (out->action_count == 0)
        return diag_refuse(r->diag, out->path, DIAG_NO_OFFSET, NULL,
                           "nothing is done at any time");
    return true;
}

bool clip_script_parse(const char *path, const char *text, size_t bytes,
                       struct arena *arena, struct clip_script *out,
                       struct diag *diag)
{
    struct reading r = {.out = out, .arena = arena, .diag = diag};
    char *copy;

    *out = (struct clip_script){.path = path, .picture_rate = 60};
    if (bytes > CLIP_SCRIPT_BYTES_MAX)
        return diag_refuse(diag, path, DIAG_NO_OFFSET, NULL,
                           "%zu bytes, too many for a script", bytes);
    copy = arena_string(arena, text, bytes);
    for (size_t at = 0; at < bytes;) {
        char *end = memchr(copy + at, '\n', bytes - at);
        const size_t length = end ? (size_t)(end - copy) - at : bytes - at;

        r.line++;
        if (memchr(copy + at, '\0', length))
            return refuse(&r, "a byte of 0: not a text");
        copy[at + length] = '\0';
        if (!read_line(&r, copy + at))
            return false;
        at += length + 1;
    }
    return check(&r);
}

bool clip_script_read(const char *path, struct arena *arena,
                      struct clip_script *out, struct diag *diag)
{
    struct host_map map;
    bool is_good;

    if (!host_map_open(&map, path, diag))
        return false;
    is_good = clip_script_parse(path, (const char *)map.data, (size_t)map.bytes,
                                arena, out, diag);
    host_map_close(&map);
    return is_good;
}
