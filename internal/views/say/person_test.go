package say

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestInitials(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Noura Al-Harbi": "N\u200cA", "هدى السالم": "ه\u200cس", "sara": "S", "Ana María de la Cruz": "A\u200cC", "": "",
		"  ": "", "a@example.com": "A\u200cC", "R2-D2": "R\u200cD", "محمد بن سلمان آل سعود": "م\u200cس", "王 小明": "王\u200c小",
	} {
		for _, lang := range []string{"en", "ar"} {
			require.Equal(t, want, Initials(name, lang), name)
		}
	}
	const both = "Yousef Al Balushi · يوسف البلوشي"
	require.Equal(t, "Y\u200cB", Initials(both, "en"))
	require.Equal(t, "ي\u200cب", Initials(both, "ar"))
}
