# Generated parts of documents: manual pages, tables, transcripts.
#
#   make docs            write the generated parts
#   make check-docs      check that they are up to date, that files named by documents
#                        exist, and that mandoc has no warnings
#   make bench-results   run all benchmarks and write tests/bench/RESULTS.md; needs an
#                        otherwise idle machine for half an hour
.PHONY: docs check-docs bench-results
PRINT_DOCS := $(BUILD)/docs/print_docs$(EXE)
PAPERS := $(filter-out PLAN.md,$(wildcard *.md)) $(wildcard $(foreach d,platform runtime runtime/* offline/* tests/*,$(d)/*.md))
MAN_PAGES := $(sort $(wildcard offline/man/*.1))
DOCUMENTS := $(MAN_PAGES) $(wildcard offline/abc/SUPPORT.md offline/simulate/MANUAL.md runtime/GUIDE.md)
$(PRINT_DOCS): $(BUILD)/tests/docs/print_docs.o $(LINKABLE)
	@mkdir -p $(@D)
	$(Q)$(CC) $(OUR_LDFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(OUR_LDLIBS) $(LDLIBS)
UPDATE_DOCS = SPINDLE='$(abspath $(TOOL))' BENCHES='$(abspath $(BUILD)/bench)' EXEC='$(EXEC)' bash tests/docs/update.sh
ifeq ($(OUR_LDFLAGS),)
test cli-docs compile-all: $(PRINT_DOCS)
endif
docs: $(PRINT_DOCS) $(TOOL)
	$(Q)$(UPDATE_DOCS) $(PRINT_DOCS) $(DOCUMENTS)
check-docs: $(PRINT_DOCS) $(TOOL)
	$(Q)$(UPDATE_DOCS) --check $(PRINT_DOCS) $(DOCUMENTS) && bash tests/docs/paths.sh $(PAPERS) && mandoc -T lint -W warning $(MAN_PAGES) && echo "docs: ok"
bench-results: $(PRINT_DOCS) $(TOOL) $(BENCHES)
	$(Q)$(UPDATE_DOCS) --once $(PRINT_DOCS) tests/bench/RESULTS.md
