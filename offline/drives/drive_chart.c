/* drive_chart.c - sample the runtime's drive model along the disc. */
/* SPDX-License-Identifier: MIT */
#include "drives/drive_chart.h"

#include "disc/drive_disc.h"

#define ROWS 20u
#define BAR 24u
#define MB 1000000u

/* Drives with zones have measured seek times, which include half a rotation. */
static double half_rotation_ms(const spn_drive_profile *p, uint64_t offset)
{
    return p->motion == SPN_DRIVE_ZONES
               ? 0
               : (double)spn__drive_turn_us(p, offset) / 2000;
}

struct drive_sample drive_sample_at(const spn_drive_profile *p, uint32_t part,
                                    uint32_t parts)
{
    uint64_t disc = spn__drive_disc_bytes(p);
    /* cppcheck-suppress zerodivcond ; parts is never 0 */
    uint64_t offset = disc / parts * part;
    uint64_t away = (offset + disc / 2) % disc;
    struct drive_sample s;

    if (part == parts)
        offset = disc - 1;
    s.offset_mb = (double)offset / MB;
    s.radius_mm = (double)spn__drive_radius_nm(p, offset) * 1e-6;
    s.rate_mb_s = (double)spn__drive_rate(p, offset) / MB;
    s.rotation_ms = (double)spn__drive_turn_us(p, offset) / 1000;
    s.seek_ms = (double)spn__drive_seek_us(p, 0, offset) / 1000 +
                half_rotation_ms(p, offset);
    s.megabyte_ms = (double)spn__drive_seek_us(p, away, offset) / 1000 +
                    half_rotation_ms(p, offset) +
                    (double)spn__drive_transfer_us(p, offset, MB) / 1000;
    return s;
}

/* Find the position with this radius, by bisection. */
double drive_stroke_ms(const spn_drive_profile *p, double part)
{
    double wanted_nm =
        1e3 *
        (p->radius_in_um + part * ((double)p->radius_out_um - p->radius_in_um));
    uint64_t low = 0;
    uint64_t high = p->layer_bytes - 1;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if ((double)spn__drive_radius_nm(p, middle) < wanted_nm)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)spn__drive_seek_us(p, 0, low) / 1000 +
           half_rotation_ms(p, low);
}

/* -- text -- */

void drive_chart_list(const spn_drive_profile *const *profiles, uint32_t count,
                      FILE *file)
{
    fprintf(file, "%-15s %9s %13s %8s  %-20s %s\n", "drive", "MB a layer",
            "MB/s in-out", "ms/turn", "seek ms 1/10 1/3 1", "");
    for (uint32_t i = 0; i < count; i++) {
        const spn_drive_profile *p = profiles[i];

        fprintf(
            file, "%-15s %7.0f x%u %6.2f %6.2f %8.2f  %5.0f %6.0f %6.0f  %s\n",
            p->name, (double)p->layer_bytes / MB, p->layers,
            (double)p->rate_in / MB, (double)p->rate_out / MB,
            (double)spn__drive_turn_us(p, 0) / 1000, drive_stroke_ms(p, 0.1),
            drive_stroke_ms(p, 1.0 / 3), drive_stroke_ms(p, 1), p->about);
    }
}

static void print_bar(double value, double most, FILE *file)
{
    uint32_t length = most > 0 ? (uint32_t)(value / most * BAR + 0.5) : 0;

    for (uint32_t i = 0; i < BAR; i++)
        fputc(i < length ? '#' : ' ', file);
}

void drive_chart_text(const spn_drive_profile *p, FILE *file)
{
    double seek_most = 0;
    double rate_most = 0;

    for (uint32_t i = 0; i <= ROWS; i++) {
        struct drive_sample s = drive_sample_at(p, i, ROWS);

        seek_most = s.seek_ms > seek_most ? s.seek_ms : seek_most;
        rate_most = s.rate_mb_s > rate_most ? s.rate_mb_s : rate_most;
    }
    fprintf(file, "%s: %s\n", p->name, p->about);
    fprintf(file, "%9s %7s  %-*s  %-*s\n", "MB", "mm", (int)BAR + 8,
            "seek from 0, ms", (int)BAR + 7, "rate, MB/s");
    for (uint32_t i = 0; i <= ROWS; i++) {
        struct drive_sample s = drive_sample_at(p, i, ROWS);

        fprintf(file, "%9.0f %7.2f %7.1f  ", s.offset_mb, s.radius_mm,
                s.seek_ms);
        print_bar(s.seek_ms, seek_most, file);
        fprintf(file, " %6.2f  ", s.rate_mb_s);
        print_bar(s.rate_mb_s, rate_most, file);
        fputc('\n', file);
    }
}
