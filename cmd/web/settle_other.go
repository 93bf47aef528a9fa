//go:build !linux

package main

// dropProgram does nothing on this system.
func dropProgram() error { return nil }
