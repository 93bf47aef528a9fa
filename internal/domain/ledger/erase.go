package ledger

import (
	"slices"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Erase deletes the text of a document from the session: its chunks, titles and address, and the words of it that
// matches repeat. Places, hashes and verdicts stay, so that the history of each claim can still be followed (rule
// ER-3). It takes the document out of use as Withdraw does, and returns the claims that rest on it. done is false if it
// was erased before. What the answer, the claims and the reviews say is not changed.
func (s *Session) Erase(position int, at time.Time) (affected []Change, done bool) {
	d := s.Document(position)
	if d == nil || d.Status == Erased {
		return nil, false
	}
	affected, withdrawn := s.Withdraw(position, at.UTC().Format(erasedLayout), at)
	if !withdrawn { // it was out of use already
		s.step(s.sealed(), at)
	}
	key := d.Key
	*d = Document{
		ID: d.ID, Key: d.ID, Position: d.Position, Lang: d.Lang, PublishedAt: d.PublishedAt, ValidUntil: d.ValidUntil,
		SourceQuality: d.SourceQuality, Status: Erased, Root: d.Root, Chunks: slices.Clone(d.Chunks), Withdrawn: at.UTC().Format(erasedLayout),
	}
	for i := range s.Documents {
		if x := &s.Documents[i]; x.Supersedes == key && key != "" {
			x.Supersedes = d.Key
		}
	}
	for i := range d.Chunks {
		c := &d.Chunks[i]
		*c = Chunk{ID: c.ID, Key: c.ID, Position: c.Position, Hash: c.Hash, Root: c.Root, Page: c.Page, Kind: c.Kind,
			Scanned: c.Scanned, Span: c.Span}
	}
	for i := range s.Claims {
		s.Claims[i].Matches = EraseWords(s.Claims[i].Matches, position)
	}
	return affected, true
}

// erasedLayout is the reason why an erased document is out of use, as it is stored and exported.
const erasedLayout = "Erased on 2006-01-02."

// ErasedOn returns the day on which the document was erased, in UTC; false if it was not.
func (d *Document) ErasedOn() (time.Time, bool) {
	day, err := time.Parse(erasedLayout, d.Withdrawn)
	return day, err == nil && d.Status == Erased
}

// EraseWords returns matches without the words of one document.
func EraseWords(matches []Match, document int) []Match {
	out := slices.Clone(matches)
	for i := range out {
		if m := &out[i]; m.Chunk.Document == document {
			m.Snippet, m.Conflicts = "", nil
			m.Remark(domain.Message{})
			m.Quote = text.Placement{Kind: m.Quote.Kind}
		}
	}
	return out
}
