// Package gate writes what `sanad check` found in files of answers: as text, JUnit and SARIF.
package gate

import (
	"strings"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Report is what a gate found in a file of answers, for people and for pipelines. It keeps of each session only
// what it shows.
type Report struct {
	File     string // as its reader knows it
	Version  string // of the program
	Judge    string // which judged, with its version
	Sessions []Session
	Refused  []Refusal // what could not be read
}

// Refusal is a part of the file that could not be read.
type Refusal struct {
	Row  string // its place in the file, "" if the whole file was refused
	Line int    // where the row begins, from 1
	Why  string
}

// Session is what a gate found in an answer.
type Session struct {
	Row      string // its place in a file of several: "[3]"
	Line     int    // where the row begins, from 1
	Name     string // the caller's id, else the title; "" if it has neither
	Digest   string // of the content
	Within   string // what the answer is within in its row: "session." in files of our own format
	Coverage float64
	Faults   []Fault // of the answer as a whole
	Claims   []Claim
	None     int // sentences of the answer that are no claims
}

// Claim is what a gate found in a claim.
type Claim struct {
	Number   int
	Key      string
	Text     string
	Span     *text.Span // in the answer, in code points; nil if it is not located there
	Unjudged bool
	Verdict  ledger.Verdict // says nothing if unjudged
	Faults   []Fault        // none if it passes
}

// Fault is a fault with its cause in words and, if there is one, the passage that it rests on.
type Fault struct {
	Fault  ledger.Fault
	Cause  string
	Source *Passage
}

// Passage is a passage of a source.
type Passage struct {
	Document string     // its filename, else its key
	Where    string     // in it: "page 12"; "" if unknown
	Span     *text.Span // in the document's text, in code points; nil if unknown
	Words    string     // that matter, "" if none are told apart
}

// within returns the path of the object that holds the answer in a row of a format.
func within(read string) string {
	switch read {
	case ledger.SessionFormat:
		return "session."
	case ledger.ExportFormat:
		return "sanad.session."
	}
	return "" // a provider's file has an answer of several parts
}

// Add checks an assessed session, which was read in a format. It returns what was found, which stays the report's.
func (r *Report) Add(l *ledger.Ledger, row, read string, gate *ledger.Gate) *Session {
	s := l.Session
	r.Judge = s.Run.Judge + " " + s.Run.Version
	out := Session{
		Row: row, Name: s.ExternalID, Digest: s.Digest, Coverage: l.Summary.Coverage,
		Within: within(read),
		Claims: make([]Claim, len(l.Entries)),
	}
	if out.Name == "" {
		out.Name = s.Title
	}
	for _, f := range gate.Answer(&l.Summary) {
		out.Faults = append(out.Faults, Fault{Fault: f, Cause: answerCause(f, &l.Summary, gate)})
	}
	for i := range l.Entries {
		e := &l.Entries[i]
		c := Claim{
			Number: e.Claim.Number(), Key: e.Claim.Key, Text: e.Claim.Text, Span: e.Claim.Span, Unjudged: e.Unjudged(),
			Verdict: e.Verdict,
		}
		for _, f := range gate.Claim(e) {
			c.Faults = append(c.Faults, gateFault(f, e, s))
		}
		out.Claims[i] = c
	}
	r.Sessions = append(r.Sessions, out)
	return &r.Sessions[len(r.Sessions)-1]
}

// Refuse records a part of the file that could not be read.
func (r *Report) Refuse(row, why string) {
	r.Refused = append(r.Refused, Refusal{Row: row, Why: why})
}

// None is how many sentences of all answers are no claims.
func (r *Report) None() (n int) {
	for i := range r.Sessions {
		n += r.Sessions[i].None
	}
	return n
}

// Failed returns the number of claims that do not pass.
func (s *Session) Failed() (n int) {
	for i := range s.Claims {
		if len(s.Claims[i].Faults) > 0 {
			n++
		}
	}
	return n
}

// Judged is the name of what judging gave: a verdict, or that no judge could judge.
func (c *Claim) Judged() string {
	if c.Unjudged {
		return string(ledger.FaultUnjudged)
	}
	return string(c.Verdict)
}

// RowOfFile names a part of a file: a row of it, as in a.jsonl[1], or a place in it.
func RowOfFile(file, row string) string {
	if row == "" || strings.HasPrefix(row, "[") {
		return file + row
	}
	return file + ": " + row
}

// Called names a session as the reports do: by its file, its row there, and its own name.
func (s *Session) Called(file string) string {
	out := RowOfFile(file, s.Row)
	if s.Name != "" {
		out += " " + s.Name
	}
	return out
}

// Passes reports whether the gate lets the answer through.
func (s *Session) Passes() bool { return len(s.Faults) == 0 && s.Failed() == 0 }

// Passes reports whether the gate lets every answer through that could be read.
func (r *Report) Passes() bool {
	for i := range r.Sessions {
		if !r.Sessions[i].Passes() {
			return false
		}
	}
	return true
}
