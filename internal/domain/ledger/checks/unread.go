package checks

import (
	"slices"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Foreign reports whether a passage is in a language that the embedded judge does not read: as its document states it
// or, if that states none, by the passage's own words. One that has a sentence in English or Arabic is not.
func Foreign(d *ledger.Document, c *ledger.Chunk) bool {
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
func unread(s *ledger.Session, claim string, ref ledger.ChunkRef) bool {
	d := s.Document(ref.Document)
	if ref.Chunk == ledger.WholeDocument {
		return !slices.ContainsFunc(d.Chunks, func(c ledger.Chunk) bool { return !apart(d, claim, &c) })
	}
	return apart(d, claim, s.Chunk(ref))
}

// apart reports whether the embedded judge cannot compare a claim with a passage by their words.
func apart(d *ledger.Document, claim string, c *ledger.Chunk) bool {
	a, b := text.Script(claim), text.Script(c.Text)
	return Foreign(d, c) || a == "latin" && b == "ar" || a == "ar" && b == "latin"
}

// unreadCite reports whether nobody read what a citation names: none of its passages is among the matches, and none can
// be compared with the claim.
func unreadCite(s *ledger.Session, c *ledger.Claim, refs []ledger.ChunkRef, matches []ledger.Match) bool {
	if len(refs) == 0 || s.Run.ReadsAll() || slices.ContainsFunc(matches, func(m ledger.Match) bool {
		return slices.ContainsFunc(refs, func(r ledger.ChunkRef) bool { return r.Names(m.Chunk) })
	}) {
		return false
	}
	return !slices.ContainsFunc(refs, func(r ledger.ChunkRef) bool { return !unread(s, c.Text, r) })
}

// LeaveUnread leaves the claims unjudged, of those that the embedded judge judged, whose cited passages nobody read,
// unless another passage makes the claim supported or contradicts it. Precondition: as of Run.
func LeaveUnread(s *ledger.Session) {
	for i, list := range citesOf(s) {
		c := &s.Claims[i]
		if !c.ByEmbedded() || c.Unjudged != "" ||
			slices.ContainsFunc(c.Matches, decisive) {
			continue
		}
		list = slices.DeleteFunc(list, func(x cited) bool { return len(x.refs) == 0 })
		read := func(x cited) bool { return !unreadCite(s, c, x.refs, c.Matches) }
		if len(list) > 0 && !slices.ContainsFunc(list, read) {
			c.Matches = nil
			c.Leave(domain.Message{ID: ledger.CitedLanguage})
		}
	}
}

// decisive reports whether a match makes its claim supported, contradicts it, or was attached by a person.
func decisive(m ledger.Match) bool { return m.Strong() || m.Contradicts || m.Attached != nil }
