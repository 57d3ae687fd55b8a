/* play_hosted.c - main of play_hashes on a machine with a C library.
 */
/* SPDX-License-Identifier: MIT */
#include "everywhere/play_hashes.h"

#include <stdio.h>

static struct play_hashes play;

static void say(const char *line)
{
    puts(line);
}

int main(void)
{
    return play_hashes(&play, say) != 0;
}
