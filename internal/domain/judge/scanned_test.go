package judge

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/ledger/checks"
	"sanad/internal/domain/text"
)

// scannedForms are sentences with one figure, in which it may have been read wrong.
var scannedForms = []string{
	"The allowance of the driver is %d rials a month.", "The driver waits %d minutes at the eastern gate.",
	"The driver keeps %d %% of the fare of the night bus.", "The pump of the eastern gate weighs %d kg.",
	"The driver waits at most %d minutes at the eastern gate.", "The vault below the gate is kept at -%d degrees.",
	"The driver works more than %d hours in a week of the summer.", "The night bus leaves the eastern gate at %d:30.",
	"The contract of the driver ends on %d March 2024.", "The driver was hired by the eastern office in 20%d.",
	"Section %d of the contract is about the night bus.", "The night bus carries %d passengers to the eastern gate.",
	"يحصل السائق على بدل قدره %d ريالا في الشهر.", "ينتظر السائق %d دقيقة عند البوابة الشرقية.",
	"لا تتجاوز مدة انتظار السائق %d دقيقة عند البوابة.", "تبدأ الحافلة الليلية رحلتها في %d مارس 2024.",
	"تنقل الحافلة الليلية %d راكبا إلى البوابة الشرقية.", "يحتفظ السائق بنسبة %d%% من أجرة الحافلة الليلية.",
}

// scannedSource is a session with a claim and a passage that was read from a picture; its words with digits are
// doubtful.
func scannedSource(claim, passage string, doubtful bool) *ledger.Session {
	s := RowSession(Row{Claim: claim, Evidence: []Evidence{{Doc: "scan", Text: passage}}})
	s.Claims = []ledger.Claim{{Key: "1", Text: claim}}
	c := &s.Documents[0].Chunks[0]
	c.Scanned = true
	at := 0
	for _, w := range strings.SplitAfter(c.Text, " ") {
		if n := text.Len(strings.TrimRight(w, " .")); doubtful && strings.ContainsAny(w, "0123456789٠١٢٣٤٥٦٧٨٩") {
			c.Doubtful = append(c.Doubtful, ledger.DoubtfulWord{Start: at, End: at + n, Confidence: 40})
		}
		at += text.Len(w)
	}
	return s
}

// TestDoubtfulFiguresAreNotCompared is rule L-39 both ways: a figure that may have been read wrong makes no claim
// supported or contradicted, whatever it says and whatever a reader says. The claim is weak, with the flag. Where the
// figures were surely read, the same pairs are decided.
func TestDoubtfulFiguresAreNotCompared(t *testing.T) {
	balances := mustBalances(t)
	judges := map[string]Judge{
		"words":               NewLexical(),
		"a reader that finds": NewEmbeddedWith(sayingReader{supports: "the"}, balances),
		"one that denies":     NewEmbeddedWith(sayingReader{contradicts: "the"}, balances),
	}
	r := rand.New(rand.NewPCG(18, 39))
	digits := strings.NewReplacer("0", "٠", "1", "١", "2", "٢", "3", "٣", "4", "٤",
		"5", "٥", "6", "٦", "7", "٧", "8", "٨", "9", "٩")
	decided := map[ledger.Verdict]int{}
	for range 15 {
		for _, form := range scannedForms {
			read, is := 10+r.IntN(13), 10+r.IntN(13)
			claim, passage := fmt.Sprintf(form, is), fmt.Sprintf(form, read)
			if text.Script(form) == "ar" && r.IntN(2) > 0 {
				passage = digits.Replace(passage)
			}
			for name, j := range judges {
				for _, doubtful := range []bool{false, true} {
					s := scannedSource(claim, passage, doubtful)
					Run(s, j, time.Unix(0, 0))
					for _, m := range s.Claims[0].Matches {
						require.False(t, doubtful && (m.Contradicts || m.Support == ledger.Full), "%s: %s / %s", name, claim, passage)
					}
					checks.Run(s, nil)
					e := ledger.Assess(s, 24).Entries[0]
					if !doubtful {
						decided[e.Machine]++
						continue
					}
					said := fmt.Sprintf("%s: %s / %s: %s", name, claim, passage, e.Notes())
					require.Equal(t, ledger.Weak, e.Machine, said)
					require.Contains(t, e.Flags, ledger.DoubtfulReading, said)
					require.NotContains(t, e.Flags, ledger.Contradiction, said)
				}
			}
		}
	}
	require.Greater(t, decided[ledger.Supported], 20, "%v", decided)
	require.Greater(t, decided[ledger.Contradicted], 300, "%v", decided)
}
