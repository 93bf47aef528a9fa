package interop

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// lines is a running program that answers each line of JSON with a line.
type lines struct {
	t    testing.TB
	in   io.Writer
	out  *bufio.Reader
	said *bytes.Buffer
}

func startLines(t testing.TB, program string, args ...string) *lines {
	t.Helper()
	cmd := exec.Command(program, args...)
	l := &lines{t: t, said: &bytes.Buffer{}}
	cmd.Stderr = l.said
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l.in, l.out = in, bufio.NewReaderSize(out, 1<<20)
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait() // it ends with its input
	})
	return l
}

// ask returns the answer to one question.
func (l *lines) ask(question any) string {
	l.t.Helper()
	line, err := json.Marshal(question)
	if err != nil {
		l.t.Fatal(err)
	}
	if _, err := l.in.Write(append(line, '\n')); err != nil {
		l.t.Fatalf("%v: %s", err, l.said)
	}
	answer, err := l.out.ReadString('\n')
	if err != nil {
		l.t.Fatalf("%v: %s", err, l.said)
	}
	return strings.TrimSuffix(answer, "\n")
}
