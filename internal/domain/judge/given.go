package judge

import (
	"fmt"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/words"
)

// GivenVersion is the version of the rules by which given matches are taken over.
const GivenVersion = "2"

// Given takes over the matches that the caller supplied with a claim, best similarity first. What neither supports nor
// contradicts, names no chunk of the session or has no similarity from 0 to 1 is dropped with a warning. Each snippet
// is placed in its chunk, else in its document: then the match stays with the chunk it names, the quote has no span,
// and a warning says so. A match without a snippet takes the sentence of its chunk that is nearest to the claim. For
// more than one claim use a Taker.
func Given(s *ledger.Session, c *ledger.Claim) ([]ledger.Match, []domain.Warning) {
	return NewTaker(s).Given(c)
}

// Taker is Given for many claims of one session, whose documents must not change meanwhile: each chunk is prepared
// once, and what all claims together search is bounded. It is not safe for concurrent use.
type Taker struct{ quotes *quotes }

// NewTaker makes a Taker for a session.
func NewTaker(s *ledger.Session) Taker { return Taker{newQuotes(s)} }

// Given takes over the matches that came with a claim, see the function Given.
func (t Taker) Given(c *ledger.Claim) ([]ledger.Match, []domain.Warning) { return t.quotes.given(c) }

// given is Given with what the session's documents need to be searched for quotes kept from claim to claim.
func (q *quotes) given(c *ledger.Claim) ([]ledger.Match, []domain.Warning) {
	s := q.session
	var out []ledger.Match
	var warnings []domain.Warning
	for i, m := range c.Matches {
		path := fmt.Sprintf("claims[%d].matches[%d]", c.Position, i)
		if fault := givenFault(s, &m); fault != "" {
			warnings = append(warnings, domain.Warn(path, words.Msg(fault)))
			continue
		}
		if warning := q.place(c, &m); warning != "" {
			warnings = append(warnings, domain.Warn(path+".snippet", words.Msg(warning)))
		}
		out = append(out, m)
	}
	ledger.SortMatches(out)
	return out, warnings
}

// givenFault returns the id of why a given match is dropped; "" when it is kept.
func givenFault(s *ledger.Session, m *ledger.Match) string {
	switch {
	case !(m.Similarity >= 0 && m.Similarity <= 1):
		return "warning_given_similarity"
	case s.Chunk(m.Chunk) == nil:
		return "warning_given_chunk"
	case !m.Contradicts && m.Support != ledger.Full && m.Support != ledger.Partial:
		return "warning_given_neither"
	}
	return ""
}
