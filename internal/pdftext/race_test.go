//go:build race

package pdftext_test

// raced tells that the race detector watches, whose own memory counts towards a process's limit.
const raced = true
