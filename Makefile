# Groma's commands. `make help` lists them; INSTALL=0 keeps them from installing system packages.

.DEFAULT_GOAL := help
.PHONY: help demo test test-camera bench fmt

help: ## list the commands
	@echo "make COMMAND [INSTALL=0]"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
	@echo "INSTALL=0 installs no system package; packages/debian.txt lists them."

demo: ## build and watch a simulated table being read and judged, in the window or off-screen
	@INSTALL="$(or $(INSTALL),1)" scripts/demo.sh

test: ## run every test but the virtual camera
	@INSTALL="$(or $(INSTALL),1)" scripts/test.sh

test-camera: ## read an emulated USB webcam through the real kernel driver, in a virtual machine
	@INSTALL="$(or $(INSTALL),1)" tests/camera-vm/run.sh

bench: ## measure: one frame from picture to snapshot, one ruling
	@INSTALL="$(or $(INSTALL),1)" scripts/packages.sh build
	cargo bench --locked

fmt: ## format the source
	cargo fmt
