package live

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Lost are the spans of one trace that were refused for one cause: what the trace is made of lacks them. Stored.
type Lost struct {
	Cause Cause    `json:"cause"`
	N     int      `json:"count"`
	Spans []string `json:"spans,omitempty"` // ids of the first ones, by which one that is sent again is known
}

// How many refused spans of a trace are named, and how many are remembered, for each cause.
const (
	maxNamed      = 5
	maxRemembered = 200
)

// Named returns the ids that are told.
func (x *Lost) Named() []string { return x.Spans[:min(len(x.Spans), maxNamed)] }

// Named returns the losses with the ids that are told.
func (l Losses) Named() (out Losses) {
	for i := range l {
		out = append(out, Lost{Cause: l[i].Cause, N: l[i].N, Spans: l[i].Named()})
	}
	return out
}

// Without returns the losses without a span that was refused and has come in a form that is taken.
func (l Losses) Without(span string) (out Losses) {
	for _, x := range l {
		if at := slices.Index(x.Spans, span); at >= 0 {
			x.N, x.Spans = x.N-1, slices.Delete(slices.Clone(x.Spans), at, at+1)
		}
		if x.N > 0 {
			out = append(out, x)
		}
	}
	return out
}

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
	if x.N++; len(x.Spans) < maxRemembered {
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

// Bounds of the warnings that are kept with a trace. The first ones show what is wrong with it.
const (
	MaxWarnings     = 20
	maxWarningBytes = 16 << 10 // of all together
)

// KeptWarnings returns the first warnings, and says how many are left out.
func KeptWarnings(all []domain.Warning) (kept []domain.Warning) {
	room := maxWarningBytes
	for i, w := range all {
		if room -= len(w.Path) + len(w.Msg); i == MaxWarnings || room < 0 {
			return append(kept, domain.Warn("", words.Msg("warning_left_out", "N", len(all)-i)))
		}
		kept = append(kept, w)
	}
	return kept
}

// After returns how many spans came too late for a session that says of so many spans that they were refused: they were
// kept, or refused, when it had been made.
func (t *Trace) After(refused int) int { return t.Late + max(0, t.Lost.Total()-refused) }

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
