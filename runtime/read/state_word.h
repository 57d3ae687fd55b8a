/* state_word.h - the state word of a read: what threads other than the owner of
 * the request may know and change.
 *
 * Each request has a state word, an atomic word in io.states (engine.h):
 *
 *   bits 16 to 31  generation of the request. It is odd while the request is
 *                  used, and makes the handles of earlier reads stale
 *   bits 5 to 15   number of pins
 *   bits 0 to 4    flags
 *
 * A read is *pinned* while a thread accesses its result (io_wait.h): each such
 * thread counts as one pin. A read is *held* if its handle and its result stay
 * valid after the completion, until a thread has taken the result or releases
 * the read. The request of a completed read is used again when the read is
 * neither held nor pinned.
 *
 * Thread: any.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_READ_STATE_WORD_H
#define SPN_READ_STATE_WORD_H

/* The part of a handle that is the index of the request. The other bits of a
 * handle are those of the generation. */
#define READ_INDEX_MASK 0xffffu

#define STATE_GENERATION_SHIFT 16u
/* The lowest bit of the generation. */
#define STATE_IN_USE (1u << STATE_GENERATION_SHIFT)
/* Flag: the read has ended: its result is final. Set once, by the io thread. */
#define STATE_ENDED 1u
/* Flag: the read was aborted. Set by any thread, but not after STATE_ENDED. */
#define STATE_ABORTED 2u
/* Flag: the read is completed: its last callback has returned. Set once, by the
 * caller's thread. */
#define STATE_COMPLETED 4u
/* Flag: a thread sleeps until the read has ended. */
#define STATE_AWAITED 8u
/* Flag: the read is held. Set by the start. */
#define STATE_HELD 16u
/* The number of pins: the value of one pin, and the mask of the number. */
#define STATE_PIN 32u
#define STATE_PINS 0xffe0u

#endif
