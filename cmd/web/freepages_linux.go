package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
)

// freeProgramPages unmaps what nobody has written to of the program's own file, code among it. Each page comes back from
// the system's cache when it is used again.
func freeProgramPages() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return err
	}
	defer func() { _ = maps.Close() }()
	clean, err := cleanMappings(maps, self)
	if err != nil {
		return err
	}
	var faults []error
	for _, m := range clean {
		const dontNeed = 4 // MADV_DONTNEED
		if _, _, e := syscall.Syscall(syscall.SYS_MADVISE, m.from, m.to-m.from, dontNeed); e != 0 {
			faults = append(faults, e)
		}
	}
	return errors.Join(faults...)
}

// mapping is a stretch of this process's addresses.
type mapping struct {
	from, to uintptr
	clean    bool // none of its pages in memory was written
}

// cleanMappings returns those stretches of file in a listing like /proc/self/smaps that can be read, cannot be written,
// and have no page that was written to, in memory or swapped out: a dynamic linker, a debugger or a probe writes to
// pages of code and tables, and what it wrote is not in the file.
func cleanMappings(smaps io.Reader, file string) (clean []mapping, err error) {
	var m *mapping // the stretch that the next lines describe, nil if it is not of the file
	for lines := bufio.NewScanner(smaps); ; {
		if !lines.Scan() {
			return clean, lines.Err()
		}
		line := lines.Text()
		if f := strings.SplitN(line, " ", 6); len(f) == 6 && strings.Contains(f[0], "-") {
			m = nil
			if strings.TrimLeft(f[5], " ") == file && strings.HasPrefix(f[1], "r-") {
				m = new(mapping)
				if _, err := fmt.Sscanf(f[0], "%x-%x", &m.from, &m.to); err != nil {
					return nil, err
				}
			}
			continue
		}
		if m == nil {
			continue
		}
		switch strings.Join(strings.Fields(line), " ") {
		case "Anonymous: 0 kB":
			m.clean = true
		case "Swap: 0 kB": // stands after the other
			if m.clean {
				clean = append(clean, *m)
			}
		}
	}
}
