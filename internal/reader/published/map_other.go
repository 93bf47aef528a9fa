//go:build !unix

package published

import "os"

// mapped reads a file: where the standard library does not map files, the model is in this process's own memory.
func mapped(path string) (contents string, release func() error, err error) {
	read, err := os.ReadFile(path)
	return string(read), func() error { return nil }, err
}
