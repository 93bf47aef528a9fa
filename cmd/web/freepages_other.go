//go:build !linux

package main

// freeProgramPages does nothing on this system.
func freeProgramPages() error { return nil }
