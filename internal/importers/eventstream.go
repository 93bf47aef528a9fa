package importers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/recode"
	"sanad/internal/words"
)

// Streamed answers (rule F-7): what a provider sends as an event stream (WHATWG HTML, server-sent events), or its
// events as JSONL. They are put together to the answer that the provider gives without a stream, and that is read.

// joiner puts the events of a stream together: add takes one, answer returns the whole, and over reports whether its
// end was sent.
type joiner interface {
	add(event attributes)
	answer() any
	over() bool
}

// ending is of a joiner whose events say when the answer is whole.
type ending struct{ ended bool }

func (e *ending) over() bool { return e.ended }

// streamed returns a reader of streams, whose rows are their events.
func streamed(start func() joiner, read func(row) (*draft, error)) reader {
	return together(func(rows []row) ([]*draft, error) {
		s := streams{start: start, of: map[string]*streamedAnswer{}}
		var request json.RawMessage
		for _, r := range rows {
			var m attributes
			if err := r.into(&m); err != nil {
				return nil, err
			}
			if request == nil && begins(m["request"]) == '{' {
				request = m["request"]
			}
			if begins(m["events"]) != '[' {
				s.add(r.path, m)
			}
			for i, event := range listOf(m["events"]) {
				if e := objectOf(event); e != nil {
					s.add(joined(r.path, at("events", i, "")), e)
				}
			}
		}
		s.rotated()
		var out []*draft
		for _, a := range s.all {
			path := ""
			if len(s.all) > 1 {
				path = a.path
			}
			d, err := a.draft(path, request, read)
			if err != nil {
				return nil, err
			}
			out = append(out, d)
		}
		return out, nil
	})
}

// streamedAnswer is one of the answers in a file of events.
type streamedAnswer struct {
	joiner
	path   string // of its first event
	first  attributes
	events int
	failed string // what an event says went wrong, "" if none does
}

// draft reads the answer; path is its place in a file of several, else "".
func (a *streamedAnswer) draft(path string, request json.RawMessage, read func(row) (*draft, error)) (*draft, error) {
	whole := a.answer()
	if request != nil {
		whole = jsonObject{"request": request, "response": whole}
	}
	d, err := read(row{src: string(recode.Encode(whole)), path: path})
	if err != nil {
		return nil, err
	}
	if a.failed != "" && d.length == 0 {
		d.unread = words.Msg("refused_row_failed", "Why", words.Quoted(clipped(a.failed, 200)))
	}
	if !a.over() {
		d.skip(path, words.Msg("warning_stream_cut"))
	}
	if x, ok := a.joiner.(interface{ hadOthers() bool }); ok && x.hadOthers() {
		d.skip(path, words.Msg("warning_first_choice"))
	}
	return d, nil
}

func (a *streamedAnswer) take(e attributes) {
	if a.events++; a.events == 1 {
		a.first = e
	}
	a.add(e)
	a.failed = cmp.Or(failure(e), a.failed)
}

// streams are the answers in a file of events, in the order in which they begin. Those that interleave are told apart
// by their ids. An event without one belongs to the last.
type streams struct {
	start func() joiner
	all   []*streamedAnswer
	of    map[string]*streamedAnswer
	open  *streamedAnswer
	id    string // of open, "" if none was sent yet
	done  bool   // whether the end of the stream was sent after the last event
}

func (s *streams) add(path string, e attributes) {
	if begins(e[recode.Done]) != 0 {
		s.done = true
		return
	}
	id := answerID(e)
	switch known := s.of[id]; {
	case s.open == nil || s.another(e, id):
		s.open = &streamedAnswer{joiner: s.start(), path: path}
		s.all = append(s.all, s.open)
		s.id = id
	case known != nil:
		s.open, s.id = known, id
	default:
		s.id = cmp.Or(s.id, id)
	}
	s.done = false
	if id = cmp.Or(id, s.id); id != "" {
		s.of[id] = s.open
	}
	s.open.take(e)
}

// another reports whether an event is the first of another answer than the one that is open. Events of OpenAI Responses
// begin one by their type alone: what passes them on may give each an id of its own.
func (s *streams) another(e attributes, id string) bool {
	known, kind := s.of[id], e.text("type")
	switch {
	case s.done:
		return known == nil || known.over()
	case strings.HasPrefix(kind, "response."):
		return begun(kind) && known == nil
	case id != "" && known == nil && s.id != "":
		return true
	}
	return begun(kind) && cmp.Or(known, s.open).over()
}

// begun reports whether an event of a kind can only be the first of an answer.
func begun(kind string) bool {
	return slices.Contains([]string{"message_start", "response.created", "message-start", "start"}, kind)
}

// rotated makes one answer of chunks that each have an id of their own, as Groq's compound models send them: there is
// no answer but the last that has a second chunk, or an end.
func (s *streams) rotated() {
	for i, a := range s.all {
		if last := i == len(s.all)-1; begins(a.first["choices"]) != '[' || !last && (a.events > 1 || a.over()) {
			return
		}
	}
	if len(s.all) < 2 {
		return
	}
	whole := &streamedAnswer{joiner: s.start(), path: s.all[0].path}
	for _, a := range s.all {
		whole.failed = cmp.Or(whole.failed, a.failed)
		whole.add(a.first)
	}
	s.all = []*streamedAnswer{whole}
}

// answerID returns the id of the answer to which an event belongs, "" if it does not say.
func answerID(e attributes) string {
	object := e.text("object")
	switch kind := e.text("type"); {
	case object == "thread.message" || object == "thread.message.delta": // OpenAI Assistants
		return e.text("id")
	case strings.HasPrefix(object, "thread."):
		return ""
	case kind == "": // OpenAI Chat and Gemini
		return e.text("id", "responseId", "response_id")
	case kind == "message-start": // Cohere
		return e.text("id")
	case kind == "start": // AI SDK
		return e.text("messageId")
	}
	return objectOf(e.first("response", "message")).text("id")
}

// failure returns what an event says went wrong, "" if it is not about that.
func failure(e attributes) string {
	raw := either(e["error"], objectOf(e["response"])["error"])
	if of := objectOf(raw); of != nil {
		return of.text("message", "type", "code")
	}
	if begins(raw) == '"' {
		return plainJSONText(raw)
	}
	if kind := e.text("type"); kind == "error" {
		return e.text("message", "errorText", "code")
	}
	return ""
}
