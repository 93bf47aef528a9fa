package ledger_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/everyfield"
)

// An unchanged claim of a revised answer keeps each field of Claim or is named here (rule L-31).
func TestRevisedAnswerKeepsEveryFieldOfAClaim(t *testing.T) {
	ofTheNewSession := map[string]string{
		"ID":        "each session stores its claims under new ids",
		"Position":  "the claim may stand elsewhere in the new answer",
		"Span":      "of the new answer",
		"Citations": "of the new answer",
		"Checks":    "made again from the new citations",
		"Replaces":  "claims of the old session",
	}
	var old ledger.Claim
	everyfield.Fill(&old, nil)
	before := &ledger.Session{Claims: []ledger.Claim{old}}
	kept := before.Revise(old.Text, []ledger.Claim{{Text: old.Text}}, time.Time{}).Session.Claims[0]
	was, is := reflect.ValueOf(old), reflect.ValueOf(kept)
	for i := range was.NumField() {
		name := was.Type().Field(i).Name
		t.Run(name, func(t *testing.T) {
			require.False(t, was.Field(i).IsZero(), "the test has no value for this field")
			if _, left := ofTheNewSession[name]; left {
				require.True(t, is.Field(i).IsZero(), "it is kept: take it off the list")
				return
			}
			require.False(t, is.Field(i).IsZero(), "keep it in Claim.keep, or name it here with the reason")
			want := was.Field(i).Interface()
			if reviews, ok := want.([]ledger.Review); ok { // stored under new ids
				for i := range reviews {
					reviews[i].ID, reviews[i].Into = "", nil // which names claims of the old session
				}
			}
			require.Equal(t, want, is.Field(i).Interface())
		})
	}
}
