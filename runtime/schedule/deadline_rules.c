/* deadline_rules.c - the values of the scheduler's constants.
 *
 * Found by a search over the synthetic games of offline/simulate (all layouts,
 * loads of 0.95 to 1.45, the drive of the Xbox 360), and rounded. The optimum
 * is flat: a third digit changes nothing.
 */
/* SPDX-License-Identifier: MIT */
#include "schedule/deadline_rules.h"

#define SECOND_US 1000000u

const struct deadline_rules spn__deadline_rules = {
    .classes = {[DEADLINE_SOUND] = {.renew_us = 0,
                                    .binding_us = UINT32_MAX,
                                    .age_limit_us = 20 * SECOND_US,
                                    .penalty = 700,
                                    .urgency = 800,
                                    .credit = 360},
                [DEADLINE_CLIP] = {.renew_us = 0,
                                   .binding_us = UINT32_MAX,
                                   .age_limit_us = 20 * SECOND_US,
                                   .penalty = 1400,
                                   .urgency = 450,
                                   .credit = 90},
                [DEADLINE_STREAM] = {.renew_us = 4 * SECOND_US,
                                     .binding_us = UINT32_MAX,
                                     .age_limit_us = 20 * SECOND_US,
                                     .penalty = 800,
                                     .urgency = 450,
                                     .credit = 0},
                [DEADLINE_BULK] = {.renew_us = 20 * SECOND_US,
                                   .binding_us = SECOND_US,
                                   .age_limit_us = 30 * SECOND_US,
                                   .penalty = 550,
                                   .urgency = 270,
                                   .credit = -180}},
    .tardy_us = 20000,
    .urgent_us = 320000,
    .calm_us = 2 * SECOND_US,
    .age = 90,
    .backlog = 11,
    .penalty_backoff = 150,
    .urgency_backoff = 100,
};
