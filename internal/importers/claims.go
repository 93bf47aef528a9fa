package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/claims"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

// ownClaims converts the claims of our own format; if none, it splits the answer into claims.
func (b *builder) ownClaims(list []ownClaim) error {
	if list == nil {
		return b.split()
	}
	if len(list) == 0 {
		b.warn("claims", words.Msg("warning_claims_empty"))
		return nil
	}
	keys, err := claimKeys(len(list), func(i int) string { return list[i].ID })
	if err != nil {
		return err
	}
	find := newLocator(b.s.Answer)
	b.s.Claims = make([]ledger.Claim, 0, len(list))
	for i := range list {
		if err := b.ownClaim(&list[i], keys[i], find); err != nil {
			return err
		}
		list[i].Matches = nil // as they are, in the claim
	}
	return nil
}

// ownClaim builds the next claim.
func (b *builder) ownClaim(w *ownClaim, key string, find *locator) error {
	i := len(b.s.Claims)
	c, err := b.claim(at("claims", i, ""), &w.claimWire, find.n)
	if err != nil {
		return err
	}
	c.Key, c.Position = key, i
	b.locate(at("claims", i, ""), c, find)
	if err := b.ownMatches(at("claims", i, "matches"), w.Matches, c); err != nil {
		return err
	}
	b.s.Claims = append(b.s.Claims, *c)
	return nil
}

// split extracts the claims from the answer.
func (b *builder) split() error {
	b.drawn = true
	b.s.Claims = claims.OfAnswer(b.s.Query, b.s.Answer)
	if len(b.s.Claims) == 0 && !b.opt.Claimless {
		id := "refused_in_stated_claims"
		if b.s.Format == FormFormat { // which has no such field
			id = "refused_in_stated"
		}
		return domain.Refuse(domain.Invalid, "session.answer", id)
	}
	if len(b.s.Claims) > b.opt.Claims {
		return domain.Refuse(domain.TooLarge, "session.answer", "refused_in_answer_claims", "N", b.opt.Claims)
	}
	keys, err := claimKeys(len(b.s.Claims), func(int) string { return "" })
	for i := range b.s.Claims {
		c := &b.s.Claims[i]
		c.Position, c.Key = i, keys[i]
	}
	return err
}

// claimKeys returns an id for every claim.
func claimKeys(n int, id func(int) string) ([]string, error) {
	return uniqueKeys(n, claimKeysOf, id)
}

var claimKeysOf = keysOf{list: "claims", field: "claim_id", noun: "noun_claim", format: "clm_%03d"}

// claim checks the members that a claim has in both formats; answer is the answer's length in code points.
func (b *builder) claim(path string, w *claimWire, answer int) (*ledger.Claim, error) {
	c := &ledger.Claim{Text: w.Text, RequiresCitation: w.RequiresCitation == nil || *w.RequiresCitation}
	if strings.TrimSpace(w.Text) == "" {
		return nil, domain.Refuse(domain.Invalid, path+".claim_text", "refused_in_claim_words")
	}
	var err error
	if c.Type, err = one(path+".claim_type", w.Type, ledger.ClaimTypes); err != nil {
		return nil, err
	}
	if c.Importance, err = one(path+".importance", w.Importance, ledger.Importances); err != nil {
		return nil, err
	}
	if c.Type == "" || c.Importance == "" {
		kind, weight := claims.Classify(w.Text)
		if c.Type == "" {
			c.Type = kind
		}
		if c.Importance == "" {
			c.Importance = weight
		}
	}
	if c.Span, err = spanOf(path, "start_offset", "end_offset", w.Start, w.End); err != nil {
		return nil, err
	}
	if c.Span != nil && c.Span.End > answer {
		return nil, domain.Refuse(domain.Invalid, path+".end_offset", "refused_in_outside", "N", c.Span.End,
			"Most", answer)
	}
	return c, nil
}

// ownMatches converts the matches that the caller judged; a claim without any is left to our judge.
func (b *builder) ownMatches(field string, list []ownMatch, c *ledger.Claim) error {
	if list == nil {
		return nil
	}
	c.Given = true
	for j := range list {
		path := at(field, j, "")
		m, err := b.match(path, &list[j].matchWire)
		if err != nil {
			return err
		}
		if m.Chunk, err = b.find(path+".chunk", list[j].Chunk); err != nil {
			return err
		}
		b.quote(c.Text, m)
		c.Matches = append(c.Matches, *m)
	}
	return nil
}

// quote gives a match without a snippet the snippet that judging would choose, so that the digest covers what is
// stored. The rest of judge.Given is left to the judge's run, which may look at every chunk of a document.
func (b *builder) quote(claim string, m *ledger.Match) {
	if strings.TrimSpace(m.Snippet) != "" {
		return
	}
	if got, _ := judge.Given(&b.s, &ledger.Claim{Text: claim, Matches: []ledger.Match{*m}}); len(got) == 1 {
		*m = got[0]
	}
}

// match checks the members that a match has in both formats.
func (b *builder) match(path string, w *matchWire) (*ledger.Match, error) {
	if w.Similarity < 0 || w.Similarity > 1 {
		return nil, domain.Refuse(domain.Invalid, path+".similarity", "refused_in_range", "N", w.Similarity)
	}
	support, err := one(path+".support_level", w.Support, ledger.Supports)
	if err != nil {
		return nil, err
	}
	if support == "" {
		return nil, domain.Refuse(domain.Invalid, path+".support_level", "refused_in_level")
	}
	return &ledger.Match{
		Similarity: w.Similarity, Support: support, Contradicts: w.Contradicts, Snippet: w.Snippet,
		Quote: text.Placement{Kind: text.NotPlaced},
	}, nil
}

// locate sets where a claim is in the answer. Given offsets are kept if the claim's words are there, or if they occur
// nowhere (a claim may be reworded); otherwise the words decide.
func (b *builder) locate(path string, c *ledger.Claim, l *locator) {
	claim := strings.TrimSpace(c.Text)
	if c.Span == nil {
		if c.Span = l.exact(claim); c.Span == nil {
			c.Span = l.tolerant(claim, true)
		}
		switch {
		case c.Span == nil && (l.budget < 0 || l.room < 0):
			b.warn(path, words.Msg("warning_claim_unsought"))
		case c.Span == nil:
			b.warn(path, words.Msg("warning_claim_unfound"))
		}
		return
	}
	if there := l.ruler.Slice(*c.Span); strings.TrimSpace(there) == claim || text.Fold(there) == text.Fold(claim) {
		l.from = l.ruler.Byte(c.Span.End)
		return
	}
	found := l.exact(claim)
	if found == nil {
		found = l.tolerant(claim, false)
	}
	if found != nil {
		b.warn(path+".start_offset", words.Msg("warning_claim_offsets"))
		c.Span = found
	}
}

// Unclaimed counts the sentences of the session's answer that state nothing to check; 0 where the file gave its claims.
func (r *Result) Unclaimed() int {
	if !r.split {
		return 0
	}
	return claims.None(r.Session.Answer)
}
