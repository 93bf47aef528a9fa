package ui

import (
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"sanad/internal/domain"
)

// mentionText is a comment with the people whom it addresses marked, by their present names. Who has left, and a place
// that lies outside of the text, is shown as it was typed.
func mentionText(text string, mentions []domain.Mention) templ.Component {
	return InlineText(func(o *Inline) {
		runes, at := []rune(text), 0
		for _, m := range mentions {
			end := m.Start + m.Length
			if m.Start < at || m.Length < 1 || end > len(runes) || m.Name == "" {
				continue
			}
			o.Text(string(runes[at:m.Start]))
			o.Raw(`<b class="mention"><bdi>@`)
			o.Text(m.Name)
			o.Raw("</bdi></b>")
			at = end
		}
		o.Text(string(runes[at:]))
	})
}

// CommentField is the field of a comment, with whom it may address.
type CommentField struct {
	ID, Name, Label, Text, Fault string
	People                       []domain.Named // with what to type after the @; the script completes from it
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
