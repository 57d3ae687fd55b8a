/* test_png.c
 *
 * Goal: the picture that was written is the picture that libpng reads, and a
 *   full disc is a refusal, not a picture.
 * Method: write a small random picture, read it back with libpng's simplified
 *   reader; write into an output that has failed.
 * One thread.
 */
/* SPDX-License-Identifier: MIT */
#include "harness.h"

#include "render/png.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", test_temp(), name);
    return path;
}

static void fill_random(struct raster *raster)
{
    struct test_random random = {5};

    for (uint32_t i = 0; i < raster->width * raster->height * 3; i++)
        raster->rgb[i] = (uint8_t)test_random_u64(&random);
}

static void png_reads_back_what_was_written(void)
{
    struct raster raster;
    struct arena arena;
    struct diag diag;
    struct host_output *output;
    png_image image;
    uint8_t *pixels;

    arena_init(&arena);
    diag_init(&diag);
    raster_init(&raster, 37, 11, &arena);
    fill_random(&raster);
    output = host_output_open(path_of("a.png"), &diag);
    CHECK(output != NULL);
    CHECK(png_write(output, &raster, &diag));
    CHECK(host_output_commit(output));

    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    CHECK(png_image_begin_read_from_file(&image, path_of("a.png")));
    image.format = PNG_FORMAT_RGB;
    CHECK_EQ(image.width, 37);
    CHECK_EQ(image.height, 11);
    pixels = malloc(PNG_IMAGE_SIZE(image));
    CHECK(pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL));
    CHECK_MEM(pixels, raster.rgb, 37 * 11 * 3);
    free(pixels);
    diag_finish(&diag);
    arena_free(&arena);
}

static void png_refuses_when_the_output_does(void)
{
    struct raster raster;
    struct arena arena;
    struct diag diag;
    struct host_output *output;
    FILE *file;

    arena_init(&arena);
    diag_init(&diag);
    diag.is_silent = true;
    raster_init(&raster, 37, 11, &arena);
    output = host_output_open(path_of("b.png"), &diag);
    CHECK(output != NULL);
    CHECK(!host_output_write_at(output, 1000, "x", 1)); /* fails for good */
    CHECK(!png_write(output, &raster, &diag));
    CHECK(!host_output_commit(output));
    CHECK_EQ(diag.code, EXIT_IO_FAILED);
    file = fopen(path_of("b.png"), "rb");
    CHECK(file == NULL);
    diag_finish(&diag);
    arena_free(&arena);
}

TEST_MAIN(TEST(png_reads_back_what_was_written),
          TEST(png_refuses_when_the_output_does))
