# The runtime without some of its features (spindle/features.h).
#
#   make check-features   compile and link with each switch alone, compare
#                         declared and defined functions, play with one
#   make test-features    play with each switch, compare with all features
#
# Other .mk files include this one for its variables, so it guards against a second
# reading.
ifndef FEATURE_SETS
include tests/everywhere/everywhere.mk
FEATURE_SETS := without_lifted_meshes without_frame_buffers without_views without_geom_events without_fill_jobs without_ray_casts without_deadline_scheduler without_paks without_geometry without_observers
SWITCHES_without_lifted_meshes := -DSPN_WITH_LIFTED_MESHES=0
SWITCHES_without_frame_buffers := -DSPN_WITH_FRAME_BUFFERS=0
SWITCHES_without_views := -DSPN_WITH_VIEWS=0
SWITCHES_without_geom_events := -DSPN_WITH_GEOM_EVENTS=0
SWITCHES_without_fill_jobs := -DSPN_WITH_FILL_JOBS=0
SWITCHES_without_ray_casts := -DSPN_WITH_RAY_CASTS=0
SWITCHES_without_deadline_scheduler := -DSPN_WITH_DEADLINE_SCHEDULER=0
SWITCHES_without_paks := -DSPN_WITH_PAKS=0
SWITCHES_without_geometry := -DSPN_WITH_GEOMETRY=0
SWITCHES_without_observers := -DSPN_WITH_OBSERVERS=0
# The switches of a game that only reads, and of one that plays caches of --codec lz4hc.
SWITCHES_reads := -DSPN_WITH_GEOMETRY=0 -DSPN_WITH_DEADLINE_SCHEDULER=0 -DSPN_WITH_PAKS=0
SWITCHES_player := -DSPN_WITH_LIFTED_MESHES=0 -DSPN_WITH_FRAME_BUFFERS=0 -DSPN_WITH_VIEWS=0 -DSPN_WITH_GEOM_EVENTS=0 -DSPN_WITH_FILL_JOBS=0 -DSPN_WITH_RAY_CASTS=0 \
  -DSPN_WITH_DEADLINE_SCHEDULER=0 -DSPN_WITH_PAKS=0 -DSPN_WITH_OBSERVERS=0

# Animation clips.
FEATURE_SETS += without_anim
SWITCHES_without_anim := -DSPN_WITH_ANIM=0
SWITCHES_reads += -DSPN_WITH_ANIM=0
SWITCHES_player += -DSPN_WITH_ANIM=0

FEATURES := $(BUILD)/features
# Without geometry there are no frames to show.
feature_c = $(RUNTIME_C) platform/consoles_stub/platform_stub.c tests/features/play_features.c \
  $(if $(findstring GEOMETRY,$(SWITCHES_$(1))),,offline/player/shown_hash.c)
FEATURE_WHOLE := $(PLAY)/play_features$(EXE)
feature_programs = $(patsubst %,$(FEATURES)/%/play_features$(EXE),$(1))

$(FEATURE_WHOLE): $(call object,offline/player/shown_hash.c tests/features/play_features.c) $(PLAY)/play_disc.o $(LIB_STUB) $(LIB_EMULATOR) $(LIB)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ -llz4 $(LDLIBS)

define feature_rules
$(FEATURES)/$(1)/%.o: %.c Makefile tests/features/features.mk | $$(DEPS_FIRST)
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $$(OUR_CFLAGS) -O1 -g0 -Werror $(SWITCHES_$(1)) $$(INCLUDES_tests) $$(CPPFLAGS) $$(CFLAGS) -MMD -MP -c $$< -o $$@
$(FEATURES)/$(1)/play_features$(EXE): $(patsubst %.c,$(FEATURES)/$(1)/%.o,$(feature_c)) $(PLAY)/play_disc.o
	$$(Q)bash tests/features/declared.sh $(1) '$$(CC) $(SWITCHES_$(1)) -Iruntime/include' $$(filter $(FEATURES)/$(1)/runtime/%.o,$$^)
	$$(Q)$$(CC) $$(OUR_LDFLAGS) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ -llz4 $$(LDLIBS)
endef
$(foreach set,$(FEATURE_SETS) reads player,$(eval $(call feature_rules,$(set))))

.PHONY: check-features test-features
check-features: $(FEATURE_WHOLE) $(call feature_programs,$(FEATURE_SETS))
	$(Q)EXEC='$(EXEC)' bash tests/features/test_features.sh $(FEATURE_WHOLE) $(call feature_programs,without_lifted_meshes) | tail -n 1
test-features: $(FEATURE_WHOLE) $(call feature_programs,$(FEATURE_SETS) reads player)
	$(Q)EXEC='$(EXEC)' bash tests/features/test_features.sh $(FEATURE_WHOLE) $(call feature_programs,$(FEATURE_SETS) reads player)
endif
