// Package capsules holds time capsules: files that a version of Sanad stored, signed or exported, made once and
// never made again (see README.md). Its tests have the binary of this tree verify, read, migrate and show every one
// of them. There is no code here but tests.
//
// SANAD_BINARY=FILE tests another binary than the one of this tree. SANAD_CAPSULES makes new capsules.
package capsules
