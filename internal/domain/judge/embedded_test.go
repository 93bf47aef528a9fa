package judge

import (
	"cmp"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// sayingReader says of each passage what a test wants, by a word in it.
type sayingReader struct {
	supports, contradicts string
	preference            float32 // for "supports", 4 if it is 0
	unknown               []string
	err                   error
}

func (r sayingReader) Digest() string                   { return "saying" }
func (r sayingReader) Unknown(string) ([]string, error) { return r.unknown, nil }

func (r sayingReader) Score(ctx context.Context, _ string, passages []string) ([]Logits, error) {
	out := make([]Logits, len(passages))
	for i, p := range passages {
		switch {
		case r.supports != "" && strings.Contains(p, r.supports):
			out[i].Supports = cmp.Or(r.preference, 4)
		case r.contradicts != "" && strings.Contains(p, r.contradicts):
			out[i].Contradicts = 4
		default:
			out[i].Neither = 4
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return out, ctx.Err()
}

// readerOnly are balances that ask the reader alone.
const readerOnly = `{
 "document": {"support": {"parts": [{"figure": "reads_support", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]},
  "conflict": {"parts": [{"figure": "reads_conflict", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]}},
 "sentence": {"support": {"parts": [{"figure": "reads_support", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]},
  "conflict": {"parts": [{"figure": "reads_conflict", "weight": 1}], "curve": [[-4, 0.01], [4, 0.95]]}}}`

func judgedWith(t *testing.T, r Reader, claim string, evidence ...string) (*ledger.Claim, []ledger.Match, error) {
	t.Helper()
	b, err := ReadBalances([]byte(readerOnly))
	require.NoError(t, err)
	row := Row{Claim: claim}
	for _, e := range evidence {
		row.Evidence = append(row.Evidence, Evidence{Doc: e, Text: e})
	}
	c := &ledger.Claim{Text: claim}
	matches, err := NewEmbeddedWith(r, b).Judge(c, NewIndex(RowSession(row)))
	return c, matches, err
}

func TestEmbeddedReads(t *testing.T) {
	const claim = "Staff can work from home two days a week."
	const reworded = "On two days a week employees are free to telecommute."
	t.Run("in other words", func(t *testing.T) {
		_, matches, err := judgedWith(t, sayingReader{supports: "telecommute"}, claim, reworded)
		require.NoError(t, err)
		require.Len(t, matches, 1)
		assert.Equal(t, ledger.Full, matches[0].Support)
		assert.InDelta(t, 0.95, matches[0].Similarity, 1e-9)
		assert.Equal(t, "note_same_meaning", matches[0].NoteSaid.ID)
		assert.Equal(t, reworded, matches[0].Snippet)
		said := matches[0].Features[0]
		assert.Equal(t, ReaderFeature, said.Name)
		assert.True(t, said.Value > 0.5 && said.Value < 1, "%v is shown as a share", said.Value)
	})
	t.Run("otherwise", func(t *testing.T) {
		_, matches, err := judgedWith(t, sayingReader{contradicts: "office"}, claim, "Staff have to be in the office every day of the week.")
		require.NoError(t, err)
		require.Len(t, matches, 1)
		assert.True(t, matches[0].Contradicts)
		assert.Equal(t, "note_otherwise", matches[0].NoteSaid.ID)
	})
	t.Run("one that supports more surely outweighs a contradiction", func(t *testing.T) {
		_, matches, err := judgedWith(t, sayingReader{supports: "telecommute", contradicts: "office"}, claim,
			claim, "Staff have to be in the office every day of the week.")
		require.NoError(t, err)
		require.NotEmpty(t, matches)
		assert.Equal(t, ledger.Full, matches[0].Support)
		for _, m := range matches {
			assert.False(t, m.Contradicts)
		}
	})
	t.Run("one that is likelier than not to support leaves no contradiction", func(t *testing.T) {
		r := sayingReader{supports: "telecommute", contradicts: "office", preference: 1.5}
		_, matches, err := judgedWith(t, r, claim, reworded, "Staff have to be in the office every day of the week.")
		require.NoError(t, err)
		require.NotEmpty(t, matches)
		for _, m := range matches {
			assert.Equal(t, ledger.Partial, m.Support)
			assert.False(t, m.Contradicts)
		}
	})
	t.Run("nothing", func(t *testing.T) {
		_, matches, err := judgedWith(t, sayingReader{}, claim, "Visitors park behind the house two days a week.")
		require.NoError(t, err)
		assert.Empty(t, matches)
	})
}

// TestAFullStopChangesNothing holds that the reader is shown a sentence, whether the claim ends like one or not.
func TestAFullStopChangesNothing(t *testing.T) {
	for claim, want := range map[string]string{
		"Staff can park here": "Staff can park here.", "Staff can park here. ": "Staff can park here.",
		"Parking costs 5 %": "Parking costs 5 %.", "Can staff park here?": "Can staff park here?",
		"يقف الموظفون هنا": "يقف الموظفون هنا.",
	} {
		assert.Equal(t, want, stopped(claim))
	}
	seen := map[string]bool{}
	for _, claim := range []string{"Staff can park behind the house", "Staff can park behind the house."} {
		_, _, err := judgedWith(t, hearingReader{seen}, claim, "Staff park behind the house.")
		require.NoError(t, err)
	}
	assert.Equal(t, map[string]bool{"Staff can park behind the house.": true}, seen)
}

// hearingReader notes the claims that it is asked about.
type hearingReader struct{ claims map[string]bool }

func (r hearingReader) Digest() string                   { return "hearing" }
func (r hearingReader) Unknown(string) ([]string, error) { return nil, nil }

func (r hearingReader) Score(_ context.Context, claim string, passages []string) ([]Logits, error) {
	r.claims[claim] = true
	return make([]Logits, len(passages)), nil
}

// TestAnotherFormIsNoOtherFigure holds that the reader's word alone makes no contradiction of a figure in another unit
// or in words.
func TestAnotherFormIsNoOtherFigure(t *testing.T) {
	for _, c := range []struct {
		claim, evidence string
		against         bool
	}{
		{"Reports reach the desk within one day.", "Reports reach the desk within 24 hours.", false},
		{"The break lasts half an hour.", "The break lasts 30 minutes.", false},
		{"The lease runs for a term of 18 months.", "The lease runs for a term of one and a half years.", false},
		{"The break lasts half an hour.", "The break lasts 45 minutes.", true},
		{"Reports reach the desk within two days.", "Reports reach the desk within 24 hours.", true},
		{"The break lasts 30 minutes.", "The break lasts 30 minutes.", false},
	} {
		_, matches, err := judgedWith(t, sayingReader{contradicts: " "}, c.claim, "It is so. "+c.evidence+" It is so.")
		require.NoError(t, err)
		against := false
		for _, m := range matches {
			against = against || m.Contradicts
		}
		assert.Equal(t, c.against, against, "%s | %s", c.claim, c.evidence)
	}
}

func TestEmbeddedBounds(t *testing.T) {
	const claim = "The Zyxlon adapter has four ports."
	t.Run("a word that the reader cannot see must stand in the source", func(t *testing.T) {
		r := sayingReader{supports: "ports", unknown: []string{"Zyxlon"}}
		_, matches, err := judgedWith(t, r, claim, "Four ports are on the Qwandel adapter, as its maker says.")
		require.NoError(t, err)
		require.Len(t, matches, 1)
		assert.Equal(t, ledger.Partial, matches[0].Support)
		assert.Equal(t, "note_unread_word", matches[0].NoteSaid.ID)
	})
	t.Run("a claim that is too long is unjudged with its cause", func(t *testing.T) {
		_, _, err := judgedWith(t, sayingReader{err: &LongError{Claim: true}}, claim, claim)
		assert.Equal(t, "note_claim_tokens", Cause(err).ID)
	})
	t.Run("a figure that there is not", func(t *testing.T) {
		_, err := ReadBalances([]byte(strings.ReplaceAll(readerOnly, "reads_support", "reads_tea_leaves")))
		assert.ErrorContains(t, err, "reads_tea_leaves")
	})
}

func TestEmbeddedWithoutReader(t *testing.T) {
	j := NewEmbedded(nil)
	assert.Equal(t, NewLexical().Name(), j.Name())
	assert.Equal(t, NewLexical().Version(), j.Version())
	assert.Equal(t, NewLexical().Parameters(), j.Parameters())
	other := NewEmbedded(sayingReader{})
	assert.Equal(t, NewLexical().Name(), other.Name(), "the shipped balances are of another reader")
	require.ErrorContains(t, CheckReader("saying"), "saying")
	require.NoError(t, CheckReader(balances().Reader))
	require.Equal(t, "reader_shipped", ledger.ReaderMessage(balances().Reader), "shippedReaders lacks it")
	with, err := ReadBalances([]byte(readerOnly))
	require.NoError(t, err)
	reading := NewEmbeddedWith(sayingReader{}, with)
	assert.Equal(t, "saying", reading.Parameters()["reader"])
	assert.Len(t, reading.Parameters()["calibration"], 64)
	row := Row{Claim: "يحصل الموظف على إجازة سنوية.", Evidence: []Evidence{{Text: "يحصل الموظف على إجازة سنوية."}}}
	assert.Equal(t, JudgeRow(row, NewLexical()), JudgeRow(row, reading), "the rules judge Arabic")
}

// TestDeniedWord holds that a sentence beside the one that has most of the claim may deny a word of it.
func TestDeniedWord(t *testing.T) {
	for _, c := range []struct {
		claim, evidence string
		denies          bool
	}{
		{"The owner agreed to a lift.", "The tenant asked the owner for a lift. The owner did not agree.", true},
		{"The ferry carries lorries to the island.", "The ferry to the island leaves at noon. It no longer carries lorries.", true},
		{"The clinic painted the wards.", "The clinic closed two wards in May. They were cleaned but not painted.", true},
		{"The owner agreed to a lift.", "The owner agreed to a lift. The neighbours did not agree.", false},
		{"The owner did not agree to a lift.", "The tenant asked for a lift. The owner did not agree.", false},
		{"The ferry carries lorries to the island.", "The ferry carries lorries to the island. It does not stop at night.", false},
	} {
		x := NewIndex(RowSession(Row{Claim: c.claim, Evidence: []Evidence{{Text: c.evidence}}}))
		readings, err := x.readAll(c.claim)
		require.NoError(t, err)
		require.NotEmpty(t, readings)
		r := &readings[0]
		for i := 1; i < len(r.sentences); i++ { // all of it is the window
			r.best = r.sentences[0]
			r.best = r.best.joined(&r.sentences[i])
		}
		assert.Equal(t, c.denies, r.deniesWord(), "%s | %s", c.claim, c.evidence)
	}
}
