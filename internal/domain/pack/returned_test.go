package pack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

func TestNotesOfAReturn(t *testing.T) {
	for name, x := range map[string]struct {
		reason, general string
		notes           []pack.ReturnNote
	}{
		"as all were once": {"Name the expiry date.\n\nAnd the bank.", "Name the expiry date.\n\nAnd the bank.", nil},
		"notes and more": {"Two things.\n\nmemo.body_en: Say which findings.\nIn one sentence.\n\nsources[2]: Too old.",
			"Two things.", []pack.ReturnNote{{Place: "memo.body_en", Text: "Say which findings.\nIn one sentence."},
				{Place: "sources[2]", Text: "Too old."}}},
		"a note alone":                {"statement:  Which amount?", "", []pack.ReturnNote{{Place: "statement", Text: "Which amount?"}}},
		"in the middle of a sentence": {"See memo.body_en: it is wrong.", "See memo.body_en: it is wrong.", nil},
		"unknown place":               {"memo.footer_en: x", "memo.footer_en: x", nil},
		"an empty note":               {"All of it.\n\nclaims:\n", "All of it.", []pack.ReturnNote{}},
	} {
		t.Run(name, func(t *testing.T) {
			general, notes := (&pack.Return{Reason: x.reason}).Notes()
			require.Equal(t, x.general, general)
			require.Equal(t, x.notes, notes)
		})
	}
}

func TestReturnReasonsAreReadBack(t *testing.T) {
	var all []pack.ReturnNote
	for _, place := range pack.ReturnPlaces {
		all = append(all, pack.ReturnNote{Place: place, Text: "About " + place + ".\n\nTwo paragraphs: the second."})
	}
	reason := pack.ReturnReasons(" General. ", append(all, pack.ReturnNote{Place: "claims", Text: " "},
		pack.ReturnNote{Place: "footer", Text: "nowhere"}))
	general, notes := (&pack.Return{Reason: reason}).Notes()
	require.Equal(t, "General.", general)
	require.Equal(t, all, notes)
}
