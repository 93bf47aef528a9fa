package pack

import (
	"cmp"

	"sanad/internal/domain/evidence"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Provenance is what the store knows about who gave a session's reviews. The zero value knows nobody.
type Provenance struct {
	Members map[string]bool  // ids of the people who are members of the tenant
	Events  map[string]int64 // index in the tenant's log of each review's event, by the review's id
}

// Entries copies a ledger's entries in claim order.
func Entries(l *ledger.Ledger, from *Provenance) []Entry { return copied(l.Entries, from) }

func copied(all []ledger.Entry, from *Provenance) []Entry {
	out := make([]Entry, len(all))
	for i := range all {
		out[i] = newEntry(&all[i], from)
	}
	return out
}

func newEntry(e *ledger.Entry, from *Provenance) Entry {
	out := Entry{
		ClaimID: e.Claim.Key, Number: e.Claim.Number(), ClaimText: e.Claim.Text, ClaimType: e.Type,
		Importance:     e.Importance,
		MachineVerdict: e.Machine, Verdict: e.Verdict, Confidence: e.Confidence, Notes: e.Notes(), State: e.State,
		Reviews: from.Reviews(e.Claim), Flags: append([]ledger.RiskType{}, e.Flags...),
	}
	if e.FigureSource() != "" {
		out.Figure, out.FigureSource, out.Tier = e.Shown(), e.FigureSource(), e.MachineTier()
	}
	out.takeChecks(&e.Claim.Checks)
	if e.Best != nil {
		out.Snippet = e.Best.Snippet
	}
	if e.Document != nil {
		out.Document = cmp.Or(e.Document.Filename, e.Document.Title)
	}
	if e.Chunk != nil {
		out.take(e.Chunk)
		out.Section = e.Chunk.SectionOf(e.Best.Quote)
	}
	return out
}

// take records the place of the evidence in c.
func (e *Entry) take(c *ledger.Chunk) {
	e.Page, e.Section, e.ChunkRoot, e.Scanned = c.Page, c.Section(), c.Root, c.Scanned
	e.ChunkHash = c.Hash[:min(ledger.HashDigits, len(c.Hash))]
	if c.Root != "" {
		e.EvidenceID = evidence.ID(c.Root, 0, text.Len(c.Text))
	}
}

// Location is where the evidence stands in its document. A pack has the document's name, so its kind is told by that.
func (e *Entry) Location() ledger.Location {
	l := ledger.Location{Unit: ledger.UnitOf("", e.Document), Number: e.Page, Section: e.Section, Scanned: e.Scanned}
	if l.Unit == ledger.Rows {
		l.Sheet, l.Section = l.Section, ""
	}
	return l
}

// takeChecks copies what the checks of the answer's citations and quotations found.
func (e *Entry) takeChecks(c *ledger.Checks) {
	for _, x := range c.Citations {
		e.Citations = append(e.Citations, Citation{x.Anchor, x.Status})
	}
	for _, x := range c.Quotations {
		e.Quotations = append(e.Quotations, Quotation{x.Text, x.Status})
	}
	e.Absent = len(c.Absent)
}

// Reviews copies a claim's reviews.
func (from *Provenance) Reviews(c *ledger.Claim) []Review {
	out := make([]Review, len(c.Reviews))
	for i := range out {
		out[i] = from.review(c, i)
	}
	for _, x := range c.OpenThreads() {
		out[x.First].Open = true
	}
	return out
}

// review copies the n-th review of a claim, from 0.
func (from *Provenance) review(c *ledger.Claim, n int) Review {
	r := &c.Reviews[n]
	out := Review{Actor: r.Actor, Role: r.Role, At: stampOf(r.At), Action: r.Action, Verdict: r.Verdict,
		Reason: r.Reason, ClaimType: r.Type, Importance: r.Importance, By: r.By, Member: from.Members[r.By],
		Stale: n < c.Stale, Undone: c.Undone(n), Bulk: r.Batch, Asks: r.Asks, Thread: r.Thread}
	if at, logged := from.Events[r.ID]; logged {
		out.LogIndex = &at
	}
	for _, position := range r.Into {
		out.ReplacedBy = append(out.ReplacedBy, position+1)
	}
	return out
}

// Did is what the review did, as messages name it.
func (r *Review) Did() string {
	return (&ledger.Review{Action: r.Action, Asks: r.Asks, Thread: r.Thread}).Did()
}

// setsAside reports whether a review says that its claim no longer counts.
func (r *Review) setsAside() bool { return r.Action == ledger.NotAClaim || r.Action == ledger.Replace }

// AsideBy returns the review that set a claim aside, nil if none did: the newest one that counts and says so.
func (e *Entry) AsideBy() *Review {
	for i := len(e.Reviews) - 1; i >= 0; i-- {
		if r := &e.Reviews[i]; !r.Undone && r.setsAside() {
			return r
		}
	}
	return nil
}

// judged reports whether a judge or a reviewer has said anything about the claim's verdict.
func (e *Entry) judged() bool { return e.Verdict != ledger.Unjudged || e.State != ledger.Unreviewed }
