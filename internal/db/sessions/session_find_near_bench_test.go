package sessions_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// BenchmarkFindNear searches 100,000 claims for words that nothing has, first exactly and then for words like them, and
// for one with a wrong letter.
func BenchmarkFindNear(b *testing.B) {
	h := dbtest.New(b)
	for done := 0; done < 100_000; done += 200 {
		s := dbtest.SizedSession(200)
		for i := range s.Claims {
			s.Claims[i].Text = fmt.Sprintf("%s Rule%d of chapter%d.", s.Claims[i].Text, done+i, i%10)
		}
		h.AddSession(b, s)
	}
	for name, query := range map[string]string{"absent": "nothingfitsthis",
		"four":     "abcdefghijklmnopqrst bcdefghijklmnopqrstu cdefghijklmnopqrstuv defghijklmnopqrstuvw",
		"misspelt": "emplyees leave", "arabic": "مستشفايات الموظغين"} {
		for _, near := range []text.Nearness{text.SameWords, text.BegunWord, text.NearWords} {
			b.Run(fmt.Sprintf("%s/near=%d", name, near), func(b *testing.B) {
				took := make([]time.Duration, 0, 1000)
				for b.Loop() {
					at := time.Now()
					_, _, err := h.FindGroups(context.Background(), h.Actor,
						ledger.FindQuery{Text: query, Limit: 5, Near: near})
					require.NoError(b, err)
					took = append(took, time.Since(at))
				}
				b.ReportMetric(float64(median(took).Microseconds()), "p50-us")
			})
		}
	}
}
