package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// Every spelling with one wrong letter finds its word, wherever the letter is, alone and beside words that occur.
func TestFindEverySpelling(t *testing.T) {
	h := dbtest.New(t)
	s := dbtest.FullSession()
	s.Claims[0].Text = "Riyadh: the hospital in the north has parking."
	s.Claims[1].Text = "يستعلم الموظف عن المستشفى."
	h.AddSession(t, s)
	found := func(q string) int {
		return len(h.FindAll(t, h.Actor, ledger.FindQuery{Text: q, Kind: ledger.FindClaims, Near: text.NearWords}, 10))
	}
	for _, word := range []string{"riyadh", "parking"} {
		r := []rune(word)
		for i := range r {
			cut := string(r[:i])
			wrong := []string{cut + string(r[i+1:]), cut + "q" + string(r[i+1:]), cut + "q" + string(r[i:]), word + "q"}
			if i+1 < len(r) {
				wrong = append(wrong, cut+string(r[i+1])+string(r[i])+string(r[i+2:]))
			}
			for _, w := range wrong {
				require.Equal(t, 1, found(w), w)
				require.Equal(t, 1, found("north "+w), w)
			}
		}
	}
	for _, q := range []string{"المستشفا", "المستسفى", "الموطف المستشفى"} {
		require.Equal(t, 1, found(q), q)
	}
	require.Zero(t, found("riqadq"))
	require.Zero(t, found("riqadh parqqing"))
}
