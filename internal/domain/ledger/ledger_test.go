package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

var runAt = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

// session returns a session of two documents, a.txt and b.txt, with one chunk each, and the given claims.
func session(claims ...ledger.Claim) *ledger.Session {
	s := &ledger.Session{ID: "s", Run: ledger.Run{At: runAt}, Claims: claims, Documents: []ledger.Document{
		document(0, "a", "Alpha says fifteen days."), document(1, "b", "Beta says twenty days."),
	}}
	for i := range s.Claims {
		c := &s.Claims[i]
		c.Position, c.Key = i, fmt.Sprintf("clm_%03d", i+1)
		if c.Importance == "" {
			c.Type, c.Importance = ledger.Fact, ledger.Critical
		}
	}
	return s
}

func document(position int, key, chunk string) ledger.Document {
	return ledger.Document{Position: position, Key: key, Filename: key + ".txt", Status: ledger.Ready,
		Chunks: []ledger.Chunk{
			{Key: "c1", Text: chunk, Hash: ledger.ChunkDigest(chunk), Root: ledger.TextDigest(chunk)},
		}}
}

func match(doc int, similarity float64, support ledger.Support) ledger.Match {
	return ledger.Match{
		Chunk: ledger.ChunkRef{Document: doc}, Similarity: similarity, Support: support, Snippet: "x",
		Quote: text.Placement{Kind: text.Exact},
	}
}

func against(doc int, similarity float64) ledger.Match {
	m := match(doc, similarity, ledger.None)
	m.Contradicts = true
	return m
}

func claim(matches ...ledger.Match) ledger.Claim { return ledger.Claim{Matches: matches} }

func TestUnjudgedClaimsCountInTotalsButNotInRates(t *testing.T) {
	unjudged := claim(match(0, 0.99, ledger.Full))
	unjudged.Unjudged = "The judge timed out."
	l := ledger.Assess(session(claim(match(0, 0.9, ledger.Full)), claim(match(0, 0.5, ledger.Full)),
		claim(against(0, 0.7)), claim(), unjudged), 24)
	require.Equal(t, map[ledger.Verdict]int{
		ledger.Supported: 1, ledger.Weak: 1, ledger.Contradicted: 1, ledger.NotFound: 1,
	}, l.Summary.ByVerdict)
	require.Equal(t, 5, l.Summary.Total)
	require.Equal(t, 1, l.Summary.Unjudged)
	require.InDelta(t, 3.0/5, l.Summary.Coverage, 1e-12)
	require.InDelta(t, 2.0/5, l.Summary.Unsupported, 1e-12)
	require.Equal(t, ledger.Unjudged, l.Entries[4].Verdict)
	require.Zero(t, l.Entries[4].Confidence)
	require.Equal(t, "The judge timed out.", l.Entries[4].Notes())
}

func TestEmptyLedgerHasNoRates(t *testing.T) {
	l := ledger.Assess(session(), 24)
	require.Zero(t, l.Summary.Coverage)
	require.Zero(t, l.Summary.Unsupported)
	require.Empty(t, l.Flags)
}

// flag returns one flag of the ledger, nil if it is not raised.
func flag(l ledger.Ledger, t ledger.RiskType) *ledger.RiskFlag {
	for i := range l.Flags {
		if l.Flags[i].Type == t {
			return &l.Flags[i]
		}
	}
	return nil
}

func TestMissingEvidence(t *testing.T) {
	material, minor := claim(), claim()
	material.Type, material.Importance = ledger.Fact, ledger.Material
	minor.Type, minor.Importance = ledger.Fact, ledger.Minor
	f := flag(ledger.Assess(session(claim(), material, minor), 24), ledger.MissingEvidence)
	require.Equal(t, ledger.High, f.Severity)
	require.Equal(t, "1 critical and 1 material claim(s) have no supporting evidence", f.Description())
	require.Equal(t, 2, f.Count)
	f = flag(ledger.Assess(session(material), 24), ledger.MissingEvidence)
	require.Equal(t, ledger.Medium, f.Severity)
	require.Equal(t, "1 material claim(s) have no supporting evidence", f.Description())
	require.Nil(t, flag(ledger.Assess(session(minor), 24), ledger.MissingEvidence))
}

func TestContradictionAndConflictingSources(t *testing.T) {
	l := ledger.Assess(session(claim(match(0, 0.9, ledger.Full), against(1, 0.6)),
		claim(match(0, 0.9, ledger.Full), against(0, 0.6))), 24)
	require.Equal(t, "2 claim(s) contradict the source documents", flag(l, ledger.Contradiction).Description())
	require.Equal(t, 1, flag(l, ledger.ConflictingSources).Count,
		"two passages of one document are no conflict of sources")
	require.Equal(t, []ledger.RiskType{ledger.Contradiction, ledger.ConflictingSources}, l.Entries[0].Flags)
}

func TestOutdatedSource(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ledger.Session)
		want   bool
	}{
		"no date":               {func(*ledger.Session) {}, false},
		"valid until today":     {func(s *ledger.Session) { s.Documents[0].ValidUntil = "2026-11-21" }, false},
		"valid until yesterday": {func(s *ledger.Session) { s.Documents[0].ValidUntil = "2026-11-20" }, true},
		"valid until an hour ago": {func(s *ledger.Session) { s.Documents[0].ValidUntil = "2026-11-21T08:00:00Z" },
			true},
		"superseded":                 {func(s *ledger.Session) { s.Documents[1].Supersedes = "a" }, true},
		"supersedes another":         {func(s *ledger.Session) { s.Documents[0].Supersedes = "b" }, false},
		"24 months old to the day":   {func(s *ledger.Session) { s.Documents[0].PublishedAt = "2024-11-22" }, false},
		"older than 24 months":       {func(s *ledger.Session) { s.Documents[0].PublishedAt = "2024-11-20" }, true},
		"only the other one is old":  {func(s *ledger.Session) { s.Documents[1].PublishedAt = "2001-01-01" }, false},
		"a date that cannot be read": {func(s *ledger.Session) { s.Documents[0].PublishedAt = "last year" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := session(claim(match(0, 0.9, ledger.Full), match(1, 0.5, ledger.Partial)))
			c.change(s)
			require.Equal(t, c.want, flag(ledger.Assess(s, 24), ledger.OutdatedSource) != nil)
		})
	}
}

func TestAmbiguousEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		matches []ledger.Match
		want    bool
	}{
		"full and partial, 0.05 apart": {[]ledger.Match{match(0, 0.90, ledger.Full), match(1, 0.85, ledger.Partial)},
			true},
		"further apart": {[]ledger.Match{match(0, 0.91, ledger.Full), match(1, 0.85, ledger.Partial)},
			false},
		"both full": {[]ledger.Match{match(0, 0.90, ledger.Full), match(1, 0.89, ledger.Full)},
			false},
		"one document": {[]ledger.Match{match(0, 0.90, ledger.Full), match(0, 0.89, ledger.Partial)},
			false},
		"alone": {[]ledger.Match{match(0, 0.90, ledger.Full)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want,
				flag(ledger.Assess(session(claim(c.matches...)), 24), ledger.AmbiguousEvidence) != nil)
		})
	}
}

func TestLowConfidence(t *testing.T) {
	// mean (0.9 + 0) / 2 = 0.45
	l := ledger.Assess(session(claim(match(0, 0.9, ledger.Full)), claim()), 24)
	f := flag(l, ledger.LowConfidence)
	require.Equal(t, ledger.Medium, f.Severity)
	require.Equal(t, "Overall confidence is low (45%)", f.Description())
	require.Equal(t, 1, f.Count)
	// mean (0.9 + 0.9 + 0.4) / 3 = 0.73, one below 0.5
	l = ledger.Assess(session(claim(match(0, 0.9, ledger.Full)), claim(match(0, 0.9, ledger.Full)),
		claim(match(0, 0.5, ledger.Partial))), 24)
	require.Equal(t, ledger.Low, flag(l, ledger.LowConfidence).Severity)
	// an overridden entry is left out of the mean
	s := session(claim(match(0, 0.9, ledger.Full)), claim())
	review(t, s, 1, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "Read it."})
	require.Nil(t, flag(ledger.Assess(s, 24), ledger.LowConfidence))
}

func TestFlagTexts(t *testing.T) {
	require.Equal(t, "Upload relevant documents or revise response",
		ledger.RiskFlag{Type: ledger.MissingEvidence}.Mitigation())
	for _, r := range ledger.RiskTypes {
		require.NotEmpty(t, ledger.RiskFlag{Type: r, Count: 1, Critical: 1}.Description(), r)
		require.NotEmpty(t, ledger.RiskFlag{Type: r}.Mitigation(), r)
	}
}

func TestAdviceNamesClaims(t *testing.T) {
	var claims []ledger.Claim
	for range 5 {
		claims = append(claims, claim(against(0, 0.9)))
	}
	l := ledger.Assess(session(claims...), 24)
	want := "Correct claims #1, #2, #3 and 2 more to match the sources"
	require.Equal(t, want, l.Actions()[0].Text())
	head := l.Head()
	require.Equal(t, want, head.Actions()[0].Text(), "the stored head has the same texts")
	require.Len(t, head.Flags[0].Claims, 3)
	require.Len(t, l.Flags[0].Claims, 5)
}

func review(t *testing.T, s *ledger.Session, position int, in ledger.ReviewInput) ledger.Review {
	t.Helper()
	r, err := s.AddReview(position, in, fmt.Sprintf("r%d", s.Revision), "Sara", "reviewer", runAt)
	require.NoError(t, err)
	return r
}

func TestReviewsDecideTheEffectiveVerdict(t *testing.T) {
	s := session(claim(match(0, 0.5, ledger.Partial)))
	entry := func() ledger.Entry { l := ledger.Assess(s, 24); return l.Entries[0] }

	review(t, s, 0, ledger.ReviewInput{Action: ledger.Comment, Reason: "Look again."})
	require.Equal(t, ledger.Unreviewed, entry().State, "a comment decides nothing")
	require.Equal(t, ledger.Confirm, review(t, s, 0, ledger.ReviewInput{Action: ledger.Confirm}).Action)
	require.Equal(t, ledger.Confirmed, entry().State)
	require.False(t, entry().Override)

	review(t, s, 0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "It is enough."})
	require.Equal(t, ledger.Supported, entry().Verdict)
	require.Equal(t, ledger.Weak, entry().Machine, "the machine's verdict stays visible")
	require.True(t, entry().Override)

	require.Equal(t, ledger.Supported, review(t, s, 0, ledger.ReviewInput{Action: ledger.Confirm}).Verdict,
		"a confirm fixes the verdict it saw")
	require.True(t, entry().Override, "a confirmed override still counts as overridden")

	same := review(t, s, 0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Supported, Reason: "Read twice."})
	require.Equal(t, ledger.Confirm, same.Action, "an override that changes no verdict is a confirmation")
	require.Equal(t, ledger.Supported, same.Verdict)
	require.Equal(t, "Read twice.", same.Reason)
	require.Equal(t, ledger.Confirmed, entry().State)

	_, err := s.AddReview(0, ledger.ReviewInput{Action: ledger.Confirm}, "r", "Sara", "reviewer", runAt)
	require.ErrorContains(t, err, "already", "one person may confirm a verdict once")
	_, err = s.AddReview(0, ledger.ReviewInput{Action: ledger.Confirm}, "r", "Omar", "reviewer", runAt)
	require.NoError(t, err, "another person may confirm it too")

	review(t, s, 0, ledger.ReviewInput{Action: ledger.NeedsEvidence})
	require.Equal(t, ledger.Wanting, entry().State)
	require.Equal(t, ledger.Supported, entry().Verdict)

	review(t, s, 0, ledger.ReviewInput{Action: ledger.Edit, Type: ledger.Numeric, Importance: ledger.Critical})
	require.Equal(t, ledger.Numeric, entry().Type)
	require.Equal(t, ledger.Fact, s.Claims[0].Type, "the imported values are unchanged")
	require.Len(t, s.Claims[0].Reviews, 8)
	require.Equal(t, 8, s.Revision)
}

func TestRefusedReviewsChangeNothing(t *testing.T) {
	unjudged := claim()
	unjudged.Unjudged = "language not covered"
	for name, c := range map[string]struct {
		position int
		in       ledger.ReviewInput
		path     string
		kind     domain.Kind
	}{
		"unknown action": {
			in: ledger.ReviewInput{Action: "approve"}, path: "action", kind: domain.Invalid,
		},
		"override without a verdict": {
			in: ledger.ReviewInput{Action: ledger.Override, Reason: "r"}, path: "verdict",
			kind: domain.Invalid,
		},
		"override to nonsense": {
			in: ledger.ReviewInput{Action: ledger.Override, Verdict: "true", Reason: "r"}, path: "verdict",
			kind: domain.Invalid,
		},
		"override without a reason": {
			in:   ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.Weak, Reason: " \n"},
			path: "reason", kind: domain.Invalid,
		},
		"empty comment": {
			in: ledger.ReviewInput{Action: ledger.Comment}, path: "reason", kind: domain.Invalid,
		},
		"edit that changes nothing": {
			in: ledger.ReviewInput{Action: ledger.Edit, Type: ledger.Fact}, path: "claim_type",
			kind: domain.Invalid,
		},
		"edit to nonsense": {
			in: ledger.ReviewInput{Action: ledger.Edit, Importance: "huge"}, path: "importance",
			kind: domain.Invalid,
		},
		"confirm without a verdict": {
			position: 1, in: ledger.ReviewInput{Action: ledger.Confirm}, path: "action", kind: domain.Invalid,
		},
		"no such claim": {
			position: 2, in: ledger.ReviewInput{Action: ledger.Confirm}, kind: domain.NotFound,
		},
		"too long": {
			in:   ledger.ReviewInput{Action: ledger.Comment, Reason: string(make([]rune, ledger.MaxReason+1)) + "x"},
			path: "reason", kind: domain.TooLarge,
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := session(claim(match(0, 0.9, ledger.Full)), unjudged)
			_, err := s.AddReview(c.position, c.in, "r", "Sara", "reviewer", runAt)
			var e *domain.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.kind, e.Kind)
			require.Equal(t, c.path, e.Path)
			require.NotEmpty(t, e.Text())
			require.Zero(t, s.Revision)
			require.Empty(t, s.Claims[0].Reviews)
		})
	}
	s := session(unjudged)
	review(t, s, 0, ledger.ReviewInput{Action: ledger.Override, Verdict: ledger.NotFound, Reason: "Read all of it."})
	l := ledger.Assess(s, 24)
	require.Equal(t, ledger.NotFound, l.Entries[0].Verdict)
	require.Zero(t, l.Summary.Unjudged)
}

func TestCitations(t *testing.T) {
	alpha := ledger.ChunkHash("Alpha says fifteen days.")
	s := session(claim(), claim(), claim())
	s.Answer = "سند. One [cite:" + alpha + "]. Two [cite:00000000][cite:ABCDEF01]. Three."
	for i, words := range []string{"One", "Two", "Three"} {
		at := text.Place(words, s.Answer)
		require.Equal(t, text.Exact, at.Kind)
		s.Claims[i].Span = &at.Span
		s.Claims[i].RequiresCitation = true
	}
	s.ResolveCitations(nil)
	require.Equal(t, []string{"00000000", "abcdef01"}, s.LooseCitations())
	s.ResolveCitations(map[string][]ledger.Place{"abcdef01": {{
		SessionID: "x", Digest: "abcdef01aa",
	}, {SessionID: "y", Digest: "abcdef01bb"}}})

	first := s.Claims[0].Citations[0]
	require.Equal(t, ledger.Resolved, first.Status)
	require.Equal(t, "a.txt", first.Places[0].Filename)
	require.Equal(t, "[cite:"+alpha+"]", text.Slice(s.Answer, first.Span))
	require.Equal(t, ledger.Unresolved, s.Claims[1].Citations[0].Status)
	require.Equal(t, ledger.Ambiguous, s.Claims[1].Citations[1].Status)

	l := ledger.Assess(s, 24)
	require.False(t, l.Entries[0].Uncited)
	require.True(t, l.Entries[1].Uncited, "neither of its anchors resolves")
	require.True(t, l.Entries[2].Uncited)
	require.NotNil(t, flag(l, ledger.AmbiguousEvidence))
}

// TestProviderCitationsAreKept shows that a provider's citations resolve beside the anchors of an answer, however
// often.
func TestProviderCitationsAreKept(t *testing.T) {
	alpha := ledger.ChunkHash("Alpha says fifteen days.")
	for _, answer := range []string{"One and so on.", "One [cite:" + alpha + "]."} {
		s := session(claim())
		s.Answer = answer
		s.Claims[0].Span = &text.Span{Start: 0, End: 3}
		s.Claims[0].Citations = []ledger.Citation{{
			Hash: alpha, Span: text.Span{Start: 0, End: 3}, Status: ledger.Unresolved,
		}}
		s.ResolveCitations(nil)
		s.ResolveCitations(nil)
		require.Len(t, s.Claims[0].Citations, 1+len(ledger.Anchors(answer)))
		for _, c := range s.Claims[0].Citations {
			require.Equal(t, ledger.Resolved, c.Status)
		}
	}
}

func TestDeletedDocumentIsNotCitable(t *testing.T) {
	s := session(claim())
	s.Answer = "One [cite:" + ledger.ChunkHash("Alpha says fifteen days.") + "]."
	s.Claims[0].Span = &text.Span{Start: 0, End: 3}
	s.Documents[0].Status = ledger.Deleted
	s.ResolveCitations(nil)
	require.Equal(t, ledger.Unresolved, s.Claims[0].Citations[0].Status)
}

func TestCitationOfEqualTextsHasSeveralPlaces(t *testing.T) {
	same := "The same sentence."
	s := session(claim())
	s.Documents = []ledger.Document{document(0, "a", same), document(1, "b", same)}
	s.Answer = "One [cite:" + ledger.ChunkHash(same) + "]."
	s.Claims[0].Span = &text.Span{Start: 0, End: 3}
	s.ResolveCitations(nil)
	require.Equal(t, ledger.Resolved, s.Claims[0].Citations[0].Status)
	require.Len(t, s.Claims[0].Citations[0].Places, 2)
}

func TestStrengthNeverChangesTheVerdict(t *testing.T) {
	l := ledger.Assess(session(claim(match(0, 0.86, ledger.Full)), claim(match(0, 0.85, ledger.Full))), 24)
	require.Equal(t, ledger.Supported, l.Entries[0].Verdict)
	require.Equal(t, ledger.Weak, l.Entries[1].Verdict)
	require.Equal(t, ledger.Strength{
		SemanticSimilarity: 0.86, EvidenceCount: 1, Directness: 1, SourceQuality: 0.5,
	}, l.Entries[0].Strength)
}

func TestSection(t *testing.T) {
	for heading, want := range map[string]string{
		"4.2 Carry-over": "4.2", "3. Leave": "3", "Article 7": "Article 7", "٤٫٢ الترحيل": "٤٫٢", "A.1 Scope": "A.1",
		"": "",
	} {
		c := ledger.Chunk{HeadingPath: []string{"x", heading}}
		require.Equal(t, want, c.Section(), heading)
	}
	require.Empty(t, (&ledger.Chunk{}).Section())
}
