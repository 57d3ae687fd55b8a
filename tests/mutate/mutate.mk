# mutate.mk - make mutate SEED=n COUNT=m: do the tests notice changed lines?
#
#   make mutate SEED=7 COUNT=80                     in all code that ships
#   make mutate SEED=7 COUNT=20 IN=offline/verify   in one folder
#   make mutate SEED=7 COUNT=20 IN=offline/verify NEAR=1   by its own tests only
#   make mutate SEED=7 COUNT=80 LIST=1              list the mutants, run nothing
#
# A stopped run can be continued. mutate.py describes the method. Needs make
# deps-mutate.
.PHONY: mutate deps-mutate
mutate:
	$(Q)python3 tests/mutate/mutate.py --seed $(or $(SEED),1) --count $(or $(COUNT),20) $(addprefix --in ,$(IN)) $(if $(NEAR),--near) $(if $(LIST),--list)
deps-mutate: deps
	$(call install_packages,python3)
