package main

import (
	"bufio"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dropProgram unmaps the pages of the program's file that cannot be written, code among them. It changes nothing but
// where they are read from next: each comes back when it is used.
func dropProgram() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return err
	}
	defer func() { _ = maps.Close() }()
	var faults []error
	lines := bufio.NewScanner(maps)
	for lines.Scan() { // "00402000-01ca5000 r-xp 00002000 fe:00 123    /usr/bin/sanad"
		f := strings.Fields(lines.Text())
		if len(f) != 6 || f[5] != self || len(f[1]) != 4 || f[1][0] != 'r' || f[1][1] != '-' {
			continue
		}
		from, to, _ := strings.Cut(f[0], "-")
		first, err := strconv.ParseUint(from, 16, 64)
		if err != nil {
			return err
		}
		last, err := strconv.ParseUint(to, 16, 64)
		if err != nil {
			return err
		}
		const dontNeed = 4 // MADV_DONTNEED
		if _, _, e := syscall.Syscall(syscall.SYS_MADVISE, uintptr(first), uintptr(last-first), dontNeed); e != 0 {
			faults = append(faults, e)
		}
	}
	return errors.Join(append(faults, lines.Err())...)
}
