package isolated_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/isolated"
)

// confinedChild names, in a second process of this test, the folder that it is to try its hand at.
const confinedChild = "CONFINED_CHILD"

// inChild runs this test once more as a process of its own, and returns what it prints.
func inChild(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^TestConfinedChild$", "-test.v")
	c.Env = append(os.Environ(), confinedChild+"="+dir, "PROGRAM="+program, "ARGS="+strings.Join(args, "\n"))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // a program that may read nothing fails
	return out.String()
}

// TestConfinedChild is the second process: it confines itself and tries what a reader must not be able to do.
func TestConfinedChild(t *testing.T) {
	dir := os.Getenv(confinedChild)
	if dir == "" {
		t.Skip("only in a process that another test starts")
	}
	program := os.Getenv("PROGRAM")
	fmt.Println("holds:", strings.Join(isolated.Confine(program), " "))
	if program != "" {
		fmt.Println("exec:", isolated.Become(program, strings.Split(os.Getenv("ARGS"), "\n")))
		return
	}
	for name, try := range map[string]func() error{
		"read a file":       func() error { _, err := os.ReadFile(filepath.Join(dir, "secret")); return err },
		"read the system's": func() error { _, err := os.ReadFile("/etc/passwd"); return err },
		"list a folder":     func() error { _, err := os.ReadDir(dir); return err },
		"write a file":      func() error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o600) },
		"remove a file":     func() error { return os.Remove(filepath.Join(dir, "secret")) },
		"listen":            func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err },
		"send":              func() error { _, err := net.Dial("udp", "127.0.0.1:9"); return err },
		"call by a socket":  func() error { _, err := net.Dial("unix", filepath.Join(dir, "socket")); return err },
		"run a program":     func() error { return exec.Command("/bin/true").Run() },
		"become a program":  func() error { return isolated.Become("/bin/true", nil) },
	} {
		err := try()
		denied := errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EPERM)
		fmt.Printf("%s: denied %v: %v\n", name, denied, err)
	}
}

// A process that reads files opens none and makes no socket. A kernel without Landlock or seccomp is named, and what it
// lacks is not asked for.
func TestReadersAreConfined(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Linux only")
	}
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "secret"), []byte("open sesame"), 0o600))
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })

	said := inChild(t, dir, "")
	holds := strings.Fields(strings.TrimPrefix(strings.SplitN(said[strings.Index(said, "holds:"):], "\n", 2)[0], "holds:"))
	t.Logf("this kernel has %v", holds)
	files := []string{"read a file", "read the system's", "list a folder", "write a file", "remove a file"}
	calls := []string{"listen", "send", "call by a socket", "run a program", "become a program"}
	for what, attempts := range map[string][]string{"landlock": files, "seccomp": calls} {
		if !slices.Contains(holds, what) {
			t.Logf("NOT TESTED: this kernel has no %s", what)
			continue
		}
		for _, a := range attempts {
			require.Contains(t, said, a+": denied true", "%s", said)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "secret"))
	require.NoError(t, err)
	require.Equal(t, "open sesame", string(data))
}

// A program that replaces the process, as pdftotext does, reads what it is made of, and nothing else.
func TestProgramsAreConfined(t *testing.T) {
	cat, err := exec.LookPath("cat")
	if runtime.GOOS != "linux" || err != nil {
		t.Skip("Linux only")
	}
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("open sesame"), 0o600))
	said := inChild(t, dir, cat, secret)
	if strings.Contains(said, "landlock") {
		require.NotContains(t, said, "open sesame")
		require.Contains(t, said, "ermission denied")
	}
	own := inChild(t, dir, cat, "--version")
	require.Contains(t, own, "cat (", "it starts: %s", own)
}
