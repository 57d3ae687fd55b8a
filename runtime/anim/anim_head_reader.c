/* anim_head_reader.c - reads the coded head.
 *
 * It is read twice: first to check it and to count tracks and constants, then
 * to fill the arrays, whose sizes follow from the counts.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/anim_head_reader.h"

#include "codec/lift/model_reader.h"

#include "anim/anim_model.h"
#include "anim/anim_name_reader.h"
#include "anim/pose/anim_reference.h"
#include "base/assert.h"
#include "base/wire.h"

/* The arrays of the tracks while they are filled: the pointers of anim_tracks
 * point to const. NULL while tracks are only counted. */
struct list_arrays {
    uint16_t *joint;
    float *step;
    uint32_t next_linear; /* place of the next interpolated track */
    uint32_t next_step;   /* place of the next step track */
};

struct constant_arrays {
    uint16_t *joint;
    float *value;
    uint32_t next;
};

struct head_reader {
    struct coder coder;
    const uint8_t *head;
    spn_fault *fault; /* NULL: not wanted */
    struct anim_head_models *models;
    struct anim_tracks *tracks;
    bool fills;
    struct list_arrays lists[ANIM_LISTS];
    struct constant_arrays constants[ANIM_KINDS];
    float *center[4];
    int32_t *translation_center[3];
    int32_t *wide_center[3];
    float *float_center;
    uint8_t *coding;
    char *float_names;
    uint32_t last_name_bytes; /* of models->name, without its NUL */
};

static struct anim_list *list_of(struct anim_tracks *t, uint32_t kind)
{
    switch (kind) {
    case ANIM_ROTATION:
        return &t->rotations;
    case ANIM_TRANSLATION:
        return &t->translations;
    case ANIM_SCALE:
        return &t->scales;
    case ANIM_WIDE:
        return &t->wide_translations;
    default:
        return &t->floats;
    }
}

static uint32_t *constant_count(struct anim_tracks *t, uint32_t kind)
{
    switch (kind) {
    case ANIM_ROTATION:
        return &t->constants.rotation_count;
    case ANIM_TRANSLATION:
        return &t->constants.translation_count;
    case ANIM_SCALE:
        return &t->constants.scale_count;
    default:
        return &t->constants.float_count;
    }
}

static bool is_finite(uint32_t float_bits)
{
    return (float_bits >> 23 & 255u) != 255u;
}

static float float_of(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The place of a fault is how far the coder has read. It reads four bytes
 * ahead. */
static uint32_t place_of(const struct head_reader *r)
{
    return (uint32_t)(r->coder.at - r->head);
}

/* Refuse the part or name with a number. Returns false. */
static bool refuse(const struct head_reader *r, const char *what,
                   uint32_t number)
{
    (void)wire_refuse(r->fault, what, place_of(r), number);
    return false;
}

/* Whether the values of a track are in their ranges. */
static bool track_is_valid(const struct anim_head_track *t, uint32_t kind)
{
    const bool animated = t->form >= ANIM_FORM_LINEAR;
    const uint32_t components = kind == ANIM_FLOAT ? 1 : 3;

    if (kind == ANIM_FLOAT && !is_finite((uint32_t)t->center[0]))
        return false;
    if (t->step_code >= ANIM_STEP_CODES || t->shift > ANIM_SHIFT_MAX)
        return false;
    for (uint32_t k = 0; k < components; k++) {
        const int64_t center = (int64_t)t->center[k] * (1 << t->shift);

        if (kind != ANIM_FLOAT &&
            (center > ANIM_VALUE_MAX || center < -ANIM_VALUE_MAX))
            return false;
        if (animated && (t->key_class[k] >= ANIM_KEY_CLASSES ||
                         t->first_mean[k] >= ANIM_FIRST_MEANS))
            return false;
    }
    return true;
}

static void center_of(const struct anim_head_track *t, int32_t center[3])
{
    for (int k = 0; k < 3; k++)
        center[k] = t->center[k] * (1 << t->shift);
}

static void fill_constant(struct head_reader *r, uint32_t kind, uint32_t joint,
                          const struct anim_head_track *t)
{
    struct constant_arrays *a = &r->constants[kind];
    const uint32_t at = a->next++;
    const float step = spn__anim_step(t->step_code);
    int32_t center[3];

    a->joint[at] = (uint16_t)joint;
    if (kind == ANIM_FLOAT) {
        a->value[at] = float_of((uint32_t)t->center[0]);
        return;
    }
    center_of(t, center);
    if (kind == ANIM_ROTATION)
        spn__anim_rotation(step, center[0], center[1], center[2],
                           a->value + (size_t)4 * at);
    else
        for (int k = 0; k < 3; k++)
            a->value[3 * at + (uint32_t)k] =
                (kind == ANIM_SCALE ? 1.0f : 0.0f) + (float)center[k] * step;
}

/* The place in a row of the first track of a kind. */
static uint32_t first_place(const struct anim_tracks *t, uint32_t kind)
{
    switch (kind) {
    case ANIM_ROTATION:
        return 0;
    case ANIM_TRANSLATION:
        return anim_row_translations(t);
    case ANIM_SCALE:
        return anim_row_scales(t);
    case ANIM_WIDE:
        return anim_row_length(t);
    default:
        return anim_row_floats(t);
    }
}

static void fill_track(struct head_reader *r, uint32_t kind, uint32_t joint,
                       const struct anim_head_track *t)
{
    struct list_arrays *a = &r->lists[kind];
    const uint32_t at =
        t->form == ANIM_FORM_STEP ? a->next_step++ : a->next_linear++;
    const uint32_t count = list_of(r->tracks, kind)->count;
    uint32_t place = first_place(r->tracks, kind) + at;
    int32_t center[3];

    a->joint[at] = (uint16_t)joint;
    a->step[at] = spn__anim_step(t->step_code);
    for (uint32_t k = 0; k < (kind == ANIM_FLOAT ? 1u : 3u); k++) {
        r->coding[place] = anim_coding(t->first_mean[k], t->key_class[k]);
        place += count;
    }
    if (kind == ANIM_FLOAT) {
        r->float_center[at] = float_of((uint32_t)t->center[0]);
        return;
    }
    center_of(t, center);
    if (kind == ANIM_ROTATION) {
        float q[4];

        spn__anim_rotation(a->step[at], center[0], center[1], center[2], q);
        for (int k = 0; k < 4; k++)
            r->center[k][at] = q[k];
    }
    for (int k = 0; kind == ANIM_TRANSLATION && k < 3; k++)
        r->translation_center[k][at] = center[k];
    for (int k = 0; kind == ANIM_WIDE && k < 3; k++)
        r->wide_center[k][at] = center[k];
}

/* Read one part of a joint, or a float track. */
static bool read_part(struct head_reader *r, enum anim_kind kind,
                      uint32_t joint)
{
    static const char *const damaged[] = {
        "joint with a damaged rotation", "joint with a damaged translation",
        "joint with a damaged scale", "damaged float track"};
    struct anim_head_track t = {0};
    uint32_t list_kind;

    t.form = code_form(&r->coder, r->models, kind, 0);
    if (t.form == ANIM_FORM_REST)
        return true;
    if (kind == ANIM_FLOAT)
        code_float_track(&r->coder, r->models, &t);
    else
        code_track(&r->coder, r->models, kind, &t);
    if (!track_is_valid(&t, kind))
        return refuse(r, damaged[kind], joint);
    if (t.form == ANIM_FORM_CONSTANT) {
        if (r->fills)
            fill_constant(r, kind, joint, &t);
        else
            ++*constant_count(r->tracks, kind);
        return true;
    }
    list_kind = t.is_wide ? ANIM_WIDE : kind;
    if (r->fills) {
        fill_track(r, list_kind, joint, &t);
    } else {
        struct anim_list *list = list_of(r->tracks, list_kind);

        list->count++;
        list->linear_count += t.form == ANIM_FORM_LINEAR;
    }
    return true;
}

/* -- names -- */

/* Read the name of a float track. */
static bool read_float_name(struct head_reader *r, uint32_t number)
{
    char *name = r->models->name;
    uint32_t bytes;

    if (!read_name(&r->coder, &r->models->names, name, r->last_name_bytes, name,
                   ANIM_FLOAT_NAME_BYTES_MAX, &bytes) ||
        !spn__anim_float_name_is_good(name, bytes))
        return refuse(r, "float track with a damaged name", number);
    r->last_name_bytes = bytes;
    if (r->fills) {
        memcpy(r->float_names, name, bytes + 1);
        r->float_names += bytes + 1;
    } else {
        r->tracks->float_name_bytes += bytes + 1;
    }
    return true;
}

/* -- head -- */

/* Read the coded head. */
static bool read_head(struct head_reader *r, const struct anim_clip_header *h,
                      const uint8_t *head)
{
    const uint32_t at = h->table_at + anim_clip_table_bytes(h);

    r->head = head;
    range_decoder_begin(&r->coder, head + at, h->head_bytes - at);
    spn__anim_head_models_reset(r->models);
    r->tracks->joint_count = h->joint_count;
    r->tracks->float_track_count = h->float_track_count;
    r->tracks->level_factor[0] = 0;
    for (int i = 1; i < 5; i++)
        r->tracks->level_factor[i] =
            anim_level_factor(code_even(&r->coder, 4, 0));
    r->tracks->level_factor[5] = anim_level_factor(0);
    for (uint32_t j = 0; j < h->joint_count; j++)
        for (int kind = ANIM_ROTATION; kind <= ANIM_SCALE; kind++)
            if (!read_part(r, (enum anim_kind)kind, j))
                return false;
    for (uint32_t i = 0; i < h->float_track_count; i++)
        if (!read_part(r, ANIM_FLOAT, i))
            return false;
    r->last_name_bytes = 0;
    for (uint32_t i = 0; i < h->float_track_count; i++)
        if (!read_float_name(r, i))
            return false;
    if (range_decoder_is_used_up(&r->coder))
        return true;
    (void)wire_refuse_unlike(r->fault, "end of the codes of the head",
                             place_of(r), place_of(r) + r->coder.beyond,
                             h->head_bytes);
    return false;
}

/* -- memory -- */

/* Memory that is divided into arrays. */
struct packing {
    uint8_t *memory; /* aligned to 4; NULL: count only */
    size_t used;
};

/* Take an array; `bytes`, the size of an element, is also its alignment. NULL
 * while only counting. */
static void *pack(struct packing *p, size_t count, size_t bytes)
{
    const size_t at = (p->used + bytes - 1) / bytes * bytes;

    p->used = at + count * bytes;
    return p->memory ? p->memory + at : NULL;
}

/* Number of floats of a constant of a kind. */
static uint32_t constant_size(uint32_t kind)
{
    return kind == ANIM_ROTATION ? 4 : kind == ANIM_FLOAT ? 1 : 3;
}

static void place_constants(struct packing *p, struct head_reader *r)
{
    struct anim_constants *c = &r->tracks->constants;

    for (uint32_t kind = 0; kind < ANIM_KINDS; kind++) {
        struct constant_arrays *a = &r->constants[kind];
        const uint32_t count = *constant_count(r->tracks, kind);

        a->value = pack(p, (size_t)count * constant_size(kind), sizeof(float));
        a->joint = pack(p, count, sizeof(uint16_t));
    }
    c->rotation = r->constants[ANIM_ROTATION].value;
    c->rotation_joint = r->constants[ANIM_ROTATION].joint;
    c->translation = r->constants[ANIM_TRANSLATION].value;
    c->translation_joint = r->constants[ANIM_TRANSLATION].joint;
    c->scale = r->constants[ANIM_SCALE].value;
    c->scale_joint = r->constants[ANIM_SCALE].joint;
    c->number = r->constants[ANIM_FLOAT].value;
    c->float_track = r->constants[ANIM_FLOAT].joint;
}

static void place_lists(struct packing *p, struct head_reader *r)
{
    struct anim_tracks *t = r->tracks;

    for (uint32_t kind = 0; kind < ANIM_LISTS; kind++) {
        struct anim_list *list = list_of(t, kind);
        struct list_arrays *a = &r->lists[kind];

        a->step = pack(p, list->count, sizeof(float));
        a->joint = pack(p, list->count, sizeof(uint16_t));
        a->next_linear = 0;
        a->next_step = list->linear_count;
        list->step = a->step;
        list->joint = a->joint;
    }
    for (int k = 0; k < 4; k++) {
        r->center[k] = pack(p, t->rotations.count, sizeof(float));
        t->center[k] = r->center[k];
    }
    for (int k = 0; k < 3; k++) {
        r->translation_center[k] =
            pack(p, t->translations.count, sizeof(int32_t));
        r->wide_center[k] =
            pack(p, t->wide_translations.count, sizeof(int32_t));
        t->translation_center[k] = r->translation_center[k];
        t->wide_center[k] = r->wide_center[k];
    }
    r->float_center = pack(p, t->floats.count, sizeof(float));
    t->float_center = r->float_center;
    r->coding = pack(p, anim_place_count(t), 1);
    t->coding = r->coding;
    r->float_names = pack(p, t->float_name_bytes, 1);
    t->float_names = r->float_names;
}

/* Place all arrays; the counts are known. */
static void place_tracks(struct packing *p, struct head_reader *r)
{
    place_lists(p, r);
    place_constants(p, r);
    (void)pack(p, ANIM_SLACK_BYTES, 1);
}

bool spn__anim_head_count(const struct anim_clip_header *header,
                          const uint8_t *head, struct anim_head_models *models,
                          struct anim_tracks *tracks, size_t *memory,
                          spn_fault *fault)
{
    struct head_reader reader = {
        .fault = fault, .models = models, .tracks = tracks};
    struct packing packing = {0};

    *tracks = (struct anim_tracks){0};
    if (!read_head(&reader, header, head))
        return false;
    place_tracks(&packing, &reader);
    *memory = packing.used;
    return true;
}

void spn__anim_head_fill(const struct anim_clip_header *header,
                         const uint8_t *head, struct anim_head_models *models,
                         void *memory, struct anim_tracks *tracks)
{
    struct head_reader reader = {.models = models, .tracks = tracks};
    struct packing packing = {.memory = memory};
    bool is_read;

    *tracks = (struct anim_tracks){0};
    is_read = read_head(&reader, header, head);
    place_tracks(&packing, &reader);
    reader.fills = true;
    is_read = is_read && read_head(&reader, header, head);
    SPN_ASSERT(is_read);
    (void)is_read;
}
