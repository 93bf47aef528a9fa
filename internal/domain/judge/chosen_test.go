package judge

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// judgedByChosen judges a claim with a reader of the operator's choice.
func judgedByChosen(t *testing.T, r Reader, b *Balances, claim string, evidence ...string) []ledger.Match {
	t.Helper()
	row := Row{Claim: claim}
	for i, e := range evidence {
		row.Evidence = append(row.Evidence, Evidence{Doc: fmt.Sprint(i), Text: e})
	}
	matches, err := NewChosen(r, b).Judge(&ledger.Claim{Text: claim}, NewIndex(RowSession(row)))
	require.NoError(t, err)
	return matches
}

const (
	arabicLeave  = "يستحق الموظف إجازة سنوية مدتها 30 يومًا."
	englishLeave = "Employees get 30 days off each year."
)

func TestChosenReaderIsWeakUntilCalibrated(t *testing.T) {
	for name, c := range map[string]struct {
		reader   sayingReader
		evidence string
		note     string
	}{
		"supports":    {sayingReader{supports: "telecommute"}, "On two days a week employees are free to telecommute.", "note_reader_supports"},
		"contradicts": {sayingReader{contradicts: "office"}, "Staff have to be in the office every day of the week.", "note_reader_contradicts"},
		"across":      {sayingReader{supports: "إجازة"}, arabicLeave, "note_reader_supports"},
	} {
		t.Run(name, func(t *testing.T) {
			matches := judgedByChosen(t, c.reader, nil, "Staff can work from home two days a week.", c.evidence)
			require.Len(t, matches, 1)
			assert.Equal(t, c.note, matches[0].NoteSaid.ID)
			assert.Equal(t, ledger.Weak, ledger.DecideVerdict(matches).Verdict)
		})
	}
	words := judgedByChosen(t, sayingReader{}, nil, englishLeave, englishLeave)
	assert.Equal(t, ledger.Supported, ledger.DecideVerdict(words).Verdict, "a sentence that is the claim is no word of the reader")
	assert.Equal(t, "none", NewChosen(sayingReader{}, nil).Parameters()["calibration"])
}

func TestCalibratedReaderJudgesAcrossLanguages(t *testing.T) {
	b, err := ReadBalances([]byte(readerOnly))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		reader          sayingReader
		claim, evidence string
		want            ledger.Verdict
	}{
		"English over Arabic": {reader: sayingReader{supports: "إجازة"}, claim: englishLeave, evidence: arabicLeave, want: ledger.Supported},
		"Arabic over English": {reader: sayingReader{supports: "days"}, claim: arabicLeave, evidence: englishLeave, want: ledger.Supported},
		"against":             {reader: sayingReader{contradicts: "إجازة"}, claim: englishLeave, evidence: arabicLeave, want: ledger.Contradicted},
		"another number":      {reader: sayingReader{supports: "إجازة"}, claim: strings.Replace(englishLeave, "30", "25", 1), evidence: arabicLeave, want: ledger.Weak},
		"Arabic digits":       {reader: sayingReader{supports: "إجازة"}, claim: englishLeave, evidence: strings.Replace(arabicLeave, "30", "٣٠", 1), want: ledger.Supported},
		"French over French":  {reader: sayingReader{supports: "congés"}, claim: "Les salariés ont des vacances dans la loi.", evidence: "Les congés sont pour les salariés avec la loi.", want: ledger.Supported},
		"an unknown word":     {reader: sayingReader{supports: "إجازة", unknown: []string{"Employees"}}, claim: englishLeave, evidence: arabicLeave, want: ledger.Weak},
	} {
		t.Run(name, func(t *testing.T) {
			matches := judgedByChosen(t, c.reader, b, c.claim, c.evidence)
			require.NotEmpty(t, matches)
			assert.Equal(t, c.want, ledger.DecideVerdict(matches).Verdict, matches[0].Note)
			assert.Equal(t, c.evidence, matches[0].Snippet)
			assert.Empty(t, matches[0].Missing, "words of two languages are not compared")
		})
	}
	_, err = NewChosen(sayingReader{err: &LongError{Claim: true}}, b).Judge(&ledger.Claim{Text: englishLeave},
		NewIndex(RowSession(Row{Evidence: []Evidence{{Text: arabicLeave}}})))
	assert.Equal(t, "note_claim_tokens", Cause(err).ID)
}

// TestWindowsAcross holds that documents in another script than the claim take turns within the bound of windows.
func TestWindowsAcross(t *testing.T) {
	long := strings.Repeat("تُقدَّم الطلبات إلى الإدارة المختصة في الموعد المحدد لها. ", 60)
	row := Row{Evidence: []Evidence{
		{Doc: "0", Text: strings.Repeat("Leave is granted to employees on request. ", 60)},
		{Doc: "1", Text: long}, {Doc: "2", Text: arabicLeave}, {Doc: "3", Text: long},
	}}
	of := func(claim string) (documents map[int]int) {
		documents = map[int]int{}
		windows := NewSources(RowSession(row)).WindowsAcross(claim)
		assert.Len(t, windows, MostWindows, claim)
		for _, w := range windows {
			documents[w.Ref.Document]++
		}
		return documents
	}
	assert.Equal(t, map[int]int{0: 4, 1: 2, 2: 1, 3: 1}, of("Employees get leave."))
	nothing := of("Zyxlon qwandel.")
	assert.Len(t, nothing, 4, "where no source shares a word, all are read")
	assert.Equal(t, 1, nothing[2])
}

// labelledRows are rows of a reader that is right in most of them.
func labelledRows(n int) (rows []Labelled) {
	for i := range n {
		x := float64(i%10) - 4.5
		v := []ledger.Verdict{ledger.Supported, ledger.Contradicted, ledger.NotFound}[i%3]
		l := Labelled{Verdict: v, Group: fmt.Sprint(i / 4), Supports: -3 - x/4, Contrary: -3 + x/4}
		switch {
		case v == ledger.Supported && i%5 > 0:
			l.Supports, l.Contrary = 8+x, -9
		case v == ledger.Contradicted && i%5 > 0:
			l.Supports, l.Contrary = -9, 8+x
		}
		rows = append(rows, l)
	}
	return rows
}

func TestCalibrate(t *testing.T) {
	found, err := Calibrate("abc", labelledRows(300))
	require.NoError(t, err)
	assert.Equal(t, []int{300, 100, 100, 100}, []int{found.Rows, found.Supported, found.Contradicted, found.Neither})
	assert.Less(t, found.ErrorAfter, 0.05)
	assert.Greater(t, found.RightAfter, 0.8)
	assert.Positive(t, found.Shown)
	b, err := ReadBalances(found.Balances)
	require.NoError(t, err)
	assert.Equal(t, "abc", b.Reader)
	p, q := b.Document.of(&Labelled{Supports: 8, Contrary: -9})
	assert.Greater(t, p, 0.9)
	assert.Less(t, q, 0.2)
	again, err := Calibrate("abc", labelledRows(300))
	require.NoError(t, err)
	assert.Equal(t, found, again)

	two := labelledRows(300)
	for i := range two {
		two[i].Contrary = -1e4
	}
	found, err = Calibrate("abc", two)
	require.NoError(t, err)
	assert.Equal(t, 200, found.Neither, "a reader of two classes contradicts nothing")
	b, err = ReadBalances(found.Balances)
	require.NoError(t, err)
	_, q = b.Document.of(&Labelled{Supports: -3, Contrary: -1e4})
	assert.Less(t, q, 1e-9)
}

func TestCalibrateRefuses(t *testing.T) {
	one, opposite := labelledRows(300), labelledRows(300)
	for i := range one {
		one[i].Group = "one"
		opposite[i].Supports = -opposite[i].Supports
	}
	for id, rows := range map[string][]Labelled{
		"refused_reader_rows": labelledRows(80), "refused_reader_groups": one, "refused_reader_opposite": opposite,
	} {
		_, err := Calibrate("abc", rows)
		var refused *domain.Error
		if assert.ErrorAs(t, err, &refused, id) {
			assert.Equal(t, id, refused.Message.ID)
		}
	}
	_, err := Calibrate("abc", nil)
	assert.Error(t, err)
}

// TestPreferred takes the most that any window says.
func TestPreferred(t *testing.T) {
	x := NewIndex(RowSession(Row{Evidence: []Evidence{{Text: "مواقف الزوار خلف المبنى."}, {Text: arabicLeave}}}))
	l, found, err := NewChosen(sayingReader{supports: "إجازة", contradicts: "الزوار"}, nil).In(context.Background()).Preferred(englishLeave, x)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, []float64{4, 4}, []float64{l.Supports, l.Contrary})
}
