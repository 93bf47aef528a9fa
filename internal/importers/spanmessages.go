package importers

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"sanad/internal/words"
)

// The attributes of OpenTelemetry GenAI that hold messages, as a list or as JSON in a text.
const (
	outputMessages = "gen_ai.output.messages"
	inputMessages  = "gen_ai.input.messages"
)

// genaiMessage is a message of OpenTelemetry GenAI. The content of a part that is not text may be of any type.
type genaiMessage struct {
	Role  string `json:"role"`
	Parts []struct {
		Type    string          `json:"type"`
		Content json.RawMessage `json:"content"`
	} `json:"parts"`
}

// genaiMessages reads messages; ok is false if there is something that cannot be read as messages.
func genaiMessages(raw json.RawMessage) (list []genaiMessage, ok bool) {
	if begins(raw) == '"' {
		raw = json.RawMessage(strings.TrimSpace(plainJSONText(raw)))
	}
	if begins(raw) == 0 {
		return nil, true
	}
	if begins(raw) != '[' || !json.Valid(raw) || sub("", raw, &list) != nil {
		return nil, false
	}
	return list, !slices.ContainsFunc(list, func(m genaiMessage) bool { return m.Parts == nil })
}

// genaiText returns the text parts of the last message of a role.
func genaiText(raw json.RawMessage, role string) string {
	list, _ := genaiMessages(raw)
	words := ""
	for _, m := range list {
		var all []string
		for _, p := range m.Parts {
			if p.Type == "text" {
				all = append(all, plainJSONText(p.Content))
			}
		}
		if m.Role == role && len(all) > 0 {
			words = strings.Join(all, "\n")
		}
	}
	return words
}

// maxUnread is how many spans a note names whose messages could not be read.
const maxUnread = 5

// unreadMessages notes which spans have messages that could not be read: without them, a trace may lack its answer.
func (d *draft) unreadMessages(spans []span) {
	for _, of := range [][2]string{{outputMessages, "assistant"}, {inputMessages, "user"}} {
		name, role := of[0], of[1]
		path, ids := "", []string(nil)
		for i := range spans {
			if s := &spans[i]; s.misreads(name, role) {
				path = cmp.Or(path, fmt.Sprintf("%s.attributes[%q]", s.path, name))
				ids = append(ids, clipped(cmp.Or(s.id, s.name), 40))
			}
		}
		if len(ids) == 0 {
			continue
		}
		if len(ids) > maxUnread {
			ids = append(ids[:maxUnread], "…")
		}
		d.skip(path, words.Msg("warning_messages", "Name", name, "Spans", words.ListOf(ids), "Role", role))
		if name == outputMessages {
			d.unread = d.notes[len(d.notes)-1].Said
		}
	}
}

// misreads reports whether an attribute of a span, or of one of its events, should hold a message of a role and cannot
// be read.
func (s *span) misreads(name, role string) bool {
	bad := func(a attributes) bool {
		_, ok := genaiMessages(a[name])
		return !ok && genaiText(a[name], role) == ""
	}
	return bad(s.attrs) || slices.ContainsFunc(s.events, func(e event) bool { return bad(e.attrs) })
}
