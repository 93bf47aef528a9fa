package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
)

// scannedSession has one claim with matches in passages; «…» marks doubtful words of a passage.
func scannedSession(claim string, support ledger.Support, contradicts bool, passages ...string) *ledger.Session {
	s := &ledger.Session{Claims: []ledger.Claim{{Key: "1", Text: claim, Judge: "embedded"}},
		Run: ledger.Run{Judge: "embedded", Version: "9", At: time.Unix(0, 0)}}
	for i, p := range passages {
		c := ledger.Chunk{Key: fmt.Sprint("c", i)}
		for k, part := range strings.FieldsFunc(p, func(r rune) bool { return r == '«' || r == '»' }) {
			start := text.Len(c.Text)
			c.Text += part
			if strings.HasPrefix(p, "«") != (k%2 == 1) {
				c.Doubtful = append(c.Doubtful, ledger.DoubtfulWord{Start: start, End: text.Len(c.Text), Confidence: 50})
			}
		}
		c.Scanned = len(c.Doubtful) > 0
		s.Documents = append(s.Documents, ledger.Document{Key: fmt.Sprint("d", i), Position: i, Status: ledger.Ready,
			Chunks: []ledger.Chunk{c}})
		s.Claims[0].Matches = append(s.Claims[0].Matches, ledger.Match{Chunk: ledger.ChunkRef{Document: i},
			Similarity: 0.99 - 0.01*float64(i), Support: support, Contradicts: contradicts, Snippet: c.Text,
			Quote: text.Placement{Kind: text.Exact, Span: text.Span{End: text.Len(c.Text)}}})
	}
	checks.Run(s, nil)
	return s
}

// TestFiguresOnDoubtfulWords: a claim whose figures rest on doubtful words is weak and flagged; other doubtful words do
// not matter, and a passage that is read surely carries the claim alone.
func TestFiguresOnDoubtfulWords(t *testing.T) {
	for name, c := range map[string]struct {
		claim    string
		passages []string
		want     ledger.Verdict
		best     int
	}{
		"sure": {claim: "The allowance is 75 rials.",
			passages: []string{"The allowance is 75 rials."}, want: ledger.Supported, best: 0},
		"a doubtful figure": {claim: "The allowance is 75 rials.",
			passages: []string{"The allowance is «75» rials."}, want: ledger.Weak, best: 0},
		"its unit": {claim: "The allowance is 75 OMR.",
			passages: []string{"The allowance is 75 «OMR»."}, want: ledger.Weak, best: 0},
		"its bound": {claim: "It is at most 75 OMR.",
			passages: []string{"It is «at most» 75 OMR."}, want: ledger.Weak, best: 0},
		"read as letters": {claim: "The allowance is 15 rials.",
			passages: []string{"The allowance is «IS» rials."}, want: ledger.Weak, best: 0},
		"spelled": {claim: "Receipts are kept for 7 years.",
			passages: []string{"Receipts are kept for «seven» years."}, want: ledger.Weak, best: 0},
		"another word": {claim: "The allowance is 75 rials.",
			passages: []string{"«Tbe» allowance is 75 rials."}, want: ledger.Supported, best: 0},
		"another figure": {claim: "The allowance is 75 rials.",
			passages: []string{"The allowance is 75 rials, claimed within «3O» days."}, want: ledger.Supported, best: 0},
		"no figure": {claim: "Receipts are kept.",
			passages: []string{"«Receipts» are kept."}, want: ledger.Supported, best: 0},
		"Arabic": {claim: "تقدم خلال 30 يوما.",
			passages: []string{"تقدم خلال «30» يوما."}, want: ledger.Weak, best: 0},
		"another passage is sure": {claim: "The allowance is 75 rials.",
			passages: []string{"The allowance is «75» rials.", "The allowance is 75 rials."}, want: ledger.Supported, best: 1},
		"none of the passages is": {claim: "The allowance is 75 rials.",
			passages: []string{"The allowance is «75» rials.", "It is «75» rials."}, want: ledger.Weak, best: 0},
		"one of two figures is unsure": {claim: "It is 75 rials for 30 days.",
			passages: []string{"It is 75 rials for «30» days."}, want: ledger.Weak, best: 0},
	} {
		s := scannedSession(c.claim, ledger.Full, false, c.passages...)
		l := ledger.Assess(s, 24)
		e := l.Entries[0]
		require.Equal(t, c.want, e.Machine, name)
		require.Same(t, &s.Claims[0].Matches[c.best], e.Best, name)
		require.Equal(t, c.want == ledger.Weak, slices.Contains(e.Flags, ledger.DoubtfulReading), name)
		require.Equal(t, c.want == ledger.Weak, strings.Contains(e.Notes(), "read from a picture and are doubtful"), name)
	}
}

// TestContradictedByDoubtfulWords: a doubtful figure contradicts no claim, whoever says so. What was surely read does.
func TestContradictedByDoubtfulWords(t *testing.T) {
	for name, c := range map[string]struct {
		claim, passage string
		named          string // the conflict that the match names, "" for none
		want           ledger.Verdict
	}{
		"doubtful": {claim: "It is 75 rials.",
			passage: "It is «78» rials.", want: ledger.Weak},
		"and named": {claim: "It is 75 rials.",
			passage: "It is «78» rials.", named: "78", want: ledger.Weak},
		"its unit": {claim: "It is 75 rials.",
			passage: "It is 78 «rials».", named: "78", want: ledger.Weak},
		"another kind of figure": {claim: "It is 10 %.",
			passage: "It is «9010».", want: ledger.Weak},
		"a denial of the figure": {claim: "It is 75 rials.",
			passage: "It is not «75» rials.", want: ledger.Weak},
		"sure": {claim: "It is 75 rials.",
			passage: "It is 78 «rails».", want: ledger.Contradicted},
		"sure beside another": {claim: "It is 75 rials.",
			passage: "It is 78 rials for «30» days.", want: ledger.Contradicted},
		"named beside another": {claim: "It is 75 rials.",
			passage: "It is 78 rials, not «76».", named: "78 rials", want: ledger.Contradicted},
		"sure beside its own": {claim: "It is 75 rials.",
			passage: "It is 78 rials, once «75».", want: ledger.Weak},
		"no figure in the claim": {claim: "Receipts are kept.",
			passage: "Receipts are not kept «7» years.", want: ledger.Contradicted},
		"the figure is surely so": {claim: "It is 75 rials.",
			passage: "It is not 75 rials for «30» days.", want: ledger.Contradicted},
	} {
		s := scannedSession(c.claim, ledger.None, true, c.passage)
		if c.named != "" {
			s.Claims[0].Matches[0].Conflicts = []ledger.Conflict{{Kind: "number", Claim: "75", Evidence: c.named}}
			checks.Run(s, nil)
		}
		e := ledger.Assess(s, 24).Entries[0]
		require.Equal(t, c.want, e.Machine, name)
		require.Equal(t, c.want == ledger.Weak, slices.Contains(e.Flags, ledger.DoubtfulReading), name)
		require.Equal(t, c.want == ledger.Weak, strings.HasPrefix(e.Notes(), "Not compared:"), name)
		s.Run.Version, s.Claims[0].Judge = "12", "embedded"
		e = ledger.Assess(s, 24).Entries[0]
		require.Equal(t, c.want == ledger.Weak, e.JudgeProbability == nil, name)
		require.Empty(t, e.Tier, name)
	}
}

// TestDoubtfulWordsSettleNothing: beside a passage that was surely read, one with a doubtful figure changes nothing,
// and does not count as a conflict of sources.
func TestDoubtfulWordsSettleNothing(t *testing.T) {
	for _, contradicts := range []bool{false, true} {
		s := scannedSession("It is 75 rials.", ledger.Full, false, "It is «78» rials.", "It is 75 rials.")
		s.Claims[0].Matches[0].Support, s.Claims[0].Matches[0].Contradicts = ledger.None, true
		if contradicts {
			s.Claims[0].Matches[1].Support, s.Claims[0].Matches[1].Contradicts = ledger.None, true
		}
		checks.Run(s, nil)
		e := ledger.Assess(s, 24).Entries[0]
		want := ledger.Supported
		if contradicts {
			want = ledger.Contradicted
		}
		require.Equal(t, want, e.Machine)
		require.Same(t, &s.Claims[0].Matches[1], e.Best)
		require.NotContains(t, e.Flags, ledger.ConflictingSources)
		require.NotContains(t, e.Flags, ledger.DoubtfulReading)
	}
}

// TestNoFigureOnDoubtfulWordsDecides is rule L-39 as a property: whatever the figures of a claim and its passages, and
// whatever a judge says of them, if every word of the passages is doubtful, the claim is neither supported nor
// contradicted.
func TestNoFigureOnDoubtfulWordsDecides(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 40))
	forms := []string{"%d", "%d days", "%d %%", "OMR %d", "at most %d rials", "no more than %d kg", "%d.5 million",
		"Section %d", "1%d March 2024", "%d يوما", "من %d إلى 900", "٪%d", "%d:30", "-%d degrees"}
	for range 3_000 {
		form := forms[r.IntN(len(forms))]
		said := "The rule says " + fmt.Sprintf(form, 1+r.IntN(9)) + " for all."
		support, contradicts := ledger.Full, r.IntN(2) > 0
		if contradicts {
			support = ledger.None
		}
		passages := make([]string, 1+r.IntN(3))
		for i := range passages {
			passages[i] = "«The rule says " + fmt.Sprintf(form, 1+r.IntN(9)) + " for all.»"
		}
		e := ledger.Assess(scannedSession(said, support, contradicts, passages...), 24).Entries[0]
		require.Equal(t, ledger.Weak, e.Machine, "%s %v", said, passages)
		require.Contains(t, e.Flags, ledger.DoubtfulReading, "%s %v", said, passages)
	}
}

// TestAttachedScan: a passage that a person attaches is weighed as one that a judge found, and detaching it moves the
// others' ranks back.
func TestAttachedScan(t *testing.T) {
	s := scannedSession("It is 75 rials.", ledger.Full, false, "It is «75» rials.")
	s.Documents = append(s.Documents, ledger.Document{Key: "more", Position: 1, Status: ledger.Ready,
		Chunks: []ledger.Chunk{{Key: "c", Text: "It is 75 rials.", Scanned: true,
			Doubtful: []ledger.DoubtfulWord{{Start: 6, End: 8}}}}})
	ledger.Assess(s, 24)
	m := ledger.Match{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 1, Support: ledger.Full, Snippet: "It is 75 rials.",
		Quote:    text.Placement{Kind: text.Exact, Span: text.Span{End: 15}},
		Attached: &ledger.Attached{Actor: "Sam", By: "sam", At: time.Unix(1, 0)}}
	change, err := s.Attach(0, m, time.Unix(2, 0))
	require.NoError(t, err)
	require.Equal(t, ledger.Weak, change.To)
	require.Equal(t, []int{0, 1}, s.Claims[0].Checks.Doubtful)
	_, _, err = s.Detach(0, m.Chunk, m.Quote.Span, "sam", time.Unix(3, 0))
	require.NoError(t, err)
	require.Equal(t, []int{0}, s.Claims[0].Checks.Doubtful)
}

// TestDoubtfulWordsStayAtTheirPlace: however a document is cut into chunks, each doubtful word is where it was, and
// what was read from a picture is in no chunk with what was not.
func TestDoubtfulWordsStayAtTheirPlace(t *testing.T) {
	long := strings.Repeat("Some words of a page that was scanned. ", 60) + "It is 75.250 rials."
	at := text.Len(long) - text.Len("75.250 rials.")
	blocks := []ledger.Block{
		{Text: "Typed.", Page: 1, Span: text.Span{End: 6}},
		{Text: "  First doubt.", Page: 1, Scanned: true, Span: text.Span{Start: 8, End: 22},
			Doubtful: []ledger.DoubtfulWord{{Start: 8, End: 13, Confidence: 4}}},
		{Text: long, Page: 1, Scanned: true, Span: text.Span{Start: 24, End: 24 + text.Len(long)},
			Doubtful: []ledger.DoubtfulWord{{Start: at, End: at + 6, Confidence: 7}}},
	}
	for _, limit := range []int{0, 60, 200} {
		var got []string
		for _, c := range ledger.ChunkBlocks(blocks, limit) {
			require.Equal(t, c.Text != "Typed.", c.Scanned)
			for _, w := range c.Doubtful {
				got = append(got, fmt.Sprint(text.Slice(c.Text, text.Span{Start: w.Start, End: w.End}), w.Confidence))
			}
		}
		require.Equal(t, []string{"doubt4", "75.2507"}, got, "%d", limit)
	}
}

func TestRemarksFollowOneFullStop(t *testing.T) {
	require.Equal(t, "The source says 12. Look at the page.", ledger.WithRemark("The source says 12.", "Look at the page."))
	require.Equal(t, "Supported by \"a\". Look at the page.", ledger.WithRemark("Supported by \"a\"", "Look at the page."))
}
