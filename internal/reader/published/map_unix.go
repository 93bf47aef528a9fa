//go:build unix

package published

import (
	"os"
	"syscall"
	"unsafe"

	"sanad/internal/reader"
)

// mapped maps a file read-only, so that processes share its pages and the system may drop them. Release unmaps it.
func mapped(path string) (contents string, release func() error, err error) {
	file, err := os.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer file.Close() //nolint:errcheck // opened for reading only; the mapping stays
	info, err := file.Stat()
	if err != nil {
		return "", nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() {
		return "", nil, reader.ErrTruncated
	}
	pages, err := syscall.Mmap(int(file.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return "", nil, err
	}
	contents = unsafe.String(&pages[0], len(pages)) //nolint:gosec // the pages are read-only until release
	return contents, func() error { return syscall.Munmap(pages) }, nil
}
