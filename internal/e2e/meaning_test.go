package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// comparedAnswers say, of one policy each, the opposite, an equal quantity in other words, and something it lacks.
var comparedAnswers = map[string]string{
	"en": `{"format": "sanad.session/v1", "session": {"title": "Travel", "lang": "en", "answer":
		"Travel by taxi is reimbursed. Claims are paid within two weeks of the request."},
		"documents": [{"id": "travel", "title": "Travel", "filename": "travel.txt", "text":
		"Trains are paid. Travel by taxi is not reimbursed.\n\nClaims are paid within 14 days of the request."}]}`,
	"ar": `{"format": "sanad.session/v1", "session": {"title": "السفر", "lang": "ar", "answer":
		"يجوز ترحيل الإجازة السنوية إلى العام التالي. تُصرف المستحقات خلال ٣٠ يومًا من تقديم الطلب."},
		"documents": [{"id": "travel", "title": "السفر", "filename": "travel.txt", "text":
		"لا يجوز ترحيل الإجازة السنوية إلى العام التالي.\n\nتُصرف المستحقات خلال ثلاثين يومًا من تقديم الطلب."}]}`,
}

// TestClaimBesideItsPassage checks rule WEB-12 in the browser: what conflicts is red, lined and numbered alike on both
// sides, and the plain sentence says it; in the pane, on the page without JavaScript, wide and narrow, in both
// languages.
func TestClaimBesideItsPassage(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b, plain := open(t, a), open(t, a)
	plain.withoutScripts()
	why := map[string]string{"en": "“is not reimbursed”", "ar": "«لا يجوز»"}
	for lang, content := range comparedAnswers {
		file := filepath.Join(t.TempDir(), lang+".json")
		require.NoError(t, os.WriteFile(file, []byte(content), 0o600))
		at := a.upload(t, file)
		for _, width := range []int64{1280, 360} {
			b.width(width)
			b.visit(at + "?claim=1&theme=light&lang=" + lang)
			require.Contains(t, b.text("#pane .why-lead"), why[lang])
			require.Contains(t, why[lang], b.text("#pane .why-lead bdi"), "the words of the source are isolated")
			look := func(of string) string {
				return eval[string](b, `(() => {const e = document.querySelector("#pane `+of+` .d-conflict"),
					s = getComputedStyle(e), n = getComputedStyle(e, "::after");
					return [s.color, s.textDecorationLine, n.content].join(" ")})()`)
			}
			require.Equal(t, look(".claim-text"), look(".core"))
			require.Contains(t, look(".core"), `underline`)
			require.Contains(t, look(".core"), `"1"`)
			b.accessible("contrast-" + lang)
			b.visit(at + "?claim=2&theme=light&lang=" + lang)
			require.Equal(t, 2, eval[int](b, `document.querySelectorAll("#pane .d-equal[data-n='1']").length`))
		}
		plain.visit(at + "/claims/1?lang=" + lang)
		require.Contains(t, plain.text(".why-lead"), why[lang])
		require.NotEmpty(t, plain.text(".core .d-conflict strong"))
	}
}
