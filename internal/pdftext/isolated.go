package pdftext

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"

	"sanad/internal/isolated"
)

// Use says which readers Isolated has.
type Use string

const (
	UseAuto    Use = "auto"      // our own; pdftotext for files that it cannot read
	UseOwn     Use = "sanad"     // our own only
	UsePoppler Use = "pdftotext" // pdftotext only
)

// Process is the first argument of the processes that read PDF; the path of pdftotext may follow.
const Process = "pdf"

// Isolated reads each file in a separate process (package isolated).
type Isolated struct {
	*isolated.Processes
	Poppler string // path of pdftotext, "" if none
	Use     Use    // "" for UseAuto
	Limits  Limits
}

// NewIsolated returns a reader that runs in p, whose command ends by calling Serve. It looks up pdftotext in PATH once,
// if use wants it. With UsePoppler, a missing pdftotext is an error.
func NewIsolated(p *isolated.Processes, use Use) (*Isolated, error) {
	r := &Isolated{Processes: p, Use: use}
	if use != UseOwn {
		if path, err := exec.LookPath("pdftotext"); err == nil {
			r.Poppler = path
		}
	}
	if use == UsePoppler && r.Poppler == "" {
		return nil, errors.New("pdftotext is not in PATH; install poppler-utils, or read PDF with the reader sanad")
	}
	return r, nil
}

// Soon returns the reader with the limits of a waiting request.
func (r *Isolated) Soon() *Isolated {
	s := *r
	s.Processes = r.Processes.Soon()
	return &s
}

// Read reads a file when a slot is free. The error is a *Fault if the file is at fault or no slot was free in time,
// that of ctx if it ended first, and otherwise an internal one, such as a process that did not start.
func (r *Isolated) Read(ctx context.Context, data []byte) (*Text, error) {
	release, err := r.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if r.Use == UsePoppler {
		return r.poppler(ctx, data)
	}
	t, err := r.own(ctx, data)
	var f *Fault
	if err != nil && !errors.As(err, &f) {
		return nil, err
	}
	if r.Poppler == "" || errors.Is(err, ErrTooLarge) || err == nil &&
		(t.Readable() || t.hides()) { // pdftotext does not tell what is hidden
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

// hides reports whether a page has words that no reader sees.
func (t *Text) hides() bool {
	return slices.ContainsFunc(t.Pages, func(p Page) bool { return len(p.Hidden) > 0 })
}

// reply is the output of a process with our own reader.
type reply struct {
	Text  *Text
	Kind  string
	Page  int
	Cause isolated.Told
}

// kinds of faults by their name in a reply.
var kinds = map[string]error{"encrypted": ErrEncrypted, "broken": ErrBroken, "too_large": ErrTooLarge}

// Serve is the separate process: it reads a file from in and writes its text to out. If a program is given, it is
// replaced by that program, pdftotext. isolated.Limit has been called.
func Serve(in io.Reader, out io.Writer, program string) error {
	if program != "" {
		return isolated.Become(program, popplerArgs)
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
		a.Page, a.Cause = f.Page, f.Told()
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
	out, err := r.Run(ctx, data, Process)
	if err != nil {
		return nil, err
	}
	var a reply
	if err := gob.NewDecoder(bytes.NewReader(out)).Decode(&a); err != nil {
		return nil, &Fault{Kind: ErrGaveUp, Cause: err}
	}
	if kind := kinds[a.Kind]; kind != nil {
		return nil, &Fault{Kind: kind, Page: a.Page, Cause: a.Cause.Cause()}
	}
	return a.Text, nil
}

// poppler reads with pdftotext.
func (r *Isolated) poppler(ctx context.Context, data []byte) (*Text, error) {
	out, err := r.Run(ctx, data, Process, r.Poppler)
	var failed *isolated.Failed
	switch {
	case errors.As(err, &failed) && strings.Contains(err.Error(), "ncorrect password"):
		return nil, &Fault{Kind: ErrEncrypted, Cause: err}
	case errors.As(err, &failed): // it says no more than that
		return nil, &Fault{Kind: ErrBroken, Cause: err}
	case err != nil:
		return nil, err
	}
	return FromPoppler(out, r.Limits)
}
