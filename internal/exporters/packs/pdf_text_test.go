package packs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/domain/text"
	"sanad/internal/exporters/prose"
	"sanad/internal/exporters/typeset"
)

// TestSentencesWithoutSourceAreMarked holds which sentences of a memo have the mark: those that name no source and are
// not the program's own, whole.
func TestSentencesWithoutSourceAreMarked(t *testing.T) {
	t.Parallel()
	d := fixtures["payment"](t)
	p := pdfWriter{language: languages[0], d: d}
	draft := pack.DraftMemo(&d.Content)
	own := ""
	for _, b := range prose.Blocks(prose.MemoParser(), draft.BodyEN) {
		for _, item := range b.Items {
			for _, s := range sentencesOf(prose.PlainText(item)) {
				if own == "" && len(pack.Unsourced(s, nil)) > 0 && text.Len(s) > 60 {
					own = s
				}
			}
		}
	}
	require.NotEmpty(t, own, "the draft has a sentence of its own")
	half := strings.TrimSpace(own[:len(own)/2])
	for said, want := range map[string]string{
		"The supplier was paid twice.":      "The supplier was paid twice.°",
		"The supplier was paid twice (T2).": "The supplier was paid twice (T2).",
		"The supplier was paid twice. [E1]": "The supplier was paid twice. [E1]",
		"What the supplier was paid:":       "What the supplier was paid:",
		"Was the supplier paid twice?":      "Was the supplier paid twice?",
		"Paid twice.":                       "Paid twice.",
		own:                                 own,
		half:                                half + pack.NoSource,
		"صُرف المبلغ للمورد مرتين. كما في المصدر E2.": "صُرف المبلغ للمورد مرتين.° كما في المصدر E2.",
	} {
		require.Equal(t, want, prose.PlainText(p.unsourced(typeset.Text(said))), said)
	}
}
