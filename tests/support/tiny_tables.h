/* tiny_tables.h - tables, blobs and nodes of a small cache. */
/* SPDX-License-Identifier: MIT */
#ifndef TESTS_SUPPORT_TINY_TABLES_H
#define TESTS_SUPPORT_TINY_TABLES_H

#include "support/tiny_builder.h"

/* With several meshes, the node of the last one has a matrix. */
uint32_t tiny_affine_count(const struct builder *b);
uint32_t tiny_attribute_count(const struct builder *b);
bool tiny_is_affine(const struct builder *b, uint32_t mesh);
/* Lay out parts, tiles, blocks and blobs: each part is one tile. */
void tiny_lay_out(struct builder *b);
void tiny_add_blobs(struct builder *b);
/* Add an animated node for each mesh, under a constant root. */
void tiny_add_tables(struct builder *b);
/* Store the transform of a mesh's node. */
void tiny_store_row(const struct builder *b, uint32_t frame, uint32_t mesh,
                    void *wire);
/* Residuals of the spatial prediction, from the last vertex to the first. */
void tiny_predict_spatial(enum channel channel, uint32_t count, void *values);

#endif
