package live

import (
	"encoding/json"
	"slices"
	"strings"
)

// Lost are the spans of one trace that were refused for one cause: what the trace is made of lacks them. Stored.
type Lost struct {
	Cause Cause    `json:"cause"`
	N     int      `json:"count"`
	Spans []string `json:"spans,omitempty"` // ids of the first MaxNamed
}

// MaxNamed is how many refused spans of a trace are named, for each cause.
const MaxNamed = 5

// Losses are the refused spans of one trace, at most one entry for each cause, in the order of Refusals.
type Losses []Lost

// Add counts a refused span. One that is named already was sent again, and is not counted again.
func (l Losses) Add(c Cause, span string) Losses {
	at := slices.IndexFunc(l, func(x Lost) bool { return x.Cause == c })
	if at < 0 {
		l = append(l, Lost{Cause: c, N: 1, Spans: []string{span}})
		slices.SortFunc(l, func(a, b Lost) int { return slices.Index(Refusals, a.Cause) - slices.Index(Refusals, b.Cause) })
		return l
	}
	x := &l[at]
	if slices.Contains(x.Spans, span) {
		return l
	}
	if x.N++; len(x.Spans) < MaxNamed {
		x.Spans = append(x.Spans, span)
	}
	return l
}

// Total returns how many spans were refused.
func (l Losses) Total() (n int) {
	for i := range l {
		n += l[i].N
	}
	return n
}

// lossMark begins the losses in a stored note. No sentence has a control character.
const lossMark = "\x1f"

// WithLosses returns a note as it is stored with the losses of its trace.
func WithLosses(note string, l Losses) string {
	if len(l) == 0 {
		return note
	}
	data, err := json.Marshal(l)
	if err != nil { // it holds texts and numbers
		panic(err)
	}
	return note + lossMark + string(data)
}

// CutLosses takes apart what WithLosses put together.
func CutLosses(stored string) (note string, l Losses) {
	note, data, _ := strings.Cut(stored, lossMark)
	if json.Unmarshal([]byte(data), &l) != nil {
		return note, nil
	}
	return note, l
}

// Join adds what another request brought.
func (l Losses) Join(more Lost) Losses {
	for _, span := range more.Spans {
		l = l.Add(more.Cause, span)
	}
	if rest := more.N - len(more.Spans); rest > 0 {
		at := slices.IndexFunc(l, func(x Lost) bool { return x.Cause == more.Cause })
		l[at].N += rest
	}
	return l
}
