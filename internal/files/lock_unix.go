//go:build unix

package files

import (
	"os"
	"syscall"
)

// exclude locks an open file against every other process that locks it, until it is closed. On NFS the server keeps the
// lock, so that other machines see it.
func exclude(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			return err
		}
	}
}
