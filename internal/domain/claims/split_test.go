package claims_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
)

// Each sentence is one claim: of these, found on real claim sentences and answers, some were once cut or passed over.
func TestClaimsKeepsSentencesWhole(t *testing.T) {
	for _, s := range []string{
		"The case Acme Glass, Inc. v. Miller was decided in 1991",
		"In a cash draw, tickets are sold at the door, and half of the proceeds go to the winner",
		"The fifth step is to watch cost, performance, and safety to ensure that the plant is well run",
		"Her first single was called \"Who?\"",
		"He is an actor",
		"اعتذر الوزير للشعب بسبب التأخر في إنجاز المشروع",
	} {
		got := claims.Of(s + ".")
		require.Len(t, got, 1, s)
		require.Equal(t, s, got[0].Text)
	}
	require.Empty(t, claims.Of("أعتذر عن التأخير."), "who apologises states nothing")
	require.Len(t, claims.Of("Staff have 15 days of leave a year, and interns have 5 days of leave a year."), 2)
}
