//go:build !unix

package pdftext

import "errors"

// limit has nothing to take here; what the caller takes is time.
func limit() error { return nil }

func become(string, []string) error { return errors.New("pdftotext is used on Unix only") }
