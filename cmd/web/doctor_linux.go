package main

import "syscall"

// freeSpace returns the bytes that an ordinary user can still write on a folder's device.
func freeSpace(dir string) (free uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

// unsynchronized is STA_UNSYNC of adjtimex(2).
const unsynchronized = 0x40

// clockSynchronized reports whether the kernel's clock is kept synchronised, if that can be known.
func clockSynchronized() (synchronized, known bool) {
	var t syscall.Timex
	if _, err := syscall.Adjtimex(&t); err != nil {
		return false, false
	}
	return t.Status&unsynchronized == 0, true
}
