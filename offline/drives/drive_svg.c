/* drive_svg.c - draw the curves of drives as an SVG picture.
 *
 * Plain SVG 1.1 without scripts, external styles or fonts: any browser shows
 * it.
 */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_chart.h"

#include <stdarg.h>
#include <string.h>

#define POINTS 200u
#define WIDTH 860u
#define LEFT 60u
#define PANEL_WIDTH 560u
#define PANEL_HEIGHT 230u
#define PANEL_TOP 40u
#define PANEL_STEP 290u
#define HEIGHT (PANEL_TOP + 2 * PANEL_STEP)
#define TICKS 5u

static const char *const colors[] = {"#1f77b4", "#d62728", "#2ca02c",
                                     "#9467bd", "#ff7f0e", "#17becf",
                                     "#8c564b", "#e377c2", "#7f7f7f"};
#define COLORS (sizeof colors / sizeof colors[0])

/* When the colours repeat, the dash pattern changes. */
static const char *const dashes[] = {"none", "8 3", "2 3", "8 3 2 3"};
#define DASHES (sizeof dashes / sizeof dashes[0])

struct svg {
    struct host_output *output;
    bool is_good;
};

__attribute__((format(printf, 2, 3))) static void put(struct svg *svg,
                                                      const char *format, ...)
{
    char text[512];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        svg->is_good = false;
    else if (svg->is_good)
        svg->is_good = host_output_append(svg->output, text, (size_t)length);
}

/* Escape names: they come from files. */
static void put_name(struct svg *svg, const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;

        if (c < 0x20 || c >= 0x7f || strchr("<>&\"'", c))
            put(svg, "?");
        else
            put(svg, "%c", c);
    }
}

enum panel { PANEL_SEEK, PANEL_RATE, PANEL_COUNT };

static double value_of(const struct drive_sample *s, enum panel panel)
{
    return panel == PANEL_SEEK ? s->seek_ms : s->rate_mb_s;
}

/* Step of an axis: 1, 2 or 5 times a power of ten, so that TICKS steps reach
 * `most`. */
static double tick_of(double most)
{
    double tick = 1e-6;

    for (uint32_t i = 0; tick * TICKS < most && i < 60; i++)
        tick *= i % 3 == 1 ? 2.5 : 2;
    return tick;
}

static double find_most(const spn_drive_profile *const *profiles,
                        uint32_t count, enum panel panel)
{
    double most = 0;

    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k <= POINTS; k++) {
            struct drive_sample s = drive_sample_at(profiles[i], k, POINTS);

            if (value_of(&s, panel) > most)
                most = value_of(&s, panel);
        }
    return most;
}

static void put_frame(struct svg *svg, enum panel panel, double top,
                      double tick)
{
    put(svg, "<text x=\"%u\" y=\"%.0f\" font-weight=\"bold\">%s</text>\n", LEFT,
        top - 12,
        panel == PANEL_SEEK
            ? "seek from the start of the disc and half a turn, ms"
            : "rate, MB/s");
    for (uint32_t i = 0; i <= TICKS; i++) {
        double y = top + PANEL_HEIGHT - (double)PANEL_HEIGHT / TICKS * i;
        double x = LEFT + (double)PANEL_WIDTH / TICKS * i;

        put(svg,
            "<path d=\"M%u %.1fh%u\" stroke=\"#ddd\"/><text x=\"%u\" "
            "y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n",
            LEFT, y, PANEL_WIDTH, LEFT - 6, y + 4, tick * i);
        put(svg,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%u %%</text>\n",
            x, top + PANEL_HEIGHT + 18, 100 / TICKS * i);
    }
}

/* Style of a drive's line, by its index. */
static void put_line(struct svg *svg, uint32_t number, const char *width)
{
    put(svg, "stroke=\"%s\" stroke-dasharray=\"%s\" stroke-width=\"%s\"",
        colors[number % COLORS], dashes[number / COLORS % DASHES], width);
}

static void put_curve(struct svg *svg, const spn_drive_profile *p,
                      uint32_t number, enum panel panel, double top,
                      double tick)
{
    put(svg, "<path fill=\"none\" ");
    put_line(svg, number, "1.6");
    put(svg, " d=\"");
    for (uint32_t k = 0; k <= POINTS; k++) {
        struct drive_sample s = drive_sample_at(p, k, POINTS);

        put(svg, "%c%.1f %.1f", k ? 'L' : 'M',
            LEFT + (double)PANEL_WIDTH / POINTS * k,
            top + PANEL_HEIGHT -
                value_of(&s, panel) / (tick * TICKS) * PANEL_HEIGHT);
    }
    put(svg, "\"><title>");
    put_name(svg, p->name);
    put(svg, "</title></path>\n");
}

static void put_key(struct svg *svg, const spn_drive_profile *p,
                    uint32_t number)
{
    uint32_t y = PANEL_TOP + 8 + number * 20;

    put(svg, "<path d=\"M%u %uh20\" ", LEFT + PANEL_WIDTH + 24, y);
    put_line(svg, number, "3");
    put(svg, "/>");
    put(svg, "<text x=\"%u\" y=\"%u\">", LEFT + PANEL_WIDTH + 52, y + 4);
    put_name(svg, p->name);
    put(svg, "</text>\n");
}

bool drive_chart_svg(const spn_drive_profile *const *profiles, uint32_t count,
                     struct host_output *output)
{
    struct svg svg = {output, true};
    uint32_t height =
        HEIGHT > PANEL_TOP + count * 20 ? HEIGHT : PANEL_TOP + count * 20;

    put(&svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        WIDTH, height);
    for (uint32_t panel = 0; panel < PANEL_COUNT; panel++) {
        enum panel kind = (enum panel)panel;
        double top = PANEL_TOP + (double)panel * PANEL_STEP;
        double tick = tick_of(find_most(profiles, count, kind));

        put_frame(&svg, kind, top, tick);
        for (uint32_t i = 0; i < count; i++)
            put_curve(&svg, profiles[i], i, kind, top, tick);
    }
    for (uint32_t i = 0; i < count; i++)
        put_key(&svg, profiles[i], i);
    put(&svg, "</svg>\n");
    return svg.is_good;
}
