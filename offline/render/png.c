/* png.c - writes through libpng and reports its errors as refusals.
 *
 * libpng reports errors by longjmp. Variables that are read after the jump do
 * not change after the setjmp.
 */
/* SPDX-License-Identifier: MIT */
#include "render/png.h"

#include <png.h>
#include <setjmp.h>

struct writer {
    struct host_output *output;
    struct diag *diag;
};

static void on_write(png_structp png, png_bytep data, size_t bytes)
{
    struct writer *writer = png_get_io_ptr(png);

    if (!host_output_append(writer->output, data, bytes))
        png_error(png, "cannot write");
}

static void on_flush(png_structp png)
{
    (void)png;
}

/* After a failed write the refusal is already reported, and is kept. */
static void on_error(png_structp png, png_const_charp text)
{
    struct writer *writer = png_get_error_ptr(png);

    diag_io(writer->diag, "PNG", 0, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static void write_all(png_structp png, png_infop info,
                      const struct raster *raster)
{
    png_set_IHDR(png, info, raster->width, raster->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (uint32_t y = 0; y < raster->height; y++)
        png_write_row(png, raster->rgb + (size_t)y * raster->width * 3);
    png_write_end(png, info);
}

bool png_write(struct host_output *output, const struct raster *raster,
               struct diag *diag)
{
    struct writer writer = {output, diag};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer,
                                              on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;

    if (!info) {
        png_destroy_write_struct(&png, NULL);
        return diag_io(diag, "PNG", 0, "no memory");
    }
    if (setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &writer, on_write, on_flush);
    write_all(png, info, raster);
    png_destroy_write_struct(&png, &info);
    return true;
}
