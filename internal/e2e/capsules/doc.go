// Package capsules holds time capsules: files that a version of Sanad stored, signed or exported, created once and
// never regenerated (see README.md). The tests verify, read, migrate and show every one of them with the binary of this
// tree. The package contains only tests.
//
// SANAD_BINARY=FILE tests another binary than the one of this tree. SANAD_CAPSULES makes new capsules.
package capsules
