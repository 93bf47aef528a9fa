//go:build !unix

package isolated

import "errors"

// Limit sets no limits on this system; only the caller's timeout applies.
func Limit() error { return nil }

// Become fails on this system.
func Become(string, []string) error { return errors.New("pdftotext is used on Unix only") }
