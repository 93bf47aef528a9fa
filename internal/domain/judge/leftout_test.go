package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
)

// TestHiddenTextIsNotContradictedLoosely: a claim that only hidden text says is contradicted by a sentence that has the
// rest of it and a difference that can be named, and by no other, whatever a reader makes of it. Without the hidden
// text the reader's word stands.
func TestHiddenTextIsNotContradictedLoosely(t *testing.T) {
	for _, c := range []struct {
		name, claim, visible, hidden string
		want                         bool
	}{
		{name: "loose", claim: "The supplier delivers on weekends.", visible: "The supplier delivers within 14 days.",
			hidden: "The supplier delivers on weekends."},
		{name: "loose, a word negates", claim: "Group visits are not allowed.", visible: "Contact us for group visits.",
			hidden: "Group visits are not allowed."},
		{name: "another figure", claim: "The annual fee is 900 dirhams.", visible: "The annual fee is 500 dirhams.",
			hidden: "The annual fee is 900 dirhams.", want: true},
		{name: "نفي", claim: "لا يجوز دخول القاعة ليلًا.", visible: "يجوز دخول القاعة ليلًا.",
			hidden: "لا يجوز دخول القاعة ليلًا.", want: true},
		{name: "nothing hidden", claim: "The supplier delivers on weekends.", visible: "The supplier delivers within 14 days.",
			want: true},
		{name: "something else hidden", claim: "The supplier delivers on weekends.",
			visible: "The supplier delivers within 14 days.", hidden: "Printed in Muscat.", want: true},
	} {
		s := RowSession(Row{Evidence: []Evidence{{Doc: "a", Text: c.visible}}})
		if c.hidden != "" {
			s.Documents[0].LeftOut = []ledger.LeftOut{{Kind: ledger.Hidden, How: "style", Text: c.hidden}}
		}
		s.Claims = []ledger.Claim{{Text: c.claim}}
		e := NewEmbeddedWith(sayingReader{contradicts: "e"}, mustBalances(t))
		matches, err := e.Judge(&s.Claims[0], NewIndex(s))
		require.NoError(t, err)
		contradicted := len(matches) > 0 && matches[0].Contradicts
		require.Equal(t, c.want, contradicted, c.name)
	}
}
