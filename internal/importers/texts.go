package importers

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"sanad/internal/domain/ledger"
)

// textFile holds the texts of a session's chunks outside of memory while it is imported: an open file without a name.
// It is safe for concurrent use.
type textFile struct {
	file    *os.File
	named   bool // its folder shows it
	mu      sync.Mutex
	written int64  // bytes in the file
	rest    []byte // those that follow, in memory
	lost    error  // why a text could not be read; nothing is read after that
}

// textBuffer is how many bytes are written at a time.
const textBuffer = 1 << 20

// newTextFile makes the file in a folder.
func newTextFile(folder string) (*textFile, error) {
	f, err := os.CreateTemp(folder, ".import-*")
	if err != nil {
		return nil, err
	}
	named := os.Remove(f.Name()) != nil // some systems do not remove an open file
	return &textFile{file: f, named: named}, nil
}

// close removes the file. The texts must not be read any more.
func (t *textFile) close() error {
	if t == nil {
		return nil
	}
	err := t.file.Close()
	if t.named {
		err = errors.Join(err, os.Remove(t.file.Name()))
	}
	return err
}

// take moves the texts of a document into the file.
func (t *textFile) take(d *ledger.Document) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range d.Chunks {
		c := &d.Chunks[i]
		at, n := t.written+int64(len(t.rest)), len(c.Text)
		t.rest = append(t.rest, c.Text...)
		c.PutAway(n, func() string { return t.read(at, n) })
		if len(t.rest) >= textBuffer {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *textFile) flush() error {
	n, err := t.file.Write(t.rest)
	t.written, t.rest = t.written+int64(n), t.rest[:0]
	return err
}

// read returns n bytes from at. It panics with a *lostText if they can't be read, as reading memory would: that
// concerns the whole import, whoever reads.
func (t *textFile) read(at int64, n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lost == nil && at+int64(n) > t.written {
		t.lost = t.flush()
	}
	out := make([]byte, n)
	if t.lost == nil && n > 0 {
		_, t.lost = t.file.ReadAt(out, at)
	}
	if t.lost != nil {
		panic(&lostText{t.lost})
	}
	return string(out)
}

// lostText is why a text that was put away can't be read.
type lostText struct{ err error }

func (l *lostText) Error() string { return fmt.Sprintf("reading back a text of the import: %v", l.err) }
func (l *lostText) Unwrap() error { return l.err }

// Recovered is deferred around the use of a Result: a text that can't be read back ends that with an error, in err.
func Recovered(err *error) {
	switch p := recover().(type) {
	case nil:
	case *lostText:
		*err = p
	default:
		panic(p)
	}
}
