package ledger

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// folded returns false or agrees with full case mapping: for every letter, alone and between others, and for texts of
// all kinds.
func TestFoldedEqualsFullCaseMapping(t *testing.T) {
	same := func(s string) bool {
		got, ok := folded(s)
		if ok && string(got) != string(foldedInContext(s)) {
			t.Fatalf("folded(%q) = %q, want %q", s, got, foldedInContext(s))
		}
		return ok
	}
	left := 0
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if !same(string(r)) || !same("aB"+string(r)+"\u0301 "+string(r)+"I\u0307") {
			left++
		}
	}
	require.Equal(t, 2, left, "sigma and the dotted I")
	alphabet := []rune("aAzZ \t\n\u0085\u00a0\ufeff\u2028\u200e0٣ابتةأ\u064bßẞÄÉéñĲǅΑΩασςώЖжﬀ\u0345\u0307\u0301iıIJjİΣK😀𐐀")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50_000 {
		s := make([]rune, rng.IntN(30))
		for i := range s {
			s[i] = alphabet[rng.IntN(len(alphabet))]
		}
		same(string(s))
	}
	require.False(t, same("a\xffb"), "invalid UTF-8 is left to foldedInContext")
}

func FuzzFolded(f *testing.F) {
	for _, s := range []string{"", " A\tb ", "ΟΔΟΣ ΣΑΣ.", "İI", "\ufeffيومًا\u0085", "a\xffb"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, ok := folded(s); ok {
			require.Equal(t, string(foldedInContext(s)), string(got))
		}
	})
}
