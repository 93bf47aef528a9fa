package ledger

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/text"
)

// Foreign reports whether a passage is in a language that the embedded judge does not read: as its document states it or,
// if that states none, by the passage's own words. One that has a sentence in English or Arabic is not.
func (d *Document) Foreign(c *Chunk) bool {
	if covered, known := text.CoveredTag(d.Lang); known {
		return !covered
	}
	if text.Script(c.Text) != "other" && !text.IsForeign(c.Text) {
		return false
	}
	return !slices.ContainsFunc(text.Sentences(c.Text), func(sp text.Span) bool {
		return text.ShowsLanguage(text.Slice(c.Text, sp))
	})
}

// unread reports whether no judge compared a claim with a passage that it cites, because it is in a language that the
// embedded judge does not read, or in the other script than the claim.
func (s *Session) unread(claim string, ref ChunkRef) bool {
	d := s.Document(ref.Document)
	if ref.Chunk == WholeDocument {
		return !slices.ContainsFunc(d.Chunks, func(c Chunk) bool { return !d.apart(claim, &c) })
	}
	return d.apart(claim, s.Chunk(ref))
}

// apart reports whether the embedded judge cannot compare a claim with a passage by their words.
func (d *Document) apart(claim string, c *Chunk) bool {
	a, b := text.Script(claim), text.Script(c.Text)
	return d.Foreign(c) || a == "latin" && b == "ar" || a == "ar" && b == "latin"
}

// readsAll reports whether the session was judged with a reader that the operator chose: it reads every language.
func (s *Session) readsAll() bool {
	reader := s.Run.Reader()
	return reader != "" && !slices.Contains(shippedReaders, reader)
}

// unreadCite reports whether nobody read what a citation names: none of its passages is among the matches, and none can
// be compared with the claim.
func (s *Session) unreadCite(c *Claim, refs []ChunkRef, matches []Match) bool {
	if len(refs) == 0 || s.readsAll() || slices.ContainsFunc(matches, func(m Match) bool {
		return slices.ContainsFunc(refs, func(r ChunkRef) bool { return r.Names(m.Chunk) })
	}) {
		return false
	}
	return !slices.ContainsFunc(refs, func(r ChunkRef) bool { return !s.unread(c.Text, r) })
}

// CitedLanguage is the id of why a claim is unjudged that cites only passages in a language that no judge read.
const CitedLanguage = "note_cited_lang"

// LeaveUnread leaves the claims unjudged, of those that the embedded judge judged, whose cited passages nobody read, unless
// another passage makes the claim supported or contradicts it. Precondition: as of Check.
func (s *Session) LeaveUnread() {
	for i, list := range s.cites() {
		c := &s.Claims[i]
		if c.Judge != "embedded" && c.Judge != "lexical" || c.Unjudged != "" ||
			slices.ContainsFunc(c.Matches, func(m Match) bool { return strong(&m) || m.Contradicts || m.Attached != nil }) {
			continue
		}
		list = slices.DeleteFunc(list, func(x cited) bool { return len(x.refs) == 0 })
		read := func(x cited) bool { return !s.unreadCite(c, x.refs, c.Matches) }
		if len(list) > 0 && !slices.ContainsFunc(list, read) {
			c.Matches = nil
			c.Leave(domain.Message{ID: CitedLanguage})
		}
	}
}
