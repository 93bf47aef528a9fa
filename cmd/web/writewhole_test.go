package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWriteWholeReplacesFilesOnly says what becomes of what stands at the path of an output.
func TestWriteWholeReplacesFilesOnly(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("there/deep", 0o700))
	require.NoError(t, os.WriteFile("there/old", []byte("a longer text"), 0o640))
	require.NoError(t, os.Symlink("deep", "there/short"))
	for link, to := range map[string]string{"link": "there/old", "chain": "link", "fresh": "there/new"} {
		require.NoError(t, os.Symlink(to, link))
	}
	require.NoError(t, os.Symlink("../up", "there/deep/fresh"))
	for name, target := range map[string]string{
		"plain": "plain", "link": "there/old", "chain": "there/old", "fresh": "there/new",
		"there/short/fresh": "there/up",
	} {
		require.NoError(t, writeReport(name, []byte(name)))
		got, err := os.ReadFile(target)
		require.NoError(t, err)
		require.Equal(t, name, string(got))
	}
	for _, link := range []string{"link", "chain", "fresh", "there/deep/fresh"} {
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), link)
	}
	require.NoError(t, os.Symlink("round", "round"))
	require.Error(t, writeReport("round", nil))
	require.ErrorContains(t, writeReport("there", nil), "there is a folder")
	require.EqualError(t, writeReport("no/such/file", nil), "no/such/file: there is no folder no/such; make it first")
	left, err := filepath.Glob("*/.sanad-*")
	require.NoError(t, err)
	require.Empty(t, left)
}

// Reports hold no secret, exports do. A report keeps the mode of the file that it replaces.
func TestWriteWholeModes(t *testing.T) {
	t.Chdir(t.TempDir())
	mode := func(name string) fs.FileMode {
		info, err := os.Stat(name)
		require.NoError(t, err)
		return info.Mode().Perm()
	}
	umask := syscall.Umask(0o027)
	defer syscall.Umask(umask)
	require.NoError(t, writeReport("report", nil))
	require.Equal(t, fs.FileMode(0o640), mode("report"))
	require.NoError(t, os.Chmod("report", 0o666))
	require.NoError(t, writeReport("report", nil))
	require.Equal(t, fs.FileMode(0o666), mode("report"))
	require.NoError(t, writeWhole("report", bytes.NewReader(nil)))
	require.Equal(t, fs.FileMode(0o600), mode("report"))
}

// A pipe and a device are written to and stay what they are.
func TestWriteWholeToPipesAndDevices(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	read := make(chan string)
	go func() {
		data, _ := os.ReadFile(fifo)
		read <- string(data)
	}()
	require.NoError(t, writeReport(fifo, []byte("through the pipe")))
	require.Equal(t, "through the pipe", <-read)
	info, err := os.Lstat(fifo)
	require.NoError(t, err)
	require.Equal(t, fs.ModeNamedPipe, info.Mode().Type())
	require.NoError(t, writeReport("/dev/null", []byte("away")))
	info, err = os.Lstat("/dev/null")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeDevice)
}

// The file to check is never what the report replaces, by whatever name. /dev/stdout is standard output, also where
// that is a file that has something in it.
func TestCheckOutputs(t *testing.T) {
	sanad := webBinary(t)
	t.Chdir(t.TempDir())
	in := answering("Leave is 15 days.", "Leave is 15 days.")
	require.NoError(t, os.WriteFile("in.json", []byte(in), 0o600))
	require.NoError(t, os.Symlink("in.json", "alias"))
	require.NoError(t, os.Link("in.json", "twin"))
	for _, name := range []string{"in.json", "./alias", "twin"} {
		code, _, errs := call(t, "", "check", "in.json", "-o", name)
		require.Equal(t, exitUsage, code)
		require.Contains(t, errs, "--output: "+name+" is the file to check")
	}
	shell := func(script string) (string, error) {
		out, err := exec.Command("bash", "-euc", strings.ReplaceAll(script, "SANAD", sanad)).CombinedOutput()
		return string(out), err
	}
	_, err := shell(`SANAD check - -o in.json < in.json`)
	require.Error(t, err)
	got, err := os.ReadFile("in.json")
	require.NoError(t, err)
	require.Equal(t, in, string(got))

	out, err := shell(`echo before > log; SANAD check in.json -o /dev/stdout 2> /dev/null >> log; cat log`)
	require.NoError(t, err, out)
	require.True(t, strings.HasPrefix(out, "before\ncheck: passed"), out)
	out, err = shell(`SANAD check in.json -o /dev/stdout 2> /dev/null | cat`)
	require.NoError(t, err, out)
	require.True(t, strings.HasPrefix(out, "check: passed"), out)
}
