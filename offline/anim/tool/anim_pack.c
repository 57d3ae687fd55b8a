/* anim_pack.c - read and check clips, make databases and the image, write all.
 */
/* SPDX-License-Identifier: MIT */
#include "anim/tool/anim_pack.h"

#include "anim/clip_index_writer.h"
#include "anim/clip_packing.h"
#include "anim/tool/anim_compile.h"
#include "anim/tool/clip_file_input.h"
#include "anim/tool/clip_groups.h"
#include "anim/tool/clip_lists.h"
#include "anim/tool/clip_uses.h"
#include "anim/tool/file_names.h"
#include "common/workers.h"
#include "host/host.h"
#include "pack/pack_files.h"
#include "pack/pak_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct clip {
    const struct pack_file *file;
    struct clip_input input;
    struct arena arena; /* owns the bytes of the input */
    bool is_read;
};

struct sorted {
    uint32_t group;
    uint32_t use; /* CLIP_UNUSED comes last */
    uint32_t place;
    uint32_t clip;
};

struct run {
    const struct anim_pack_options *options;
    struct diag *diag;
    struct anim_pack_report *report;
    struct pack_files files; /* the clips */
    struct pack_skeletons skeletons;
    struct clip *clips; /* of each file */
    struct pak_decoder *decoders;
    struct clip_groups groups;
    struct sorted *order;
    struct clip_index_file *packed; /* the database of each group */
    struct clip_index_file image;
};

/* -- input -- */

static bool is_clip_name(const char *name)
{
    return file_name_has_end(name, CLIP_FILE_END);
}

static bool list(struct run *run)
{
    const struct anim_pack_options *options = run->options;

    run->files =
        (struct pack_files){.arena = &run->report->arena,
                            .diag = run->diag,
                            .prefix = options->prefix ? options->prefix : "",
                            .wants = is_clip_name};
    if (!pack_files_list(&run->files, options->inputs, options->input_count,
                         options->folder))
        return false;
    pack_skeletons_leave(&run->files);
    return run->files.count > 0 ||
           diag_refuse(run->diag, options->inputs[0], DIAG_NO_OFFSET, NULL,
                       "there are no clips (*%s)", CLIP_FILE_END);
}

/* Read a clip and decode all of it. */
static bool read_clip(struct run *run, struct clip *clip,
                      struct pak_decoder *decoder)
{
    const struct pack_file *file = clip->file;
    uint8_t *bytes = ARENA_NEW(&clip->arena, uint8_t, file->bytes);
    struct clip_file opened;
    struct arena scratch;
    bool is_good;

    arena_init(&scratch);
    is_good = pack_file_read(file, decoder, 0, bytes, (size_t)file->bytes,
                             run->diag) &&
              clip_file_read(&opened, file->path, bytes, (size_t)file->bytes,
                             &scratch, run->diag);
    if (is_good)
        clip_file_input(&opened, file->name, &clip->arena, &clip->input);
    arena_free(&scratch);
    return is_good;
}

static void run_job(void *user, uint32_t index, uint32_t worker)
{
    struct run *run = user;
    struct clip *clip = &run->clips[index];

    clip->is_read = !diag_has_failed(run->diag) &&
                    read_clip(run, clip, &run->decoders[worker]);
}

static bool read_all(struct run *run)
{
    struct workers *workers = workers_create(run->options->jobs);
    const uint32_t worker_count = workers_count(workers);
    bool is_good = true;

    run->decoders =
        ARENA_NEW(&run->report->arena, struct pak_decoder, worker_count);
    workers_run(workers, run->files.count, run_job, run);
    workers_destroy(workers);
    for (uint32_t i = 0; i < worker_count; i++)
        pak_decoder_free(&run->decoders[i]);
    for (uint32_t i = 0; i < run->files.count; i++)
        is_good = is_good && run->clips[i].is_read;
    return is_good;
}

/* -- groups -- */

static bool group(struct run *run)
{
    const struct anim_pack_options *options = run->options;
    struct clip_groups *groups = &run->groups;

    clip_groups_init(groups, &run->report->arena, run->diag, run->files.count);
    for (uint32_t i = 0; i < run->files.count; i++) {
        groups->clips[i].name = run->clips[i].input.name;
        groups->clips[i].skeleton = run->clips[i].input.skeleton;
        groups->clips[i].rest_pose_hash = run->clips[i].input.rest_pose_hash;
    }
    if (!pack_skeletons_read(&run->skeletons, &run->files, options->inputs,
                             options->input_count, options->folder))
        return false;
    pack_skeletons_keep(&run->skeletons, groups->clips, run->files.count,
                        &run->report->arena);
    for (uint32_t i = 0; i < options->list_count; i++)
        if (!clip_groups_by_list(groups, options->lists[i], run->files.prefix))
            return false;
    switch (options->by) {
    case ANIM_PACK_BY_FOLDER:
        clip_groups_by_folder(groups);
        break;
    case ANIM_PACK_BY_SKELETON:
        return clip_groups_by_skeleton(groups, options->inputs,
                                       options->input_count, run->files.prefix);
    case ANIM_PACK_BY_FILE:
        break;
    }
    return true;
}

static int by_group(const void *a, const void *b)
{
    const struct sorted *x = a;
    const struct sorted *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->use != y->use)
        return x->use < y->use ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static bool find_uses(struct run *run, uint32_t *use)
{
    const uint32_t count = run->files.count;
    const char **names = ARENA_NEW(&run->report->arena, const char *, count);
    const struct clip_uses_options options = {
        .names = names,
        .clip_count = count,
        .traces = run->options->traces,
        .trace_count = run->options->trace_count,
        .recorded = run->options->recorded,
        .recorded_count = run->options->recorded_count,
    };

    for (uint32_t i = 0; i < count; i++) {
        names[i] = run->clips[i].input.name;
        use[i] = CLIP_UNUSED;
    }
    return options.trace_count == 0 ||
           clip_uses_find(&options, run->diag, use, &run->report->used_count);
}

/* Sort the clips by group, then by use, then by place. */
static bool sort(struct run *run)
{
    const uint32_t count = run->files.count;
    uint32_t *use = ARENA_NEW(&run->report->arena, uint32_t, count);

    if (!find_uses(run, use))
        return false;
    run->order = ARENA_NEW(&run->report->arena, struct sorted, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct grouped_clip *clip = &run->groups.clips[i];
        const bool is_grouped = clip->group != CLIP_GROUP_NONE;

        run->order[i] =
            (struct sorted){.group = clip->group,
                            .use = is_grouped ? use[i] : CLIP_UNUSED,
                            .place = is_grouped ? clip->place : i,
                            .clip = i};
    }
    qsort(run->order, count, sizeof *run->order, by_group);
    return true;
}

/* -- databases and the image -- */

/* The files that are written: databases, clips of their own, skeletons, the
 * image. */
struct outputs {
    struct run *run;
    const char **names;
};

/* Names that are the same on some system would overwrite each other. */
static void refuse_name(void *user, uint32_t name, const char *why)
{
    const struct outputs *outputs = user;

    diag_refuse(outputs->run->diag, outputs->run->options->folder,
                DIAG_NO_OFFSET, outputs->names[name], "%s", why);
}

static bool check_outputs(struct run *run)
{
    const char *image = run->report->image;
    struct outputs outputs = {run, ARENA_NEW(&run->report->arena, const char *,
                                             (uint64_t)run->groups.group_count +
                                                 run->files.count +
                                                 run->skeletons.count + 1)};
    uint32_t count = 0;

    for (uint32_t i = 0; i < run->groups.group_count; i++)
        outputs.names[count++] = run->groups.groups[i].path;
    for (uint32_t i = 0; i < run->files.count; i++)
        if (run->groups.clips[i].group == CLIP_GROUP_NONE)
            outputs.names[count++] = run->groups.clips[i].name;
    for (uint32_t i = 0; i < run->skeletons.count; i++)
        outputs.names[count++] = run->skeletons.items[i].name;
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(outputs.names[i], image) == 0)
            return diag_refuse(run->diag, run->options->folder, DIAG_NO_OFFSET,
                               image, "is the name of the image, too");
    outputs.names[count++] = image;
    return pak_names_check(outputs.names, count, refuse_name, &outputs);
}

/* Clips take what rests from the skeleton, so those of a database must agree
 * about its rest pose, too. */
static bool check_skeletons(struct run *run, const char *path,
                            const struct clip_input *inputs, uint32_t count)
{
    const struct clip_input *first = &inputs[0];
    bool is_good = true;

    for (uint32_t i = 1; is_good && i < count; i++)
        if (inputs[i].skeleton != first->skeleton)
            is_good = diag_refuse(
                run->diag, path, DIAG_NO_OFFSET, inputs[i].name,
                "its skeleton %016" PRIx64 " is not that of %s, %016" PRIx64,
                inputs[i].skeleton, first->name, first->skeleton);
        else if (inputs[i].rest_pose_hash != first->rest_pose_hash)
            is_good = diag_refuse(
                run->diag, path, DIAG_NO_OFFSET, inputs[i].name,
                "its rest pose %08" PRIx32 " is not that of %s, %08" PRIx32,
                inputs[i].rest_pose_hash, first->name, first->rest_pose_hash);
    if (!is_good)
        diag_hint(run->diag, "--by skeleton packs a database for each skeleton "
                             "and rest pose");
    return is_good;
}

/* Bring a clip to the form of clips in a database, and check that its file
 * follows from that, byte by byte. */
static bool pack_clip(struct run *run, struct clip *clip,
                      struct clip_input *packed)
{
    struct clip_facts facts;
    struct arena scratch;
    uint8_t *again;
    bool is_good;
    size_t size;

    arena_init(&scratch);
    clip_packing_make(&clip->input, &clip->arena, packed);
    facts = clip_input_facts(packed);
    again = clip_packing_undo(&facts, packed->bytes, &scratch, &size);
    is_good = size == clip->input.byte_count &&
              memcmp(again, clip->input.bytes, size) == 0;
    arena_free(&scratch);
    return is_good || diag_refuse(run->diag, clip->file->path, DIAG_NO_OFFSET,
                                  NULL, "its packed form is another clip");
}

/* Make the database of the clips order[first] to order[first + count - 1]. */
static bool make_database(struct run *run, uint32_t group, uint32_t first,
                          uint32_t count)
{
    struct anim_pack_report *report = run->report;
    struct anim_packed_database *database = &report->databases[group];
    struct clip_index_file *packed = &run->packed[group];
    struct clip_input *inputs =
        ARENA_NEW(&report->arena, struct clip_input, count);

    *database = (struct anim_packed_database){
        .path = run->groups.groups[group].path, .clip_count = count};
    for (uint32_t i = 0; i < count; i++) {
        struct clip *clip = &run->clips[run->order[first + i].clip];

        if (!pack_clip(run, clip, &inputs[i]))
            return false;
        database->clip_bytes += clip->input.byte_count;
    }
    if (!check_skeletons(run, database->path, inputs, count) ||
        !clip_database_make(&report->arena, run->diag, database->path, inputs,
                            count, packed))
        return false;
    database->skeleton = inputs[0].skeleton;
    database->bytes = packed->size;
    report->bytes += packed->size;
    for (uint32_t i = 0; i < count; i++)
        arena_free(&run->clips[run->order[first + i].clip].arena);
    return true;
}

/* Returns the number of clips in databases: they come first. */
static bool make_databases(struct run *run, uint32_t *packed_count)
{
    const uint32_t count = run->groups.group_count;
    struct arena *arena = &run->report->arena;
    uint32_t first = 0;

    run->packed = ARENA_NEW(arena, struct clip_index_file, count);
    run->report->databases =
        ARENA_NEW(arena, struct anim_packed_database, count);
    run->report->database_count = count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t clips = run->groups.groups[i].clip_count;

        if (!make_database(run, i, first, clips))
            return false;
        first += clips;
    }
    *packed_count = first;
    return true;
}

static bool make_image(struct run *run, uint32_t packed_count)
{
    struct anim_pack_report *report = run->report;
    const uint32_t database_count = report->database_count;
    struct clip_database_source *databases =
        ARENA_NEW(&report->arena, struct clip_database_source, database_count);
    struct clip_input *files;

    report->clip_count = run->files.count;
    report->file_count = run->files.count - packed_count;
    files = ARENA_NEW(&report->arena, struct clip_input, report->file_count);
    for (uint32_t i = 0; i < database_count; i++)
        databases[i] = (struct clip_database_source){report->databases[i].path,
                                                     &run->packed[i].index};
    for (uint32_t i = 0; i < report->file_count; i++) {
        files[i] = run->clips[run->order[packed_count + i].clip].input;
        report->file_bytes += files[i].byte_count;
    }
    if (!clip_image_make(&report->arena, run->diag, report->image, databases,
                         database_count, files, report->file_count,
                         &run->image))
        return false;
    report->image_bytes = run->image.size;
    report->skeletons = run->skeletons.items;
    report->skeleton_count = run->skeletons.count;
    for (uint32_t i = 0; i < report->skeleton_count; i++)
        report->skeleton_bytes += report->skeletons[i].bytes;
    report->bytes +=
        report->file_bytes + report->skeleton_bytes + report->image_bytes;
    return true;
}

static bool make_all(struct run *run)
{
    uint32_t packed_count;

    return check_outputs(run) && make_databases(run, &packed_count) &&
           make_image(run, packed_count);
}

/* -- output -- */

static bool write_file(struct host_tree *tree, const char *name,
                       const uint8_t *bytes, size_t size, struct diag *diag)
{
    struct host_output *output = host_tree_output(tree, name, diag);

    return output &&
           host_output_finish(output, host_output_append(output, bytes, size));
}

static bool write_all(const struct run *run)
{
    const struct anim_pack_report *report = run->report;
    const uint32_t packed_count = report->clip_count - report->file_count;
    struct host_tree *tree = host_tree_open(run->options->folder, run->diag);
    bool is_good = tree != NULL;

    for (uint32_t i = 0; is_good && i < report->database_count; i++)
        is_good =
            write_file(tree, report->databases[i].path, run->packed[i].bytes,
                       run->packed[i].size, run->diag);
    for (uint32_t i = 0; is_good && i < report->file_count; i++) {
        const struct clip_input *input =
            &run->clips[run->order[packed_count + i].clip].input;

        is_good = write_file(tree, input->name, input->bytes, input->byte_count,
                             run->diag);
    }
    for (uint32_t i = 0; is_good && i < report->skeleton_count; i++)
        is_good = write_file(tree, report->skeletons[i].name,
                             report->skeletons[i].data,
                             report->skeletons[i].bytes, run->diag);
    is_good = is_good &&
              write_file(tree, report->image, run->image.bytes, run->image.size,
                         run->diag) &&
              host_tree_sync(tree, run->diag);
    host_tree_close(tree);
    return is_good;
}

bool anim_pack(const struct anim_pack_options *options, struct diag *diag,
               struct anim_pack_report *report)
{
    struct run run = {.options = options, .diag = diag, .report = report};
    bool is_good;

    memset(report, 0, sizeof *report);
    arena_init(&report->arena);
    report->image = options->image ? options->image : ANIM_PACK_IMAGE;
    is_good = list(&run);
    if (is_good) {
        run.clips = ARENA_NEW(&report->arena, struct clip, run.files.count);
        for (uint32_t i = 0; i < run.files.count; i++) {
            run.clips[i].file = &run.files.files[i];
            arena_init(&run.clips[i].arena);
        }
        is_good = read_all(&run) && group(&run) && sort(&run) &&
                  make_all(&run) && write_all(&run);
        for (uint32_t i = 0; i < run.files.count; i++)
            arena_free(&run.clips[i].arena);
    }
    pack_files_free(&run.files);
    return is_good;
}
