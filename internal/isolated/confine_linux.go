package isolated

import (
	"path/filepath"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// noReaderNeeds are system calls that no reader of files needs: to talk to others, to look into other processes, and to
// reach rare parts of the kernel.
var noReaderNeeds = []string{"socket", "socketpair", "connect", "bind", "listen", "accept4", "ptrace",
	"process_vm_readv", "process_vm_writev", "bpf", "userfaultfd", "perf_event_open", "unshare", "setns", "mount",
	"keyctl", "add_key", "request_key"}

// Confine takes from this process, for good, what a reader of files does not need (rule SEC-9): sockets, and files,
// which it neither opens nor makes. If a program is to replace it, files of the system can be read and programs of it
// be run, but nothing else, such as the data or the configuration. It returns what holds from now on: "landlock" for
// files, "seccomp" for system calls; a kernel may lack either, and then the reader is only as confined as before.
func Confine(program string) (holds []string) {
	var may []landlock.Rule
	names := noReaderNeeds
	if program == "" {
		names = append([]string{"execve", "execveat"}, names...)
	} else {
		may = append(may,
			landlock.RODirs("/usr", "/lib", "/lib64", "/bin", "/etc/fonts", "/var/cache/fontconfig",
				filepath.Dir(program)).IgnoreIfMissing(),
			landlock.ROFiles("/etc/ld.so.cache", "/dev/null").IgnoreIfMissing())
	}
	if abi, err := landlocksys.LandlockGetABIVersion(); err == nil && abi > 0 &&
		landlock.V6.BestEffort().Restrict(may...) == nil {
		holds = append(holds, "landlock")
	}
	err := seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionAllow,
		Syscalls:      []seccomp.SyscallGroup{{Action: seccomp.ActionErrno, Names: names}},
	}})
	if err == nil {
		holds = append(holds, "seccomp")
	}
	return holds
}
