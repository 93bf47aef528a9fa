//go:build !linux

package main

import "testing"

// uncache does nothing: memory is measured on Linux.
func uncache(testing.TB) {}
