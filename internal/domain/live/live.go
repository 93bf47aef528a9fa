// Package live holds the rules of traces that arrive as they happen (docs/traces.md): what is taken, when a trace is
// complete, and what becomes of it.
package live

import (
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
)

// The bounds of what is taken. What is beyond one is refused, and the sender is told so.
const (
	MaxBody       = 16 << 20 // of a request, in bytes, unpacked too
	MaxSpans      = 20_000   // of a request
	MaxSpan       = 1 << 20  // of a span in OTLP/JSON, in bytes
	MaxSpanValues = 100_000  // of a span: attributes, values and whatever else stands in it
	MaxDepth      = 12       // of values within values of an attribute, so that JSON of it has fewer levels than may be read
	MaxTraceSpans = 5_000
	MaxTraceBytes = 32 << 20
	MaxOpen       = 20_000  // traces of a tenant that are being gathered
	MaxOpenBytes  = 1 << 30 // of their spans
)

// When a trace is complete, and how long what came in is kept.
const (
	Settling    = 15 * time.Second // after the last span, once the root has ended
	Longest     = 10 * time.Minute // after the first span, whether or not the root has ended
	KeepSpans   = 24 * time.Hour   // after the trace was done with: spans of what became nothing
	KeepTraces  = 7 * 24 * time.Hour
	KeepCounts  = 30 * 24 * time.Hour
	MaxAttempts = 3 // how often a trace is begun whose worker ends each time
)

// Span is a span as it is kept.
type Span struct {
	TraceID, SpanID string // hex digits, in lower case
	Root            bool   // it has no parent and has ended
	Service, Name   string
	Body            string // OTLP/JSON of the span
}

// State is what became of a trace. States are stored.
type State string

// The states of a trace.
const (
	Gathering State = "gathering"
	Session   State = "session"
	Decision  State = "decision"
	Nothing   State = "nothing"
	Failed    State = "failed"
)

// Cause says why a trace became nothing, or a span was refused. Causes are stored.
type Cause string

// Why a trace became nothing.
const (
	NoRule     Cause = "no_rule"     // no rule fits
	NotSampled Cause = "not_sampled" // it is not of the share
	ByRule     Cause = "by_rule"     // the rule makes nothing
	NoAnswer   Cause = "no_answer"   // no model and no root says anything
)

// Why a trace failed.
const (
	Unreadable Cause = "unreadable" // what it holds is no session or decision
	Broken     Cause = "broken"     // a fault of this program
)

// Why a span was refused.
const (
	BadID      Cause = "bad_id"      // its ids are not those of a trace and a span
	BadContent Cause = "bad_content" // what it holds cannot be read
	TooLarge   Cause = "too_large"   // it is larger than MaxSpan
	TraceFull  Cause = "trace_full"  // its trace has MaxTraceSpans, or MaxTraceBytes
)

// Causes lists those that a trace may end with.
var Causes = []Cause{NoRule, NotSampled, ByRule, NoAnswer, Unreadable, Broken}

// Refusals lists why a span may be refused.
var Refusals = []Cause{BadID, BadContent, TooLarge, TraceFull}

// States lists all states.
var States = []State{Gathering, Session, Decision, Nothing, Failed}

// Reopens reports whether further spans of a trace that has ended begin to gather it again: nothing was made of it for
// want of an answer, which these may hold.
func Reopens(s State, c Cause) bool { return s == Nothing && c == NoAnswer }

// Due returns when a trace is complete. root says whether its root has ended.
func Due(first, last time.Time, root bool) time.Time {
	most := first.Add(Longest)
	if due := last.Add(Settling); root && due.Before(most) {
		return due
	}
	return most
}

// Trace is what is known of a trace that came in.
type Trace struct {
	ID       string
	State    State
	Service  string // of its root, else of its first span
	Name     string // likewise
	FirstAt  time.Time
	LastAt   time.Time
	DueAt    time.Time
	EndedAt  time.Time // zero while it is gathered
	Spans    int
	Late     int // of these, how many came after it was done with
	Cause    Cause
	Note     string           // what is wrong with it, in English; "" if nothing
	Said     domain.Message   // what Note says
	Lost     Losses           // spans that were refused
	Warnings []domain.Warning // of the session that was made of it, as those of an import
	ObjectID string           // of the session or decision
}

// Count is how many spans or traces something happened to.
type Count struct {
	What string
	N    int
}

// What is counted beside states and causes.
const (
	SpansKept  = "spans_kept"
	SpansAgain = "spans_again"
	SpansLate  = "spans_late"
)

// Refused counts spans that were refused, by cause.
type Refused struct {
	byCause map[Cause]refusal
}

type refusal struct {
	n     int
	first string
}

// Add counts a refused span; place is where it was in the request, perhaps with what is wrong there.
func (r *Refused) Add(c Cause, place string) {
	if r.byCause == nil {
		r.byCause = map[Cause]refusal{}
	}
	x := r.byCause[c]
	if x.n == 0 {
		x.first = place
	}
	x.n++
	r.byCause[c] = x
}

// N returns how many spans were refused for a cause.
func (r *Refused) N(c Cause) int { return r.byCause[c].n }

// Total returns how many spans were refused.
func (r *Refused) Total() (n int) {
	for _, x := range r.byCause {
		n += x.n
	}
	return n
}

// Said tells the sender why spans were refused, "" if none was.
func (r *Refused) Said() string {
	var parts []string
	for _, c := range Refusals {
		if x := r.byCause[c]; x.n > 0 {
			parts = append(parts, counted(x.n)+" "+reasons[c]+" (the first at "+x.first+")")
		}
	}
	return strings.Join(parts, "; ")
}

var reasons = map[Cause]string{
	BadID:      "without a valid trace id (16 bytes) and span id (8 bytes), neither all zeros",
	BadContent: "that cannot be read, or with attributes nested deeper than 12 levels",
	TooLarge:   "larger than 1 MiB: shorten its attributes",
	TraceFull:  "of a trace that has 5,000 spans or 32 MiB already",
}

func counted(n int) string {
	if n == 1 {
		return "1 span"
	}
	return strconv.Itoa(n) + " spans"
}
