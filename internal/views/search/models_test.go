package search

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/agreement"
	"sanad/internal/views/viewtest"
)

// A model none of whose claims has a verdict, or a review, is shown as that: not as one that is never wrong.
func TestModelsWithoutVerdicts(t *testing.T) {
	for lang, want := range map[string][]string{
		"en": {"2 claims in 1 session", "Wrong: no claim has a verdict yet",
			"Unjudged: 2 claims. No judge has given them a verdict; their sessions say why.",
			"People have settled none of these claims yet, so it is not known how often the verdicts are right."},
		"ar": {"إفادتان في جلسة واحدة", "خاطئة: لا حكم على أي إفادة بعد",
			"إفادتان بلا حكم: لم يحكم عليهما أي مُحكِّم، وسبب ذلك في جلستيهما.",
			"لم يحسم المراجعون أيًّا من هذه الإفادات بعد، فلا تُعرف نسبة صواب الأحكام."},
	} {
		var all agreement.Models
		all.AddSession(agreement.Model{Name: "m"})
		all.Add(agreement.Model{Name: "m"}, agreement.Count{Type: "fact", Lang: "en", Claims: 2})
		c := viewtest.ChromeAt(lang, "/dashboard/models")
		v := modelView(&c, &all.List()[0])
		require.Equal(t, want, slices.Concat(v.Says, v.Notes))
		require.NotContains(t, v.Parts[0].Wrong, "0")
	}
}
