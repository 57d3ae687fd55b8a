/* features.h - which parts of the runtime are built.
 *
 * Each switch is 1 or 0. They hold for the runtime, the platform and the game
 * alike: change them here, or give every compiler -DSPN_WITH_PAKS=0 and so on.
 *
 * One rule for what is switched off: its public functions are not declared, so
 * a game that calls one does not compile. Types and configs stay as they are.
 * What asks for a missing part in another way, a config or a file, is refused
 * with SPN_ERR_NOT_BUILT. spn_memory_needed counts what is built.
 *
 * Linkers drop what a game does not call in any case (-ffunction-sections,
 * --gc-sections). The switches are for what they cannot know.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPINDLE_FEATURES_H
#define SPINDLE_FEATURES_H

/* Paks: pak.h, and reads of their entries. Without: spn_config.pak_count is
 * 0, and reads are of files. */
#ifndef SPN_WITH_PAKS
#define SPN_WITH_PAKS 1
#endif

#endif
