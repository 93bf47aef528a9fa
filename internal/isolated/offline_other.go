//go:build !linux

package isolated

import "os/exec"

// withoutNetwork is not supported on this system.
func withoutNetwork(*exec.Cmd) bool { return false }
