package ledger

import (
	"cmp"
	"math"
	"slices"

	"sanad/internal/domain/text"
)

// VerdictResult is the result of verdict.v1 for a claim's matches.
type VerdictResult struct {
	Verdict    Verdict
	Confidence float64 // 0 to 1
	Deciding   int     // index of the match that decided, -1 for none
	reason     reason
}

// reason is a reason in parts, which are joined only where somebody reads it: of a page of claims most are not read.
type reason struct{ before, quoted, after string }

// Notes returns the reason, in words.
func (a VerdictResult) Notes() string { return a.reason.String() }

func (r reason) String() string { return r.before + r.quoted + r.after }

// The reasons that quote nothing.
const (
	noEvidence = "No matching evidence found in provided documents"
	tooLittle  = "Evidence does not adequately support claim"
)

// DecideVerdict is verdict.v1 (rule L-3; pinned by vectors/ledger.json). matches must be sorted by SortMatches, best
// similarity first.
func DecideVerdict(matches []Match) VerdictResult {
	if len(matches) == 0 {
		return VerdictResult{Verdict: NotFound, reason: reason{before: noEvidence}, Deciding: -1}
	}
	if i := slices.IndexFunc(matches, func(m Match) bool { return m.Contradicts }); i >= 0 {
		return VerdictResult{
			Verdict: Contradicted, Confidence: matches[i].Similarity,
			reason: reason{`Evidence contradicts claim: "`, matches[i].Snippet, `"`}, Deciding: i,
		}
	}
	best := matches[0]
	if best.Support == Full && best.Similarity > 0.85 {
		return VerdictResult{
			Verdict: Supported, Confidence: best.Similarity,
			reason: reason{`Directly supported by: "`, best.Snippet, `"`},
		}
	}
	if best.Support == Partial || best.Similarity <= 0.85 {
		return VerdictResult{
			Verdict: Weak, Confidence: best.Similarity * 0.8,
			reason: reason{`Partially supported: "`, best.Snippet, `"`},
		}
	}
	return VerdictResult{Verdict: NotFound, reason: reason{before: tooLittle}, Deciding: -1}
}

// decideWarily is DecideVerdict, but its reason never says "directly supported" if the evidence has a word that
// conflicts with the claim. It then names that word.
//
// Where the best match supports in part only because the claim's figures rest on doubtful words in it, another one that
// supports the claim in full decides; if none, the reason does not say that the best match supports the claim.
func decideWarily(matches []Match) VerdictResult {
	a := DecideVerdict(matches)
	if a.Verdict == Weak && matches[0].doubtful {
		if i := slices.IndexFunc(matches, func(m Match) bool { return m.Strong() }); i > 0 {
			sound := decideWarily(matches[i:])
			sound.Deciding = i
			return sound
		}
		a.reason.before = `Not compared: "`
	}
	if a.Verdict != Supported || len(matches[0].Conflicts) == 0 {
		return a
	}
	a.reason = reason{`Supported by: "`, matches[0].Snippet, `"`}
	if words := matches[0].Conflicts[0].Evidence; words != "" {
		a.reason.after += ", although the source says: " + words
	}
	return a
}

// Strong reports whether a match alone makes its claim supported (rule L-3).
func (m *Match) Strong() bool { return !m.Contradicts && m.Support == Full && m.Similarity > 0.85 }

// SortMatches sorts by similarity, best first, keeping the order of equal ones.
func SortMatches(matches []Match) {
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Similarity, a.Similarity) })
}

// Strength is a claim's evidence strength (rule L-6). It is shown beside the verdict and never changes it.
type Strength struct {
	SemanticSimilarity float64 `json:"semantic_similarity"` // 0 to 1
	EvidenceCount      int     `json:"evidence_count"`      // matches
	Directness         float64 `json:"directness"`          // 1 a direct quote, 0.5 an inference
	SourceQuality      float64 `json:"source_quality"`      // 0 to 1
}

// Score combines the four components into one figure from 0 to 1 (rule L-6; pinned by vectors/ledger.json).
func (s Strength) Score() float64 {
	score := float64(s.SemanticSimilarity * 0.6)
	score += float64(min(float64(s.EvidenceCount-1), 3) * 0.05)
	score += float64(s.Directness * 0.15)
	score += float64(s.SourceQuality * 0.1)
	return math.Min(math.Max(score, 0), 1)
}

// unknownQuality is used for a document without a source quality.
const unknownQuality = 0.5

// strength derives the components for a claim's deciding match.
func (s *Session) strength(c *Claim, best *Match) Strength {
	st := Strength{
		SemanticSimilarity: best.Similarity, EvidenceCount: len(c.Matches), Directness: 0.5,
		SourceQuality: unknownQuality,
	}
	if best.Support == Full && verbatim(best.Quote.Kind) {
		st.Directness = 1
	}
	if d := s.Document(best.Chunk.Document); d != nil && d.SourceQuality != nil {
		st.SourceQuality = *d.SourceQuality
	}
	return st
}

// verbatim reports whether a quote is word for word in its source.
func verbatim(k text.PlacementKind) bool { return k == text.Exact || k == text.Normalised }
