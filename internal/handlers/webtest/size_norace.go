//go:build !race

package webtest

// Sized returns full: without the race detector, as in make interop, a test runs at its full size.
func Sized(full, _ int) int { return full }
