/* test_workload.c
 *
 * Goal: the generated game requests what its header documents: sizes, rates,
 * deadlines, scenes, places; the same for the same config on any machine.
 * Method: requests served by a disc that takes no time, or a constant time;
 * counts compared with the documented shares of a drive's time.
 */
/* SPDX-License-Identifier: MIT */
#include "disc/drive_disc.h"
#include "harness.h"
#include "simulate/workload.h"
#include "support/loading_screen.h"

#include <string.h>

#define STEP_US 33000u

static struct workload_config config;

static struct workload *make(enum workload_layout layout, uint32_t load,
                             uint64_t seed)
{
    struct workload *workload;

    config.drive = spn_drive_profile_find("x360_dvd12x");
    config.layout = layout;
    config.load = load;
    config.seed = seed;
    workload = workload_create(&config);
    CHECK(workload != NULL);
    return workload;
}

/* Report each request until `us`. Each request is done `service_us` after it
 * was taken. */
typedef void (*request_fn)(void *context, const struct workload *workload,
                           const struct workload_request *request,
                           uint64_t now_us);
static void play(struct workload *workload, uint64_t us, uint64_t service_us,
                 request_fn tell, void *context)
{
    struct workload_request request;
    uint64_t now_us = 0;

    while (now_us < us) {
        bool has_any = false;

        workload_advance(workload, now_us);
        while (now_us < us && workload_take(workload, &request)) {
            has_any = true;
            tell(context, workload, &request, now_us);
            now_us += service_us;
            workload_advance(workload, now_us);
            workload_done(workload, &request);
        }
        if (!has_any)
            now_us += STEP_US;
    }
}

/* -- repeatability -- */

struct hash {
    uint64_t value;
    uint64_t own; /* requests that do not depend on completions */
};

static void add_hash(uint64_t *hash, uint64_t value)
{
    *hash = (*hash ^ value) * UINT64_C(0x100000001b3);
}

static void hash_request(void *context, const struct workload *workload,
                         const struct workload_request *request,
                         uint64_t now_us)
{
    struct hash *hash = context;
    uint64_t *values[2] = {&hash->value, &hash->own};

    (void)now_us;
    for (uint32_t i = 0; i < (request->class == DEADLINE_STREAM ? 1 : 2); i++) {
        add_hash(values[i], request->arrival_us);
        add_hash(values[i], request->deadline_us);
        add_hash(values[i], request->class);
    }
    add_hash(&hash->value, request->bytes);
    add_hash(&hash->value, workload_file_at(workload, request->file)->offset +
                               request->offset);
}

static struct hash hash_of(enum workload_layout layout, uint32_t load,
                           uint64_t seed, uint64_t service_us)
{
    struct workload *workload = make(layout, load, seed);
    struct hash hash = {0};

    play(workload, 300000000, service_us, hash_request, &hash);
    workload_destroy(workload);
    return hash;
}

static void workload_is_the_same_everywhere(void)
{
    struct hash first = hash_of(WORKLOAD_SCATTERED, 950, 1, 1000);

    CHECK_EQ_U(hash_of(WORKLOAD_SCATTERED, 950, 1, 1000).value, first.value);
    CHECK(hash_of(WORKLOAD_SCATTERED, 950, 2, 1000).value != first.value);
    CHECK(hash_of(WORKLOAD_SCATTERED, 951, 1, 1000).value != first.value);
    CHECK(hash_of(WORKLOAD_BY_SCENE, 950, 1, 1000).value != first.value);
    CHECK_EQ_U(first.value, UINT64_C(3952370913178928971));
}

static void workload_requests_do_not_depend_on_the_server(void)
{
    struct hash fast = hash_of(WORKLOAD_SCATTERED, 950, 1, 1000);
    struct hash slow = hash_of(WORKLOAD_SCATTERED, 950, 1, 90000);

    CHECK(fast.value != slow.value);
    CHECK_EQ_U(fast.own, slow.own);
}

/* -- amounts -- */

struct sums {
    uint64_t count[DEADLINE_CLASSES];
    uint64_t bytes[DEADLINE_CLASSES];
};

static void sum_request(void *context, const struct workload *workload,
                        const struct workload_request *request, uint64_t now_us)
{
    struct sums *sums = context;

    (void)workload;
    (void)now_us;
    sums->count[request->class]++;
    sums->bytes[request->class] += request->bytes;
}

/* The mean time of a random access, computed independently. */
static double anywhere_us(const spn_drive_profile *drive)
{
    struct test_random random = {17};
    uint64_t room = spn__drive_disc_bytes(drive) / 100 * 92;
    double sum = 0;

    for (uint32_t i = 0; i < 20000; i++) {
        uint64_t from = test_random_u64(&random) % room;
        uint64_t to = test_random_u64(&random) % room;

        sum += spn__drive_seek_us(drive, from, to) +
               spn__drive_turn_us(drive, to) / 2.0;
    }
    return sum / 20000;
}

static void workload_has_the_configured_load(void)
{
    static const double tenths[DEADLINE_CLASSES] = {1, 2, 5, 2};
    struct workload *workload = make(WORKLOAD_SCATTERED, 1000, 5);
    double position_us = anywhere_us(config.drive);
    struct sums sums = {0};
    double seconds = 4000;

    play(workload, (uint64_t)seconds * 1000000, 0, sum_request, &sums);
    for (uint32_t i = 0; i < DEADLINE_CLASSES; i++) {
        double us =
            (double)sums.count[i] * position_us + (double)sums.bytes[i] / 10.9;

        test_context("class %u: %llu reads", i,
                     (unsigned long long)sums.count[i]);
        /* In each scene some streams have a high rate, some a low one. */
        CHECK_NEAR(us / seconds / 1e5, tenths[i], tenths[i] / 8);
    }
    CHECK_EQ_U(workload_stalled_us(workload), 0);
    workload_destroy(workload);
}

static void workload_grows_with_its_load(void)
{
    uint64_t last = 0;

    for (uint32_t load = 300; load <= 1300; load += 200) {
        struct workload *workload = make(WORKLOAD_SCATTERED, load, 5);
        struct sums sums = {0};
        uint64_t bytes = 0;

        play(workload, 600000000, 0, sum_request, &sums);
        for (uint32_t i = 0; i < DEADLINE_CLASSES; i++)
            bytes += sums.bytes[i];
        test_context("load %u", load);
        CHECK(bytes > last + last / 10);
        last = bytes;
        workload_destroy(workload);
    }
}

/* -- each request -- */

static void check_request(void *context, const struct workload *workload,
                          const struct workload_request *request,
                          uint64_t now_us)
{
    const struct workload_file *file =
        workload_file_at(workload, request->file);
    uint64_t due_us = request->deadline_us - request->arrival_us;
    uint32_t *classes = context;

    CHECK(request->arrival_us <= now_us);
    CHECK(request->bytes > 0);
    CHECK(request->offset + request->bytes <= file->bytes);
    CHECK_EQ(file->class, request->class);
    *classes |= 1u << request->class;
    switch (request->class) {
    case DEADLINE_SOUND:
        CHECK(request->bytes >= 16384 && request->bytes <= 131072);
        CHECK_EQ_U(due_us, 400000);
        break;
    case DEADLINE_CLIP:
        CHECK(request->bytes >= 4096 && request->bytes <= 409600);
        CHECK(due_us == 700000 || due_us == 2500000);
        break;
    case DEADLINE_STREAM:
        CHECK(request->bytes <= 1048576);
        CHECK_EQ_U(request->offset % 2048, 0);
        /* Twelve that begin one after the other, 4 s ahead. */
        CHECK(request->deadline_us <= now_us + 11100000);
        break;
    case DEADLINE_BULK:
        CHECK(request->bytes >= 65536 && request->bytes <= 1048576);
        CHECK_EQ_U(due_us, 6000000);
        break;
    case DEADLINE_CLASSES:
        CHECK(false);
    }
}

static void workload_requests_match_their_class(void)
{
    for (enum workload_layout i = WORKLOAD_SCATTERED; i < WORKLOAD_LAYOUTS;
         i++) {
        struct workload *workload = make(i, 1200, 9);
        uint32_t classes = 0;

        play(workload, 400000000, 20000, check_request, &classes);
        CHECK_EQ(classes, 15);
        workload_destroy(workload);
    }
}

/* -- streams -- */

static void workload_streams_end_with_their_scene(void)
{
    struct workload *workload = make(WORKLOAD_SCATTERED, 1000, 3);
    struct workload_request request;
    struct workload_request stream = {.class = DEADLINE_BULK};
    uint64_t now_us = 0;
    uint32_t scenes = 0;

    for (; now_us < 45000000; now_us += STEP_US) {
        CHECK(!workload_advance(workload, now_us));
        while (workload_take(workload, &request))
            if (request.class == DEADLINE_STREAM)
                stream = request;
            else
                workload_done(workload, &request);
    }
    CHECK_EQ(stream.class, DEADLINE_STREAM);
    CHECK(workload_is_wanted(workload, &stream));
    CHECK(workload_advance(workload, now_us));
    CHECK(!workload_is_wanted(workload, &stream));
    request.class = DEADLINE_BULK;
    request.scenes_before = stream.scenes_before;
    CHECK(workload_is_wanted(workload, &request));
    /* Scenes of 30 to 60 s follow. */
    for (; now_us < 45000000 + 600000000ull; now_us += STEP_US)
        scenes += workload_advance(workload, now_us);
    CHECK(scenes >= 10 && scenes <= 20);
    workload_destroy(workload);
}

static void workload_streams_stall_without_data(void)
{
    struct workload *workload = make(WORKLOAD_SCATTERED, 1000, 3);
    struct workload_request request;
    struct sums sums = {0};

    for (uint64_t now_us = 0; now_us < 40000000; now_us += STEP_US) {
        workload_advance(workload, now_us);
        while (workload_take(workload, &request))
            ;
    }
    /* Their reads are in progress: it is not known yet that they stall. */
    CHECK_EQ_U(workload_stalled_us(workload), 0);
    for (uint64_t now_us = 40000000; now_us < 44000000; now_us += STEP_US) {
        workload_advance(workload, now_us);
        while (workload_take(workload, &request))
            workload_done(workload, &request);
    }
    CHECK(workload_playing_us(workload) > 4 * 40000000ull);
    workload_destroy(workload);

    /* Every read takes so long that each chunk comes too late. */
    workload = make(WORKLOAD_SCATTERED, 1000, 3);
    play(workload, 300000000, 400000, sum_request, &sums);
    CHECK(workload_stalled_us(workload) > 20000000);
    CHECK(workload_stalled_us(workload) < workload_playing_us(workload));
    workload_destroy(workload);
}

static void workload_reports_the_next_request_time(void)
{
    struct workload *workload = make(WORKLOAD_SCATTERED, 700, 3);
    struct workload_request request;
    uint64_t now_us = 0;
    uint32_t count = 0;

    while (now_us < 200000000) {
        uint64_t due_us = workload_due_us(workload);

        CHECK(due_us >= now_us);
        if (due_us > now_us) {
            /* No request comes before. */
            workload_advance(workload, due_us - 1);
            CHECK(!workload_take(workload, &request));
        }
        now_us = due_us;
        workload_advance(workload, now_us);
        while (workload_take(workload, &request)) {
            workload_done(workload, &request);
            count++;
        }
    }
    CHECK(count > 500);
    workload_destroy(workload);
}

/* -- places -- */

static uint64_t end_of(const struct workload_file *file)
{
    return file->offset + file->bytes;
}

static void workload_lies_on_the_disc(void)
{
    for (enum workload_layout i = WORKLOAD_SCATTERED; i < WORKLOAD_LAYOUTS;
         i++) {
        struct workload *workload = make(i, 1000, 1);
        uint64_t disc = spn__drive_disc_bytes(config.drive);
        uint64_t last = 0;

        CHECK(workload_file_count(workload) >= 24 * 192 + 100);
        for (uint32_t k = 0; k < workload_file_count(workload); k++) {
            const struct workload_file *file = workload_file_at(workload, k);

            test_context("%s: file %u", workload_layout_names[i], k);
            CHECK_EQ_U(file->offset % 2048, 0);
            CHECK(file->bytes > 0);
            CHECK(end_of(file) <= disc);
            last = end_of(file) > last ? end_of(file) : last;
        }
        /* The whole disc is used. */
        CHECK(last > disc / 10 * 8);
        workload_destroy(workload);
    }
}

static void workload_lies_by_type(void)
{
    struct workload *workload = make(WORKLOAD_BY_TYPE, 1000, 1);
    uint64_t first[DEADLINE_CLASSES];
    uint64_t limit[DEADLINE_CLASSES] = {0};

    memset(first, 0xff, sizeof first);
    for (uint32_t k = 0; k < workload_file_count(workload); k++) {
        const struct workload_file *file = workload_file_at(workload, k);

        if (file->offset < first[file->class])
            first[file->class] = file->offset;
        if (end_of(file) > limit[file->class])
            limit[file->class] = end_of(file);
    }
    CHECK(limit[DEADLINE_CLIP] <= first[DEADLINE_SOUND] + 2048);
    CHECK(limit[DEADLINE_SOUND] <= first[DEADLINE_BULK] + 2048);
    CHECK(limit[DEADLINE_BULK] <= first[DEADLINE_STREAM] + 2048);
    workload_destroy(workload);
}

/* From the first to the last file of a scene's burst. */
static uint64_t burst_span(const struct workload *workload, uint32_t scene)
{
    uint32_t files[LOADING_SCREEN_FILES];
    uint64_t first = UINT64_MAX;
    uint64_t limit = 0;

    CHECK(loading_screen_files(workload, scene, files));
    for (uint32_t i = 0; i < LOADING_SCREEN_FILES; i++) {
        const struct workload_file *file = workload_file_at(workload, files[i]);

        for (uint32_t k = 0; k < i; k++)
            CHECK(files[k] != files[i]);
        first = file->offset < first ? file->offset : first;
        limit = end_of(file) > limit ? end_of(file) : limit;
    }
    return limit - first;
}

static void workload_lies_by_scene(void)
{
    struct workload *by_scene = make(WORKLOAD_BY_SCENE, 1000, 1);
    struct workload *copies = make(WORKLOAD_COPIES, 1000, 1);
    uint32_t files[LOADING_SCREEN_FILES];

    for (uint32_t s = 1; s < 24; s++) {
        test_context("scene %u", s);
        /* With copies everything lies together: 36 MB, and 8 MB of copies. */
        CHECK(burst_span(copies, s) < 60000000);
        CHECK(burst_span(by_scene, s) > 100000000);
    }
    CHECK(!loading_screen_files(copies, 24, files));
    for (uint32_t k = 0; k < workload_file_count(copies); k++) {
        const struct workload_file *file = workload_file_at(copies, k);

        CHECK(file->content <= k);
        CHECK_EQ(workload_file_at(copies, file->content)->bytes, file->bytes);
    }
    workload_destroy(by_scene);
    workload_destroy(copies);
}

static void workload_fits_small_discs_or_is_refused(void)
{
    const spn_drive_profile *p;
    spn_drive_profile tiny = *spn_drive_profile_find("ps1_cd2x");

    for (uint32_t i = 0; (p = spn_drive_profile_at(i)) != NULL; i++) {
        struct workload_config any = {.drive = p, .load = 1000, .seed = 1};
        struct workload *workload;
        uint32_t classes = 0;

        test_context("%s", p->name);
        for (any.layout = WORKLOAD_SCATTERED; any.layout < WORKLOAD_LAYOUTS;
             any.layout++) {
            workload = workload_create(&any);
            CHECK(workload != NULL);
            for (uint32_t k = 0; k < workload_file_count(workload); k++)
                CHECK(end_of(workload_file_at(workload, k)) <=
                      spn__drive_disc_bytes(p));
            play(workload, 60000000, 20000, check_request, &classes);
            workload_destroy(workload);
        }
    }
    tiny.layer_bytes = 100000000;
    config.drive = &tiny;
    config.load = 1000;
    CHECK(workload_create(&config) == NULL);
    config.drive = spn_drive_profile_find("x360_dvd12x");
    config.load = 0;
    CHECK(workload_create(&config) == NULL);
    config.load = 10001;
    CHECK(workload_create(&config) == NULL);
}

TEST_MAIN(TEST(workload_is_the_same_everywhere),
          TEST(workload_requests_do_not_depend_on_the_server),
          TEST(workload_has_the_configured_load),
          TEST(workload_grows_with_its_load),
          TEST(workload_requests_match_their_class),
          TEST(workload_streams_end_with_their_scene),
          TEST(workload_streams_stall_without_data),
          TEST(workload_reports_the_next_request_time),
          TEST(workload_lies_on_the_disc), TEST(workload_lies_by_type),
          TEST(workload_lies_by_scene),
          TEST(workload_fits_small_discs_or_is_refused))
