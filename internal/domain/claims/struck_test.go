package claims_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/claims"
)

// TestStruckTextIsNoClaim holds that an answer does not claim what it strikes out.
func TestStruckTextIsNoClaim(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string][]string{
		"The tour takes ~~90~~ 75 minutes.":                            {"The tour takes 75 minutes"},
		"The tour takes <del>90</del> 75 minutes.":                     {"The tour takes 75 minutes"},
		"~~The tour is free.~~ The tour takes 75 minutes.":             {"The tour takes 75 minutes"},
		"- ~~The tour is free for members.~~\n- The tour is long now.": {"The tour is long now"},
		"The tour takes ~75 minutes and costs ~20 euros.":              {"The tour takes ~75 minutes and costs ~20 euros"},
		"الجولة ~~تسعون~~ خمس وسبعون دقيقة.":                           {"الجولة خمس وسبعون دقيقة"},
	} {
		var got []string
		for _, c := range claims.Of(answer) {
			got = append(got, c.Text)
		}
		require.Equal(t, want, got, answer)
	}
}
