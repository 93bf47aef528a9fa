package auth_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/auth"
)

func TestSecretFormats(t *testing.T) {
	for _, c := range []struct {
		name, shape string
		make        func() string
	}{
		{"secret, 160 bits", `^[a-z2-7]{32}$`, auth.NewSecret},
		{"token", `^sanad_[a-z2-7]{32}$`, auth.NewToken},
		{"password, 138 bits", `^[a-hjkmnp-z2-9]{4}(-[a-hjkmnp-z2-9]{4}){6}$`, auth.RandomPassword},
		{"invitation link, 256 bits", `^[a-z2-7]{52}$`, auth.NewLink},
		{"recovery code, 140 bits", `^[a-z2-7]{4}(-[a-z2-7]{4}){6}$`, func() string { return auth.RecoveryCodes()[9] }},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := map[string]bool{}
			for range 2000 {
				s := c.make()
				require.Regexp(t, c.shape, s)
				require.False(t, seen[s], "never the same twice")
				seen[s] = true
			}
		})
	}
}

// Each character of a random password is equally likely: taking a byte modulo 31 would fail here.
func TestRandomPasswordIsUniform(t *testing.T) {
	const passwords = 20_000
	count := map[rune]int{}
	for range passwords {
		p := auth.RandomPassword()
		require.NoError(t, auth.CheckPassword(auth.NewPassword{Password: p, Login: "aisha"}))
		for _, r := range strings.ReplaceAll(p, "-", "") {
			count[r]++
		}
	}
	require.Len(t, count, 31)
	for r, n := range count { // the mean is 18,065, six deviations are 4.4 %
		require.InEpsilon(t, passwords*28.0/31, n, 0.045, "%c", r)
	}
}

func TestRecoveryCodes(t *testing.T) {
	codes := auth.RecoveryCodes()
	require.Len(t, codes, 10)
	hashes := map[string]bool{}
	for _, c := range codes {
		h := auth.HashRecovery(c)
		require.Regexp(t, `^[0-9a-f]{64}$`, h)
		hashes[h] = true
		plain := strings.ReplaceAll(c, "-", "")
		for _, typed := range []string{strings.ToUpper(c), plain, " " + c + "\n", strings.ReplaceAll(c, "-", " – "),
			strings.Join(strings.Split(plain, ""), "\u00a0"), "\u2067" + c + "\u2069"} {
			require.Equal(t, h, auth.HashRecovery(typed), "%q", typed)
		}
	}
	require.Len(t, hashes, 10)
	require.Equal(t, auth.HashRecovery("abcd-2345"), auth.HashRecovery("ABCD ٢٣٤٥"))
	require.NotEqual(t, auth.HashRecovery("abcd-2345"), auth.HashRecovery("abcd-2346"))
}
