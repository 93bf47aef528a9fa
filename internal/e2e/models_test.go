package e2e

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/model"
)

// TestModelPagesAreAccessible checks the pages about judges and models, of which there are no pictures, in both languages
// and themes, wide and narrow: axe-core finds nothing, nothing scrolls sideways.
func TestModelPagesAreAccessible(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	e, err := a.store.AddModelEndpoint(context.Background(), a.actor, model.Endpoint{Name: "نموذج الجهة", Kind: model.OpenAI,
		URL: "https://models.example/v1", Model: "qwen3-32b", Price: model.Price{In: 2_500_000, Out: 10_000_000},
		Day: model.Budget{Tokens: 5_000_000, Cost: 20_000_000}, Parallel: 8, Timeout: model.DefaultTimeout, Redact: true}, "secret")
	require.NoError(t, err)
	b := open(t, a)
	for name, path := range map[string]string{
		"opinions": a.session("vendor-review.json") + "/opinions", "models-reviewed": "/dashboard/models?days=365",
		"judge": a.session("vendor-review.json") + "/judge", "judge-estimate": a.session("vendor-review.json") + "/judge?judge=" + e.ID,
		"models": "/admin/models", "model": "/admin/models/" + e.ID,
	} {
		for _, l := range looks() {
			b.look(path, l)
			b.accessible(l.name(name))
		}
	}
}
