package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkedAnswers are sessions whose answers cite the wrong document and invent a quotation.
var checkedAnswers = map[string]string{
	"en": `{"format": "sanad.session/v1", "session": {"title": "Leave and travel", "lang": "en", "answer":
		"Full-time employees receive 30 days of annual leave for each year of service [2].\n\nThe policy says: ` +
		`\"Nobody may take a day off in summer without a doctor.\"\n\nFlights “may be booked in business class” only ` +
		`when they take longer than eight hours [2].\n\n## References\n\n[1] Leave policy\n[2] Travel policy\n"},
		"documents": [{"id": "leave", "title": "Leave policy", "filename": "leave.txt",
			"text": "Full-time employees receive 30 days of annual leave for each year of service."},
		{"id": "travel", "title": "Travel policy", "filename": "travel.txt",
			"text": "Flights that take longer than eight hours may be booked in business class."}]}`,
	"ar": `{"format": "sanad.session/v1", "session": {"title": "الإجازات والسفر", "lang": "ar", "answer":
		"يستحق الموظف المتفرغ إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة [٢].\n\nتقول اللائحة: ` +
		`«لا يجوز لأحد أن يأخذ يوماً في الصيف دون طبيب.»\n\n«يجوز الحجز في درجة الأعمال» إذا زادت الرحلة على ثماني ساعات [٢].` +
		`\n\n## المراجع\n\n[١] لائحة الإجازات\n[٢] لائحة السفر\n"},
		"documents": [{"id": "leave", "title": "لائحة الإجازات", "filename": "leave.txt",
			"text": "يستحق الموظف المتفرغ إجازة سنوية مدتها ثلاثون يوماً عن كل سنة خدمة."},
		{"id": "travel", "title": "لائحة السفر", "filename": "travel.txt",
			"text": "يجوز الحجز في درجة الأعمال إذا زادت الرحلة على ثماني ساعات."}]}`,
}

// TestChecksAreShown checks the marks of wrong citations and invented quotations in the list, its filters, and the
// claims' pages, in both languages, wide and narrow: axe-core finds nothing, nothing scrolls sideways.
func TestChecksAreShown(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	for lang, content := range checkedAnswers {
		file := filepath.Join(t.TempDir(), lang+".json")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		at := a.upload(t, file)
		for _, width := range []int64{1280, 360} {
			for page, path := range map[string]string{
				"list": "?", "filtered": "?quotation=not_found&", "cited": "/claims/1?", "quoted": "/claims/2?",
				"both": "/claims/3?", "pane": "?claim=1&",
			} {
				id := fmt.Sprintf("checks-%s-%s-%d", page, lang, width)
				b.width(width)
				b.visit(at + path + "theme=light&lang=" + lang)
				b.picture(id)
				b.accessible(id)
				switch page {
				case "list":
					require.Equal(t, 2, eval[int](b, `document.querySelectorAll(".mark-check:not(.quiet)").length`), id)
					require.Positive(t, eval[int](b, `document.querySelectorAll(".mark-check.quiet").length`), id)
				case "filtered":
					require.Equal(t, 1, eval[int](b, `document.querySelectorAll("tr.row").length`), id)
				case "both":
					require.Equal(t, 2, eval[int](b, `document.querySelectorAll(".outcome.v-supported").length`), id)
				case "cited", "quoted":
					require.Equal(t, 1, eval[int](b, `document.querySelectorAll(".outcome.v-contradicted").length`), id)
				}
			}
		}
	}
}
