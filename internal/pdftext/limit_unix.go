//go:build unix

package pdftext

import (
	"os"
	"runtime/debug"
	"syscall"
)

// limit takes memory, processor time, files to write and open files from this process, and from what it becomes.
func limit() error {
	debug.SetMemoryLimit(memory / 2)
	debug.SetMaxStack(64 << 20)
	for what, most := range map[int]uint64{
		syscall.RLIMIT_DATA: memory, syscall.RLIMIT_CPU: 60, syscall.RLIMIT_FSIZE: 0, syscall.RLIMIT_CORE: 0,
		syscall.RLIMIT_NOFILE: 64,
	} {
		if err := syscall.Setrlimit(what, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}

// become replaces this process by a program.
func become(program string, args []string) error {
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
