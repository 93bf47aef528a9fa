package weights_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
)

// figureTally counts the verdicts on the pairs of one form.
type figureTally struct {
	yes, supported, contradicted, unjudged int // of the true ones
	no, wronglySupported                   int // of the false ones
	ambiguous, decided                     int // of those that two readings allow
}

// TestFiguresInPairs judges pairs of a claim and its source that were written from the specification by somebody who
// saw neither the code nor its tests. One in four is of a claim in English and a source in Arabic, which is judged only
// where each word has a translation in the judge's list.
func TestFiguresInPairs(t *testing.T) {
	f, err := os.Open("testdata/figure_pairs.jsonl")
	require.NoError(t, err)
	defer f.Close() //nolint:errcheck // only read
	j, forms, all := shipped().Judge(), map[string]*figureTally{}, &figureTally{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var pair struct {
			ID, Form, Lang, Claim, Source, Why string
			Truth                              any
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &pair))
		if forms[pair.Form] == nil {
			forms[pair.Form] = &figureTally{}
		}
		out := judge.JudgeRow(judge.Row{ID: pair.ID, Claim: pair.Claim, Lang: pair.Lang,
			Evidence: []judge.Evidence{{Doc: "d", Text: pair.Source}}}, j)
		verdict := ledger.Verdict("")
		if out.Verdict != nil {
			verdict = *out.Verdict
		}
		for _, n := range []*figureTally{forms[pair.Form], all} {
			n.add(pair.Truth, verdict)
		}
		if pair.Truth == false && verdict == ledger.Supported {
			t.Errorf("%s is supported: %s | %s (%s)", pair.ID, pair.Claim, pair.Source, pair.Why)
		}
	}
	for _, form := range slices.Sorted(maps.Keys(forms)) {
		forms[form].print(t, form)
	}
	all.print(t, "all")
	require.Zero(t, all.wronglySupported)
	require.Zero(t, all.decided, "pairs that two readings allow")
	require.LessOrEqual(t, 50*all.contradicted, all.yes, "at most 2 %% of the true ones are contradicted")
	require.GreaterOrEqual(t, 10*all.supported, 8*all.yes, "80 %% of the true ones are supported, in one language or in two")
}

// TestLimitsTurned: a limit that one side says as what is allowed and the other as what is prohibited is the same, and a
// time within a deadline is no other time. Another figure and the other side of a limit stay contradictions.
func TestLimitsTurned(t *testing.T) {
	j := shipped().Judge()
	for _, pair := range [][3]string{
		{"weak", "At most 200 litres of flammable liquids may be stored.", "The storage of more than 200 litres of flammable liquids is prohibited."},
		{"weak", "At least three guards must be on duty at night.", "Fewer than three guards on duty at night is not allowed."},
		{"weak", "يجوز تخزين 200 لتر بحد أقصى.", "لا يجوز تخزين أكثر من 200 لتر."},
		{"weak", "Cancelling an appointment two days before costs nothing.", "An appointment can be cancelled free of charge until 24 hours before it."},
		{"weak", "يمكن إلغاء الموعد مجانًا قبل يومين.", "يمكن إلغاء الموعد مجانًا حتى 24 ساعة قبل الموعد."},
		{"contradicted", "At most 300 litres of flammable liquids may be stored.", "The storage of more than 200 litres of flammable liquids is prohibited."},
		{"contradicted", "More than 200 litres of flammable liquids may be stored.", "The storage of more than 200 litres of flammable liquids is prohibited."},
		{"contradicted", "At most three guards may be on duty at night.", "Fewer than three guards on duty at night is not allowed."},
		{"contradicted", "يجوز تخزين 300 لتر بحد أقصى.", "لا يجوز تخزين أكثر من 200 لتر."},
		{"contradicted", "يجوز تخزين أكثر من 200 لتر من السوائل.", "لا يجوز تخزين أكثر من 200 لتر من السوائل."},
		{"contradicted", "An appointment can be cancelled free of charge 12 hours before it.", "An appointment can be cancelled free of charge until 24 hours before it."},
		{"contradicted", "The appointment must be cancelled two days before it.", "An appointment can be cancelled free of charge until 24 hours before it."},
	} {
		out := judge.JudgeRow(judge.Row{Claim: pair[1], Evidence: []judge.Evidence{{Doc: "d", Text: pair[2]}}}, j)
		require.NotNil(t, out.Verdict, pair[1])
		require.Equal(t, pair[0], string(*out.Verdict), "%s | %s | %s", pair[1], pair[2], out.Notes)
	}
}

func (n *figureTally) add(truth any, v ledger.Verdict) {
	one := func(to *int, yes bool) {
		if yes {
			*to++
		}
	}
	switch truth {
	case true:
		n.yes++
		one(&n.supported, v == ledger.Supported)
		one(&n.contradicted, v == ledger.Contradicted)
		one(&n.unjudged, v == "")
	case false:
		n.no++
		one(&n.wronglySupported, v == ledger.Supported)
	default:
		n.ambiguous++
		one(&n.decided, v == ledger.Supported || v == ledger.Contradicted)
	}
}

func (n *figureTally) print(t *testing.T, form string) {
	t.Logf("%-11s true %3d: supported %3d, contradicted %d, not judged %2d; false %3d: supported %d; two readings %2d: decided %d",
		form, n.yes, n.supported, n.contradicted, n.unjudged, n.no, n.wronglySupported, n.ambiguous, n.decided)
}
