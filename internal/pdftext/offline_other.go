//go:build !linux

package pdftext

import "os/exec"

// withoutNetwork has no way to do it here.
func withoutNetwork(*exec.Cmd) bool { return false }
