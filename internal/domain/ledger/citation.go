package ledger

import (
	"regexp"
	"slices"
	"strings"

	"sanad/internal/domain/text"
)

// Citation is an anchor of the answer, [cite:a1b2c3d4], and what it resolved to when the session was judged; or a
// citation in a provider's answer, whose span is that of the cited words.
type Citation struct {
	Hash   string     // 8 to 64 hex digits, lower case
	Span   text.Span  // of the whole anchor in the answer
	Status CiteStatus // resolved, ambiguous, unresolved
	Places []Place    // of the cited text; several for equal texts or an ambiguous prefix
}

// CiteStatus is the outcome of resolving a citation.
type CiteStatus string

// The three outcomes of resolving.
const (
	Resolved   CiteStatus = "resolved"
	Ambiguous  CiteStatus = "ambiguous"
	Unresolved CiteStatus = "unresolved"
)

// UnresolvedText is the error text of an unresolved citation (rule L-11).
const UnresolvedText = "Citation references deleted or unavailable chunk"

// Place is one chunk that a citation may mean, in this session or another of the tenant.
type Place struct {
	SessionID  string `json:"session_id,omitempty"` // "" for the session itself
	DocumentID string `json:"document_id"`          // the store's id, or the key within the session itself
	Filename   string `json:"filename"`
	ChunkID    string `json:"chunk_id"` // likewise
	Position   int    `json:"position"` // of the chunk in its document, 0-based
	Digest     string `json:"digest"`   // full chunk digest
	Page       int    `json:"page,omitempty"`
}

var anchorPattern = regexp.MustCompile(`\[cite:([0-9A-Fa-f]{8,64})\]`)

// WithoutAnchors returns words without the anchors in them.
func WithoutAnchors(words string) string { return anchorPattern.ReplaceAllString(words, "") }

// Anchors finds the citation anchors of an answer, in order, unresolved.
func Anchors(answer string) []Citation {
	found := anchorPattern.FindAllStringSubmatchIndex(answer, -1)
	if len(found) == 0 {
		return nil
	}
	ruler := text.NewRuler(answer)
	out := make([]Citation, len(found))
	for i, m := range found {
		out[i] = Citation{
			Hash: strings.ToLower(answer[m[2]:m[3]]), Status: Unresolved,
			Span: text.Span{Start: ruler.Offset(m[0]), End: ruler.Offset(m[1])},
		}
	}
	return out
}

// attachCitations attaches every anchor of the answer to a claim: the one whose span holds it, else the last claim that
// begins before it; an anchor before the first claim goes to the first. None is dropped as long as some claim has a
// span.
func attachCitations(answer string, claims []Claim) {
	anchors := Anchors(answer)
	if len(anchors) == 0 {
		return
	}
	located, written := make([]int, 0, len(claims)), make(map[text.Span]bool, len(anchors))
	for _, a := range anchors {
		written[a.Span] = true
	}
	for i := range claims {
		claims[i].Citations = slices.DeleteFunc(claims[i].Citations, func(c Citation) bool { return written[c.Span] })
		if claims[i].Span != nil {
			located = append(located, i)
		}
	}
	if len(located) == 0 {
		return
	}
	slices.SortStableFunc(located, func(a, b int) int { return claims[a].Span.Start - claims[b].Span.Start })
	next := 0
	for _, a := range anchors {
		for next < len(located) && claims[located[next]].Span.Start <= a.Span.Start {
			next++
		}
		owner := located[max(next-1, 0)]
		claims[owner].Citations = append(claims[owner].Citations, a)
	}
}

// LooseCitations returns the hashes that the session's own chunks don't resolve, each once, in order: those to look up
// among the tenant's other chunks.
func (s *Session) LooseCitations() []string {
	var out []string
	seen := map[string]bool{}
	for i := range s.Claims {
		for _, c := range s.Claims[i].Citations {
			if c.Status == Unresolved && !seen[c.Hash] {
				seen[c.Hash] = true
				out = append(out, c.Hash)
			}
		}
	}
	return out
}

// ResolveCitations finds the anchors of the answer and resolves each: first in the session's chunks, then in elsewhere,
// the tenant's other chunks by hash prefix as the store found them (nil before that look-up).
func (s *Session) ResolveCitations(elsewhere map[string][]Place) {
	attachCitations(s.Answer, s.Claims)
	index := s.placesByDigest()
	for i := range s.Claims {
		for j := range s.Claims[i].Citations {
			c := &s.Claims[i].Citations[j]
			c.Places = prefixed(index, c.Hash)
			if len(c.Places) == 0 {
				c.Places = elsewhere[c.Hash]
			}
			c.Status = citeStatus(c.Places)
		}
	}
}

// placesByDigest returns the session's citable chunks ordered by digest.
func (s *Session) placesByDigest() []Place {
	var out []Place
	for i := range s.Documents {
		d := &s.Documents[i]
		if !d.Citable() {
			continue
		}
		for j := range d.Chunks {
			c := &d.Chunks[j]
			out = append(out, Place{DocumentID: d.Key, Filename: d.Filename, ChunkID: c.Key, Position: c.Position,
				Digest: c.Hash, Page: c.Page})
		}
	}
	slices.SortStableFunc(out, func(a, b Place) int { return strings.Compare(a.Digest, b.Digest) })
	return out
}

// prefixed returns the part of sorted whose digests begin with prefix.
func prefixed(sorted []Place, prefix string) []Place {
	i, _ := slices.BinarySearchFunc(sorted, prefix, func(p Place, x string) int { return strings.Compare(p.Digest, x) })
	j := i
	for j < len(sorted) && strings.HasPrefix(sorted[j].Digest, prefix) {
		j++
	}
	return slices.Clone(sorted[i:j])
}

// citeStatus returns the status of the places found: equal digests are one citation with several places, different ones
// are ambiguous.
func citeStatus(places []Place) CiteStatus {
	if len(places) == 0 {
		return Unresolved
	}
	for _, p := range places[1:] {
		if p.Digest != places[0].Digest {
			return Ambiguous
		}
	}
	return Resolved
}

// cited reports whether a claim has at least one resolved anchor.
func (c *Claim) cited() bool {
	return slices.ContainsFunc(c.Citations, func(x Citation) bool { return x.Status == Resolved })
}

var hashPattern = regexp.MustCompile(`^[0-9a-f]{8,64}$`)

// IsHash reports whether s is valid in an anchor: 8 to 64 lower-case hex digits.
func IsHash(s string) bool { return hashPattern.MatchString(s) }

// NewCitation returns the citation of a hash with the places found for it.
func NewCitation(hash string, places []Place) Citation {
	return Citation{Hash: hash, Status: citeStatus(places), Places: places}
}
