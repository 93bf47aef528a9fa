package pdftext

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Use says which readers Isolated has.
type Use string

const (
	UseAuto    Use = "auto"      // our own; pdftotext for files that it cannot read
	UseOwn     Use = "sanad"     // our own only
	UsePoppler Use = "pdftotext" // pdftotext only
)

// Isolated reads each file in a separate process with limits on memory and time and, on Linux, without a network if the
// system permits that. A hostile file can harm only that process.
type Isolated struct {
	Command []string      // starts Serve: this program with its hidden sub-command
	Poppler string        // path of pdftotext, "" if none
	Use     Use           // "" for UseAuto
	Limits  Limits        //
	Timeout time.Duration // of one file and reader; 0 for 60 s
	Wait    time.Duration // how long ReadSoon waits for its turn; 0 for 5 s

	slots   chan struct{} // how many run at a time
	offline func() bool   // whether a process can be started without a network; tried once
}

// NewIsolated returns a reader that starts command. It looks up pdftotext in PATH once, if use wants it. With
// UsePoppler, a missing pdftotext is an error.
func NewIsolated(command []string, use Use) (*Isolated, error) {
	r := &Isolated{Command: command, Use: use, slots: make(chan struct{}, max(1, runtime.NumCPU()/2))}
	if use != UseOwn {
		if path, err := exec.LookPath("pdftotext"); err == nil {
			r.Poppler = path
		}
	}
	if use == UsePoppler && r.Poppler == "" {
		return nil, errors.New("pdftotext is not in PATH; install poppler-utils, or read PDF with the reader sanad")
	}
	r.offline = sync.OnceValue(r.canGoOffline)
	return r, nil
}

// Read reads a file when a slot is free, however long that takes. The error is a *Fault if the file is at fault, that
// of ctx if it ended first, and otherwise an internal one, such as a process that did not start.
func (r *Isolated) Read(ctx context.Context, data []byte) (*Text, error) {
	return r.read(ctx, data, nil)
}

// ReadSoon is Read for a waiting request: if no slot is free within r.Wait, the error is a Fault of ErrBusy.
func (r *Isolated) ReadSoon(ctx context.Context, data []byte) (*Text, error) {
	late := time.NewTimer(cmp.Or(r.Wait, 5*time.Second))
	defer late.Stop()
	return r.read(ctx, data, late.C)
}

// read is Read, but stops waiting for a slot when late fires; nil for never.
func (r *Isolated) read(ctx context.Context, data []byte, late <-chan time.Time) (*Text, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-late:
		return nil, &Fault{Kind: ErrBusy, Cause: fmt.Errorf("%d files are being read", cap(r.slots))}
	}
	if r.Use == UsePoppler {
		return r.poppler(ctx, data)
	}
	t, err := r.own(ctx, data)
	var f *Fault
	if err != nil && !errors.As(err, &f) {
		return nil, err
	}
	if r.Poppler == "" || errors.Is(err, ErrEncrypted) || errors.Is(err, ErrTooLarge) || err == nil && t.Readable() {
		return t, err
	}
	if other, otherErr := r.poppler(ctx, data); otherErr == nil && (other.Readable() || err != nil) {
		return other, nil
	}
	return t, err
}

// Readable reports whether there is text and the characters of most of it are known.
func (t *Text) Readable() bool {
	runes, unmapped := 0, 0
	for i := range t.Pages {
		unmapped += t.Pages[i].Unmapped
		for _, p := range t.Pages[i].Paragraphs {
			runes += len([]rune(p.Text))
		}
	}
	return runes > 0 && unmapped*4 < runes
}

// reply is the output of a process with our own reader.
type reply struct {
	Text  *Text
	Kind  string
	Page  int
	Cause string
}

var kinds = map[string]error{"encrypted": ErrEncrypted, "broken": ErrBroken, "too_large": ErrTooLarge}

// Serve implements the hidden sub-command: it sets its own limits, reads a file from in, and writes its text to out. If
// a program is given, it is replaced by that program, pdftotext, under the same limits.
func Serve(in io.Reader, out io.Writer, program string) error {
	if err := limit(); err != nil {
		return err
	}
	if program != "" {
		return become(program, popplerArgs)
	}
	data, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	var a reply
	if a.Text, err = Read(data, Limits{}); err != nil {
		var f *Fault
		if !errors.As(err, &f) {
			return err
		}
		a.Page, a.Cause = f.Page, f.Cause.Error()
		for name, kind := range kinds {
			if errors.Is(f.Kind, kind) {
				a.Kind = name
			}
		}
	}
	return gob.NewEncoder(out).Encode(a)
}

// own reads with our own reader.
func (r *Isolated) own(ctx context.Context, data []byte) (*Text, error) {
	out, err := r.run(ctx, data)
	if err != nil {
		return nil, err
	}
	var a reply
	if err := gob.NewDecoder(bytes.NewReader(out)).Decode(&a); err != nil {
		return nil, &Fault{Kind: ErrGaveUp, Cause: err}
	}
	if kind := kinds[a.Kind]; kind != nil {
		return nil, &Fault{Kind: kind, Page: a.Page, Cause: errors.New(a.Cause)}
	}
	return a.Text, nil
}

// poppler reads with pdftotext.
func (r *Isolated) poppler(ctx context.Context, data []byte) (*Text, error) {
	out, err := r.run(ctx, data, r.Poppler)
	if err != nil {
		var f *Fault
		if errors.As(err, &f) && strings.Contains(f.Cause.Error(), "ncorrect password") {
			f.Kind = ErrEncrypted
		}
		return nil, err
	}
	return FromPoppler(out, r.Limits)
}

// maxOutput limits the output of a process, in bytes.
const maxOutput = 64 << 20

// run starts a process, sends it the file and returns its output. The process gets nothing of our environment. args
// name another program to read with, whose failure means a broken file; our own reader reports that in its reply.
func (r *Isolated) run(outer context.Context, data []byte, args ...string) ([]byte, error) {
	timeout := r.Timeout
	if timeout == 0 {
		timeout = 60 * time.Second
	}
	ctx, cancel := context.WithTimeout(outer, timeout)
	defer cancel()
	c := exec.CommandContext(ctx, r.Command[0], append(append([]string{}, r.Command[1:]...), args...)...)
	c.Env, c.Stdin, c.WaitDelay = []string{"LC_ALL=C.UTF-8", "GOMAXPROCS=2"}, bytes.NewReader(data), time.Second
	out, said := bounded{most: maxOutput, stop: cancel}, bounded{most: 4 << 10}
	c.Stdout, c.Stderr = &out, &said
	if r.offline() {
		withoutNetwork(c)
	}
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case out.over:
		return nil, &Fault{Kind: ErrTooLarge, Cause: fmt.Errorf("its text is longer than %d MiB", maxOutput>>20)}
	case outer.Err() != nil:
		return nil, outer.Err()
	case ctx.Err() != nil:
		return nil, &Fault{Kind: ErrGaveUp, Cause: fmt.Errorf("it took longer than %v", timeout)}
	case errors.As(err, &exit) && (!exit.Exited() || exit.ExitCode() == 2): // 2: how Go ends without memory or stack
		return nil, &Fault{Kind: ErrGaveUp, Cause: fmt.Errorf("%w: %s", err, said.b.Bytes())}
	case exit != nil && len(args) > 0:
		return nil, &Fault{Kind: ErrBroken, Cause: fmt.Errorf("%w: %s", err, said.b.Bytes())}
	case err != nil:
		return nil, fmt.Errorf("the process that reads PDF failed: %w: %s", err, said.b.Bytes())
	}
	return out.b.Bytes(), nil
}

// bounded keeps the first bytes that are written to it.
type bounded struct {
	b    bytes.Buffer
	most int
	over bool
	stop func() // called when there are more
}

func (w *bounded) Write(p []byte) (int, error) {
	if w.b.Len()+len(p) <= w.most {
		return w.b.Write(p)
	}
	w.over = w.stop != nil
	if w.over {
		w.stop()
	}
	return len(p), nil
}

// canGoOffline tries to start a process without a network; not every system lets an ordinary user do that.
func (r *Isolated) canGoOffline() bool {
	c := exec.CommandContext(context.Background(), r.Command[0],
		append(append([]string{}, r.Command[1:]...), "--try")...)
	c.Env = []string{}
	if !withoutNetwork(c) {
		return false
	}
	return c.Run() == nil
}

// Offline reports whether the processes run without a network.
func (r *Isolated) Offline() bool { return r.offline() }

// memory limits the memory of a process, in bytes.
const memory = 1 << 30
