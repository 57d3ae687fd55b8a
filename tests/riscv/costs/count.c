/* count.c - count the instructions that the playing program spends in the
 * runtime.
 *
 * The linker redirects calls to this file (--wrap). spn_update reads and
 * decodes frames; spn_node_fill writes vertices. The emulator counts exactly
 * (-icount).
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

int __real_play_hashes(struct play_hashes *play, void (*say)(const char *line));
int __wrap_play_hashes(struct play_hashes *play, void (*say)(const char *line));
void __real_spn_update(spn_runtime *rt);
void __wrap_spn_update(spn_runtime *rt);
spn_status __real_spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                                const spn_vertex_layout *layout, void *target,
                                size_t bytes, spn_fill_result *result);
spn_status __wrap_spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                                const spn_vertex_layout *layout, void *target,
                                size_t bytes, spn_fill_result *result);

static uint64_t updates;
static uint64_t fills;

static uint64_t retired(void)
{
    uint64_t count;

    __asm__ volatile("csrr %0, minstret" : "=r"(count));
    return count;
}

void __wrap_spn_update(spn_runtime *rt)
{
    uint64_t before = retired();

    __real_spn_update(rt);
    updates += retired() - before;
}

spn_status __wrap_spn_node_fill(spn_runtime *rt, spn_node node, uint32_t mesh,
                                const spn_vertex_layout *layout, void *target,
                                size_t bytes, spn_fill_result *result)
{
    uint64_t before = retired();
    spn_status status =
        __real_spn_node_fill(rt, node, mesh, layout, target, bytes, result);

    fills += retired() - before;
    return status;
}

static void say_count(void (*say)(const char *line), char *line, uint32_t last,
                      uint64_t count)
{
    for (; count > 0; count /= 10)
        line[last--] = (char)('0' + count % 10);
    say(line);
}

int __wrap_play_hashes(struct play_hashes *play, void (*say)(const char *line))
{
    char update_line[] = "updates             0";
    char fill_line[] = "fills               0";
    int failed = __real_play_hashes(play, say);

    say_count(say, update_line, sizeof update_line - 2, updates);
    say_count(say, fill_line, sizeof fill_line - 2, fills);
    return failed;
}
