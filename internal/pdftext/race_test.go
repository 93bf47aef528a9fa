//go:build race

package pdftext_test

// raced is true under the race detector, whose own memory counts towards a process's limit.
const raced = true
