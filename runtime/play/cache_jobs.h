/* cache_jobs.h - the jobs that validate and unpack a cache's static data.
 *
 * Each function is a job_fn (base/jobs.h) whose context is the struct cache.
 * Any worker runs it. While a job runs, it owns the fields that it fills in. A
 * job that fails sets cache.has_failed; the first job that fails also sets
 * job_status and job_fault. The last access of a job to the cache is the
 * decrement of jobs_left, with release order.
 */
/* SPDX-License-Identifier: MIT */
#ifndef SPN_PLAY_CACHE_JOBS_H
#define SPN_PLAY_CACHE_JOBS_H

#include "base/jobs.h"
#include "cache/blob_decoder.h"
#include "play/cache.h"

/* Validate the frame table in read_block and fill the chunks. */
void spn__cache_frames_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* Validate the tables in read_block, and compute cache.plan: where the blocks
 * of a decoded frame lie in memory. */
void spn__cache_tables_job(void *context, uint32_t argument,
                           struct job_worker *worker);
/* The passes of unpacking: those of enum blob_pass, because some blobs are
 * decoded with the data of others; then one that compares static meshes with
 * their content hashes. */
#define CACHE_PASS_HASHES ((uint32_t)BLOB_PASS_COUNT)
#define CACHE_PASS_COUNT (CACHE_PASS_HASHES + 1)

/* Begin to unpack all blobs, or go on with it. The last job of a pass submits
 * those of the next one, and jobs_left is not 0 meanwhile. When it is 0, the
 * blobs are unpacked if `pass` is CACHE_PASS_COUNT; else a job has failed, or
 * the table of jobs was full and this function must be called again. Before the
 * first call `pass` and job_cursor are 0. */
void spn__cache_unpack_blobs(struct cache *c);
/* Unpack one blob, and go on as above.
 *
 * argument  index of the blob */
void spn__cache_blob_job(void *context, uint32_t argument,
                         struct job_worker *worker);
/* Compare static meshes with their content hashes, as many as one job takes,
 * and go on as above.
 *
 * argument  index of the first mesh */
void spn__cache_hash_job(void *context, uint32_t argument,
                         struct job_worker *worker);

#endif
