package ui

import (
	"context"
	"io"
)

// Words are a component: @Words(s) writes what templ writes for { s }, which takes two allocations for each expression.
// The templates of pages that are made often use them.
type Words string

// Render writes the words, escaped.
func (s Words) Render(_ context.Context, w io.Writer) error {
	o := Inline{w: w}
	o.Text(string(s))
	return o.err
}

// Say is T as a component.
func (c *Chrome) Say(id string, args ...any) Words { return Words(c.T(id, args...)) }
