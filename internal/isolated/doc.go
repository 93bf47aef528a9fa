// Package isolated runs the readers of uploaded files in processes of their own, with limits on memory and time and, on
// Linux, without a network if the system permits that. A hostile file can harm only its process (rule SEC-9). Tenants
// share the processes fairly.
package isolated

import (
	"errors"
	"fmt"

	"sanad/internal/words"
)

// The reasons why a file cannot be read, whatever its format.
var (
	ErrBroken   = errors.New("the file is broken")
	ErrTooLarge = errors.New("the file is too large")
	ErrGaveUp   = errors.New("reading the file took too much time or memory")
	ErrBusy     = errors.New("too many other files are being read")
)

// Bound is the cause of ErrTooLarge: the bound that a file exceeds, as the end of a sentence about it.
type Bound struct{ words.Message }

func (b *Bound) Error() string { return b.String() }

// Over returns that a file exceeds a bound.
func Over(bound words.Message) error { return &Bound{bound} }

// Fault is a failure at a page. errors.Is tells its kind: one of the above, or one of the format. Cause is for the log,
// unless it is a Bound.
type Fault struct {
	Kind  error
	Page  int // from 1; 0 for the whole file
	Cause error
}

func (f *Fault) Error() string {
	if f.Page > 0 {
		return fmt.Sprintf("%v at page %d: %v", f.Kind, f.Page, f.Cause)
	}
	return fmt.Sprintf("%v: %v", f.Kind, f.Cause)
}

// Unwrap returns the kind.
func (f *Fault) Unwrap() error { return f.Kind }

// Told is the cause of a Fault as a process tells it to the one that started it.
type Told struct {
	Text  string
	Bound words.Message // instead of Text
}

// Told returns the cause as it is told.
func (f *Fault) Told() Told {
	var bound *Bound
	if errors.As(f.Cause, &bound) {
		return Told{Bound: bound.Message}
	}
	return Told{Text: f.Cause.Error()}
}

// Cause returns what was told.
func (t *Told) Cause() error {
	if !t.Bound.IsZero() {
		return Over(t.Bound)
	}
	return errors.New(t.Text)
}
