/* residual_classes.h - chooses how a payload codes each run of residuals.
 *
 * codec/lift/residual_coder.h defines payloads, runs, classes and the base.
 * The bits of every class are counted exactly for every run, with the Huffman
 * tables of the channel. The functions keep no state, and may run on any
 * thread.
 */
/* SPDX-License-Identifier: MIT */
#ifndef OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_CLASSES_H
#define OFFLINE_COMPILE_ENCODE_ENTROPY_RESIDUAL_CLASSES_H

#include "compile/encode/entropy/residual_encode.h"

/* Fill triple_bits and quad_bits from the code lengths. */
void residual_costs_make(struct residual_encoder *coder);

/* Choose the base of a payload and the class of each run, so that the payload
 * is smallest. Returns its bits.
 *
 * residuals     four numbers a vertex, of which the first three count
 * fourth        the fourth component, one number a vertex; NULL: none
 * run_count   runs of RESIDUAL_RUN vertices; at most
 *               RESIDUAL_RUNS_MAX
 * classes       gets the class of each run
 * quad_classes  gets the class of its quads; not used if `fourth` is NULL */
uint64_t residual_choose_classes(const struct residual_encoder *coder,
                                 const int16_t *residuals,
                                 const int16_t *fourth, uint32_t run_count,
                                 uint32_t *base, uint8_t *classes,
                                 uint8_t *quad_classes);

#endif
