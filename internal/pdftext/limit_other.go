//go:build !unix

package pdftext

import "errors"

// limit sets no limits on this system; only the caller's timeout applies.
func limit() error { return nil }

func become(string, []string) error { return errors.New("pdftotext is used on Unix only") }
