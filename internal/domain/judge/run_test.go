package judge_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/words"
)

var at = time.Date(2026, 1, 3, 14, 30, 0, 0, time.UTC)

// session is a new session about the policies with a claim for each text.
func session(claims ...string) *ledger.Session {
	s := &ledger.Session{}
	for i, doc := range []string{leavePolicy, requestRules, arabicPolicy} {
		s.Documents = append(s.Documents, ledger.Document{
			Position: i, Key: fmt.Sprintf("doc%d", i), Status: ledger.Ready,
			Chunks: ledger.ChunkBlocks(ledger.ParseBlocks(doc, 0, 0), 200),
		})
	}
	for i, c := range claims {
		s.Claims = append(s.Claims, ledger.Claim{Position: i, Key: fmt.Sprintf("k%d", i), Text: c})
	}
	return s
}

func allClaims() (out []string) {
	for _, c := range scoreCases {
		out = append(out, c.claim)
	}
	return out
}

func TestRunIsDeterministic(t *testing.T) {
	old := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(old)
	want := session(allClaims()...)
	judge.Run(want, judge.NewLexical(), at)
	for _, procs := range []int{1, 2, 16} {
		runtime.GOMAXPROCS(procs)
		got := session(allClaims()...)
		judge.Run(got, judge.NewLexical(), at)
		require.Equal(t, want, got)
	}
}

func TestRunSettlesEveryClaim(t *testing.T) {
	s := session(allClaims()...)
	s.Claims[0].Unjudged = "from an older run"
	require.Empty(t, judge.Run(s, judge.NewLexical(), at))
	for _, c := range s.Claims {
		require.Equal(t, "lexical", c.Judge)
		require.False(t, c.Unjudged != "" && len(c.Matches) > 0)
		for _, m := range c.Matches {
			require.Equal(t, text.Exact, m.Quote.Kind)
			require.Equal(t, m.Snippet, text.Slice(s.Chunk(m.Chunk).Text, m.Quote.Span))
		}
	}
	require.Empty(t, s.Claims[0].Unjudged)
	require.Equal(t, "lexical", s.Run.Judge)
	require.Equal(t, judge.NewLexical().Version(), s.Run.Version)
	require.NotEmpty(t, s.Run.Parameters)
	require.Equal(t, at, s.Run.At)
	require.Len(t, s.Run.InputDigest, 64)
}

// A run that its watcher ends judges no claim that was not begun, also where some wait for a worker.
func TestRunEndsWithItsWatcher(t *testing.T) {
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = fmt.Sprintf("Annual leave is %d days.", i)
	}
	s := session(texts...)
	stop := errors.New("cancelled")
	calls := 0
	_, err := judge.RunWatched(s, judge.NewLexical(), at, func(begun, all int) error {
		require.Equal(t, calls, begun)
		require.Equal(t, len(texts), all)
		if calls++; begun == 500 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, 501, calls)
	require.NotEmpty(t, s.Claims[0].Judge)
	for i := range s.Claims[500:] {
		require.Empty(t, s.Claims[500+i].Judge)
	}
}

func TestRunNamesItsJudges(t *testing.T) {
	s := session("Leave is granted by the line manager", "Contractors are not entitled to sick leave")
	s.Claims[0].Given = true
	judge.Run(s, judge.NewLexical(), at)
	require.Equal(t, "given+lexical", s.Run.Judge)
	require.Equal(t, []string{"given", "lexical"}, []string{s.Claims[0].Judge, s.Claims[1].Judge})
	require.Empty(t, s.Claims[0].Matches, "given and none found: no other judge is asked")
	s.Claims[1].Given = true
	judge.Run(s, judge.NewLexical(), at)
	require.Equal(t, "given", s.Run.Judge)
}

func TestRunDigestTellsInputsApart(t *testing.T) {
	seen := map[string]string{}
	for name, change := range map[string]func(*ledger.Session){
		"as it is":   func(*ledger.Session) {},
		"claim":      func(s *ledger.Session) { s.Claims[0].Text += "." },
		"chunk":      func(s *ledger.Session) { s.Documents[0].Chunks[0].Text += "." },
		"given":      func(s *ledger.Session) { s.Claims[0].Given = true },
		"deleted":    func(s *ledger.Session) { s.Documents[0].Status = ledger.Deleted },
		"more claim": func(s *ledger.Session) { s.Claims = append(s.Claims, ledger.Claim{Position: 1}) },
	} {
		s := session("Leave is paid")
		change(s)
		judge.Run(s, judge.NewLexical(), at)
		require.Empty(t, seen[s.Run.InputDigest], name)
		seen[s.Run.InputDigest] = name
	}
}

// broken is a judge that fails in the ways a judge can.
type broken struct{ judge.Lexical }

func (broken) Judge(c *ledger.Claim, _ *judge.Index) ([]ledger.Match, error) {
	switch c.Text {
	case "panic":
		panic("internal detail")
	case "plain":
		return []ledger.Match{{}}, errors.New("internal detail")
	}
	return nil, &domain.Error{Kind: domain.Unsupported, Message: words.AsWritten("The server did not answer."),
		Err: errors.New("internal detail")}
}

func TestFailedJudgementIsUnjudged(t *testing.T) {
	s := session("panic", "plain", "safe")
	judge.Run(s, broken{}, at)
	for _, c := range s.Claims {
		require.Empty(t, c.Matches)
		require.NotContains(t, c.Unjudged, "internal")
	}
	require.Equal(t, "The judge failed.", s.Claims[0].Unjudged)
	require.Equal(t, "The server did not answer.", s.Claims[2].Unjudged)
}

func TestDeletedDocumentsAreNoEvidence(t *testing.T) {
	s := session("Leave is granted by the line manager")
	s.Documents[0].Status = ledger.Deleted
	judge.Run(s, judge.NewLexical(), at)
	for _, m := range s.Claims[0].Matches {
		require.NotZero(t, m.Chunk.Document)
	}
}

func TestCheckSize(t *testing.T) {
	s := session(make([]string, judge.MaxClaims+1)...)
	require.Equal(t, domain.TooLarge, domain.KindOf(judge.CheckSize(s)))
	s.Claims[7].Given = true
	require.NoError(t, judge.CheckSize(s))
}

func TestGiven(t *testing.T) {
	s := session("Employees are entitled to 15 days of annual leave")
	c := &s.Claims[0]
	c.Given = true
	ref := func(chunk int) ledger.ChunkRef { return ledger.ChunkRef{Chunk: chunk} }
	c.Matches = []ledger.Match{
		{Chunk: ref(0), Similarity: 0.2, Support: ledger.Partial, Snippet: "invented words that nobody wrote anywhere"},
		{Chunk: ref(0), Similarity: 0.9, Support: ledger.Full,
			Snippet: "all  permanent employees shall RECEIVE 15 days"},
		{Chunk: ref(0), Similarity: 0.5, Support: ledger.None},
		{Chunk: ref(0), Similarity: 1.5, Support: ledger.Full},
		{Chunk: ref(99), Similarity: 0.5, Support: ledger.Full},
		{Chunk: ref(0), Similarity: 0, Support: ledger.None, Contradicts: true},
		{Chunk: ref(0), Similarity: 0.3, Support: ledger.Partial, Snippet: "Sick leave is 5 days"},
	}
	warnings := judge.Run(s, judge.NewLexical(), at)
	var paths []string
	for _, w := range warnings {
		paths = append(paths, w.Path)
	}
	require.Equal(t, []string{"claims[0].matches[2]", "claims[0].matches[3]", "claims[0].matches[4]",
		"claims[0].matches[6].snippet"}, paths)
	require.Len(t, c.Matches, 4)
	require.Equal(t, text.Normalised, c.Matches[0].Quote.Kind)
	elsewhere := c.Matches[1]
	require.Equal(t, text.Placement{Kind: text.Exact}, elsewhere.Quote, "it is in the document, but not in the chunk")
	require.Equal(t, ref(0), elsewhere.Chunk, "the match stays with the chunk it names")
	require.Equal(t, text.NotPlaced, c.Matches[2].Quote.Kind)
	require.Equal(t, "All permanent employees shall receive 15 days of paid annual leave per calendar year.",
		c.Matches[3].Snippet, "no snippet: the nearest sentence")
}

// TestGivenIsExplained shows that a given match gets its missing words and conflicts from the passage, and that all
// else of it stays as it was given.
func TestGivenIsExplained(t *testing.T) {
	s := session("Employees are entitled to 30 days of annual leave",
		"Leave requests must be submitted 2 weeks in advance", "Leave is granted by the HR director")
	yearly := "All permanent employees shall receive 15 days of paid annual leave per calendar year."
	s.Claims[0].Matches = []ledger.Match{{Similarity: 0.9, Contradicts: true, Support: ledger.None, Snippet: yearly,
		Note: "as given"}}
	s.Claims[1].Matches = []ledger.Match{{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 0.95, Support: ledger.Full,
		Snippet: "invented"}}
	s.Claims[2].Matches = []ledger.Match{{Similarity: 0.7, Support: ledger.Partial, Missing: []string{"mine"},
		Snippet: "Leave is granted by the line manager."}}
	for i := range s.Claims {
		s.Claims[i].Given = true
	}
	require.Empty(t, judge.Run(s, judge.NewLexical(), at))
	m := s.Claims[0].Matches[0]
	require.Equal(t, []ledger.Conflict{{Kind: "number", Claim: "30 days", Evidence: "15 days"}}, m.Conflicts)
	require.Equal(t, []string{"30 days"}, m.Missing)
	require.Equal(t, []any{0.9, true, ledger.None, yearly, "as given"},
		[]any{m.Similarity, m.Contradicts, m.Support, m.Snippet, m.Note})
	require.Empty(t, m.Features)
	require.Empty(t, s.Claims[1].Matches[0].Missing, "read in the window of the chunk, for the snippet is not placed")
	require.Empty(t, s.Claims[1].Matches[0].Conflicts)
	require.Equal(t, []string{"mine"}, s.Claims[2].Matches[0].Missing)

	again := *s
	judge.Run(&again, judge.NewLexical(), at)
	require.Equal(t, *s, again)
}

// TestGivenIsBounded shows that what a file can make a run search ends, and that it is told once.
func TestGivenIsBounded(t *testing.T) {
	s := &ledger.Session{Documents: []ledger.Document{{Status: ledger.Ready,
		Chunks: []ledger.Chunk{{Text: "4 Leave" + strings.Repeat(" ", 8<<20)}}}}}
	size := len(s.Documents[0].Chunks[0].Text)
	matches := make([]ledger.Match, (512<<20)/size+10)
	for i := range matches {
		matches[i] = ledger.Match{Similarity: 0.5, Support: ledger.Partial, Snippet: "4 Leave"}
	}
	s.Claims = []ledger.Claim{{Text: "Leave is paid", Given: true, Matches: matches}}
	warnings := judge.Run(s, judge.NewLexical(), at)
	require.Len(t, warnings, 1)
	require.Contains(t, warnings[0].Msg, "too much to search")
	require.Equal(t, text.Exact, s.Claims[0].Matches[0].Quote.Kind)
	require.Equal(t, text.NotPlaced, s.Claims[0].Matches[len(matches)-1].Quote.Kind)
}

// TestJudgeAnUnbrokenLine: a claim of thousands of numbers is told to be too long before each of them is looked for in
// the sources, which took minutes.
func TestJudgeAnUnbrokenLine(t *testing.T) {
	line := strings.Repeat("The fee is 5 euros a year, ", 20_000)
	s := &ledger.Session{
		Documents: []ledger.Document{{Status: ledger.Ready, Chunks: ledger.ChunkBlocks(ledger.ParseBlocks(line, 0, 0), ledger.MaxChunk)}},
		Claims:    []ledger.Claim{{Text: line}, {Text: "The fee is 5 euros a year", Position: 1}},
	}
	start := time.Now()
	judge.Run(s, judge.NewLexical(), start)
	require.Less(t, time.Since(start), 3*time.Minute)
	require.Contains(t, s.Claims[0].Unjudged, "too long")
	require.Empty(t, s.Claims[1].Unjudged)
	require.NotEmpty(t, s.Claims[1].Matches)
}
