package pack

import (
	"cmp"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Entries copies a ledger's entries in claim order.
func Entries(l *ledger.Ledger) []Entry {
	out := make([]Entry, len(l.Entries))
	for i := range l.Entries {
		out[i] = newEntry(&l.Entries[i])
	}
	return out
}

func newEntry(e *ledger.Entry) Entry {
	out := Entry{
		ClaimID: e.Claim.Key, Number: e.Claim.Number(), ClaimText: e.Claim.Text, ClaimType: e.Type,
		Importance:     e.Importance,
		MachineVerdict: e.Machine, Verdict: e.Verdict, Confidence: e.Confidence, Notes: e.Notes, State: e.State,
		Reviews: make([]Review, len(e.Claim.Reviews)), Flags: append([]ledger.RiskType{}, e.Flags...),
	}
	for i := range e.Claim.Reviews {
		out.Reviews[i] = newReview(&e.Claim.Reviews[i])
	}
	if e.Best != nil {
		out.Snippet = e.Best.Snippet
	}
	if e.Document != nil {
		out.Document = cmp.Or(e.Document.Filename, e.Document.Title)
	}
	if e.Chunk != nil {
		out.take(e.Chunk)
	}
	return out
}

// take records the place of the evidence in c.
func (e *Entry) take(c *ledger.Chunk) {
	e.Page, e.Section, e.ChunkRoot = c.Page, c.Section(), c.Root
	e.ChunkHash = c.Hash[:min(ledger.HashDigits, len(c.Hash))]
	if c.Root != "" {
		e.EvidenceID = evidence.ID(c.Root, 0, text.Len(c.Text))
	}
}

func newReview(r *ledger.Review) Review {
	return Review{Actor: r.Actor, Role: r.Role, At: stampOf(r.At), Action: r.Action, Verdict: r.Verdict,
		Reason: r.Reason, ClaimType: r.Type, Importance: r.Importance}
}

// judged reports whether a judge or a reviewer has said anything about the claim's verdict.
func (e *Entry) judged() bool { return e.Verdict != ledger.Unjudged || e.State != ledger.Unreviewed }
