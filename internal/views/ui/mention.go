package ui

import (
	"strings"
	"unicode/utf8"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

// commentRun is a stretch of a comment: words, or who is mentioned.
type commentRun struct{ words, name string }

// commentRuns splits a comment at the people whom it addresses, by their present names. Who has left, and a place that
// lies outside of the text, is shown as it was typed.
func commentRuns(text string, mentions []notify.Mention) []commentRun {
	var out []commentRun
	runes, at := []rune(text), 0
	for _, m := range mentions {
		end := m.Start + m.Length
		if m.Start < at || m.Length < 1 || end > len(runes) || m.Name == "" {
			continue
		}
		out = append(out, commentRun{words: string(runes[at:m.Start])}, commentRun{name: m.Name})
		at = end
	}
	return append(out, commentRun{words: string(runes[at:])})
}

// CommentField is the field of a comment, with whom it may address.
type CommentField struct {
	ID, Name, Label, Text, Fault string
	People                       []access.Named // with what to type after the @; the script completes from it
}

// Mentioning puts somebody who was chosen from the list before a comment, unless the comment addresses them already.
// Without a script this is how people are mentioned other than by typing.
func Mentioning(text, name string) string {
	const longest = 200
	if name == "" || utf8.RuneCountInString(name) > longest || strings.Contains(text, "@"+name) {
		return text
	}
	return strings.TrimSpace("@" + name + " " + text)
}

// ThreadWords says whether a thread is open or was resolved, "" if it asks nothing, and what the reader may do to it:
// an action with its label, "" for nothing.
func (c *Chrome) ThreadWords(open, resolved, may bool) (state, do, label string) {
	switch {
	case open:
		state, do, label = c.T("thread_is_open"), string(ledger.Resolve), c.T("thread_resolve")
	case resolved:
		state, do, label = c.T("thread_is_resolved"), string(ledger.Reopen), c.T("thread_reopen")
	}
	if !may {
		do, label = "", ""
	}
	return state, do, label
}
