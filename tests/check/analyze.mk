# analyze.mk - make check-analyze: run three static analyzers. It takes minutes, so make
# check does not include it. Needs make deps-analyze.
.PHONY: check-analyze deps-analyze
check-analyze:
	$(Q)bash tests/check/analyze.sh
deps-analyze: deps
	$(call install_packages,gcc gcc-mingw-w64-x86-64 clang-tidy cppcheck)
