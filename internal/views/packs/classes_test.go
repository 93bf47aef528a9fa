package packs

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/views/ui"
	"sanad/internal/views/viewtest"
)

// Codes of classes stand with what they mean, in both languages.
func TestClassesInWords(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "one approver", "ar": "معتمِد واحد"} {
		c := viewtest.ChromeAt(lang, "/packs")
		require.Contains(t, viewtest.Html(t, ui.ClassInWords(&c, "A2")), want, lang)
		require.NotContains(t, viewtest.Html(t, ui.ClassInWords(&c, "")), "(")
		list := viewtest.Html(t, ui.PackList(&c, c.PackLines([]pack.Row{{PackID: "p", Title: "T", ApprovalClass: "A2"}})))
		require.Contains(t, list, want, lang)
		for _, code := range pack.ApprovalClasses {
			word := c.T("pk_class_" + code)
			require.NotEmpty(t, word)
			require.False(t, strings.HasPrefix(word, "pk_"), code)
		}
	}
}
