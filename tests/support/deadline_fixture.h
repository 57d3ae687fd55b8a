/* deadline_fixture.h - waiting reads and a drive with simple costs, for tests
 * of the deadline scheduler: each seek takes 105 ms, each megabyte 100 ms. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_DEADLINE_FIXTURE_H
#define TESTS_SUPPORT_DEADLINE_FIXTURE_H

#include "schedule/deadline_coalesce.h"
#include "schedule/deadline_cost.h"

#define MS 1000u
#define SECOND_US 1000000u
#define MB 1000000u
#define NOW_US (UINT64_C(1000) * SECOND_US)
#define NO_DEADLINE UINT64_MAX

/* 100 ms for each seek, and half a revolution of 10 ms; 10 MB/s; no read-ahead
 * buffer, no time for commands. */
extern const spn_drive_profile plain;
#define SEEK_US 105000

extern struct forecast forecast;
extern struct deadline_rules rules;
extern struct deadline_scheduler scheduler;
extern struct forecast_place head;

/* Start a scheduler without reads for a drive, with the default rules. */
void start_with(const spn_drive_profile *profile);

/* Start a scheduler whose rules prefer no class, have no urgent reads and no
 * ageing; a missed deadline costs as much as two seeks. */
void start_bare(const spn_drive_profile *profile);

/* A waiting read that arrived at NOW_US. */
struct deadline_item item_at(uint64_t offset, uint64_t bytes,
                             enum deadline_class class, uint64_t deadline_us);

/* Offer a read to the scheduler. */
struct deadline_item *add_item(uint64_t offset, uint64_t bytes,
                               enum deadline_class class, uint64_t deadline_us);

/* The choice of the scheduler at NOW_US. spn__deadline_check holds after it. */
uint32_t choose_item(void);

#endif
