//go:build unix

package isolated

import (
	"os"
	"runtime/debug"
	"syscall"
)

// Limit limits memory, CPU time, written files and open files of this process and of the program that replaces it.
func Limit() error {
	debug.SetMemoryLimit(memory / 2)
	debug.SetMaxStack(64 << 20)
	for what, most := range map[int]uint64{
		syscall.RLIMIT_DATA: mapped, syscall.RLIMIT_CPU: 60, syscall.RLIMIT_FSIZE: 0, syscall.RLIMIT_CORE: 0,
		syscall.RLIMIT_NOFILE: 64,
	} {
		if err := syscall.Setrlimit(what, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	return nil
}

// Become replaces this process by a program (exec).
func Become(program string, args []string) error {
	return syscall.Exec(program, append([]string{program}, args...), os.Environ())
}
