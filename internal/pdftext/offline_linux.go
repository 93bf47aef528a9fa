package pdftext

import (
	"os"
	"os/exec"
	"syscall"
)

// withoutNetwork starts c in a network of its own that has nothing in it. It is false where that is not to be had.
func withoutNetwork(c *exec.Cmd) bool {
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 65534, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 65534, HostID: os.Getgid(), Size: 1}},
	}
	return true
}
