package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress shows on a terminal how many claims have been judged; elsewhere it prints nothing.
type progress struct {
	to    io.Writer // nil if not a terminal
	name  string
	last  time.Time
	shown bool
}

// progressEvery is the interval between updates.
const progressEvery = 500 * time.Millisecond

func newProgress(name string, to io.Writer) *progress {
	p := &progress{name: name, last: time.Now()}
	if isTerminal(to) {
		p.to = to
	}
	return p
}

func isTerminal(to io.Writer) bool {
	f, ok := to.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// update updates the line, at most once per progressEvery. total is 0 if unknown.
func (p *progress) update(done, total int) {
	if p.to != nil && time.Since(p.last) >= progressEvery {
		p.last, p.shown = time.Now(), true
		if total == 0 {
			fmt.Fprintf(p.to, "\r%s: %d claims judged", p.name, done)
			return
		}
		fmt.Fprintf(p.to, "\r%s: %d of %d claims judged", p.name, done, total)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
