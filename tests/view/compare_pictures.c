/* compare_pictures.c - how far a picture of `spindle view` is from another one.
 *
 *   compare_pictures A B [X Y]
 *
 * A and B are PNG, or PPM as engine_sample.c prints it. Compares A with the
 * part of B whose upper left corner is at (X, Y). The upper left corner, where
 * `render` writes its label, does not count. Prints the mean difference of a
 * colour, in thousandths of its steps of 0 to 255, and how many pixels in a
 * thousand differ by more than FAR in some colour.
 */
/* SPDX-License-Identifier: MIT */
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAR 32
#define LABEL_WIDTH 140u
#define LABEL_HEIGHT 32u

/* NULL: the file is no PPM. */
static uint8_t *read_ppm(const char *path, png_image *image)
{
    FILE *f = fopen(path, "rb");
    uint8_t *pixels = NULL;
    size_t bytes = 0;

    if (f && fscanf(f, "P6 %4u %4u 255", &image->width, &image->height) == 2) {
        bytes = (size_t)image->width * image->height * 3;
        pixels = malloc(bytes);
    }
    if (pixels && (fgetc(f) != '\n' || fread(pixels, 1, bytes, f) != bytes)) {
        free(pixels);
        pixels = NULL;
    }
    if (f)
        fclose(f);
    return pixels;
}

static uint8_t *read_picture(const char *path, png_image *image)
{
    uint8_t *pixels = read_ppm(path, image);

    if (pixels)
        return pixels;
    memset(image, 0, sizeof *image);
    image->version = PNG_IMAGE_VERSION;
    if (!png_image_begin_read_from_file(image, path))
        return NULL;
    image->format = PNG_FORMAT_RGB;
    pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (pixels && !png_image_finish_read(image, NULL, pixels, 0, NULL)) {
        free(pixels);
        return NULL;
    }
    return pixels;
}

/* The sum and the largest of the differences of two pixels. */
static int compare_pixels(const uint8_t *a, const uint8_t *b, uint64_t *sum)
{
    int most = 0;

    for (int c = 0; c < 3; c++) {
        int difference = abs(a[c] - b[c]);

        *sum += (uint64_t)difference;
        most = difference > most ? difference : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    uint32_t left = argc == 5 ? (uint32_t)atoi(argv[3]) : 0;
    uint32_t upper = argc == 5 ? (uint32_t)atoi(argv[4]) : 0;
    png_image a;
    png_image b;
    uint8_t *pixels_a;
    uint8_t *pixels_b;
    uint64_t sum = 0;
    uint64_t far_count = 0;
    uint64_t count = 0;

    if (argc != 3 && argc != 5)
        return 2;
    pixels_a = read_picture(argv[1], &a);
    pixels_b = read_picture(argv[2], &b);
    if (!pixels_a || !pixels_b || left + a.width > b.width ||
        upper + a.height > b.height) {
        fputs("compare_pictures: no such pictures\n", stderr);
        return 1;
    }
    for (uint32_t y = 0; y < a.height; y++)
        for (uint32_t x = 0; x < a.width; x++) {
            const uint8_t *pixel_a = pixels_a + ((size_t)y * a.width + x) * 3;
            const uint8_t *pixel_b =
                pixels_b + ((size_t)(y + upper) * b.width + x + left) * 3;

            if (x < LABEL_WIDTH && y < LABEL_HEIGHT)
                continue;
            far_count += compare_pixels(pixel_a, pixel_b, &sum) > FAR;
            count++;
        }
    if (count == 0)
        return 1;
    printf("%llu %llu\n", (unsigned long long)(sum * 1000 / (count * 3)),
           (unsigned long long)(far_count * 1000 / count));
    free(pixels_a);
    free(pixels_b);
    return 0;
}
