package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

// progress tells on a terminal how many claims have been judged; elsewhere nothing.
type progress struct {
	to    io.Writer // nil where it is no terminal
	name  string
	last  time.Time
	shown bool
}

// progressEvery is how often it is told.
const progressEvery = 500 * time.Millisecond

func newProgress(name string, to io.Writer) *progress {
	p := &progress{name: name, last: time.Now()}
	if f, ok := to.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.to = to
		}
	}
	return p
}

// tell tells it, now and then.
func (p *progress) tell(done, total int) {
	if p.to != nil && time.Since(p.last) >= progressEvery {
		p.last, p.shown = time.Now(), true
		fmt.Fprintf(p.to, "\r%s: %d of %d claims judged", p.name, done, total)
	}
}

// end clears the line.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
