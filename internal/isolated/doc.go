// Package isolated runs the readers of uploaded files in processes of their own, with limits on memory and time and, on
// Linux, without a network if the system permits that. A hostile file can harm only its process (rule SEC-9). Tenants
// share the processes fairly.
package isolated

import (
	"errors"
	"fmt"
)

// The reasons why a file cannot be read, whatever its format.
var (
	ErrBroken   = errors.New("the file is broken")
	ErrTooLarge = errors.New("the file is too large")
	ErrGaveUp   = errors.New("reading the file took too much time or memory")
	ErrBusy     = errors.New("too many other files are being read")
)

// Fault is a failure at a page. errors.Is tells its kind: one of the above, or one of the format. Cause is for the log.
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
