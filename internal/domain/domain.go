// Package domain holds what all packages share: the error type and the warning. The rules themselves are in the
// packages below it, and all of them are pure: no I/O, no clock, no randomness, no HTTP (rule H-2).
package domain

import (
	"errors"

	"sanad/internal/words"
)

// Message is something that the program says, as data: an id of the catalogue and what stands for its placeholders.
type Message = words.Message

// Kind is the class of an Error; internal/handlers maps each kind to an HTTP status in one table.
type Kind int

// The kinds of errors.
const (
	Internal    Kind = iota // a fault of the server; the message is never shown
	Invalid                 // the input breaks a rule; the message names the place and the remedy
	NotFound                // it does not exist, or belongs to another tenant
	Conflict                // somebody else changed it first; the message says what changed
	TooLarge                // over a limit; the message names the limit
	Unsupported             // a format or feature that is not read here
	Denied                  // this actor may not do this
	Unavailable             // not now: the store is read-only, or a service does not answer; the message says which
	Gone                    // it existed and was erased; the message says when and why, never what it held
)

// Error is the error type that crosses package boundaries.
type Error struct {
	Kind Kind
	Op   string // the operation that failed, for the log: "ledger.Review"
	Path string // the place in the caller's input, for Invalid and TooLarge: "claims[3].start_offset"; "" for the whole
	Err  error  // the cause, for the log only

	Message Message // safe to show to any user
}

// Text returns the message in English.
func (e *Error) Text() string { return e.Message.String() }

// Error returns the text for the log.
func (e *Error) Error() string {
	s := e.Text()
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if e.Op != "" {
		s = e.Op + ": " + s
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Safe returns the text that may be shown to a user: path and message, never the cause.
func (e *Error) Safe() string {
	if e.Path != "" {
		return e.Path + ": " + e.Text()
	}
	return e.Text()
}

// Refuse returns an error of a kind about the place path, "" for the whole, with a message of the catalogue; args are
// name, value, name, value … for its placeholders.
func Refuse(kind Kind, path, id string, args ...any) *Error {
	return &Error{Kind: kind, Path: path, Message: words.Msg(id, args...)}
}

// KindOf returns the kind of err, unwrapping as needed; any error that is not an Error is Internal.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
