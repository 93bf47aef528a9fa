package e2e

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// packPage is a page and the person who views it.
type packPage struct{ name, who, path string }

// packPages lists every page of packs in each of its states.
func (o *bureau) packPages(t *testing.T) []packPage {
	t.Helper()
	ctx := context.Background()
	signed := o.packs["dec_hospital_fit"]
	_, err := o.store.RequestExport(ctx, o.people["maryam"], signed, "pdf", "للعرض على لجنة المراجعة")
	require.NoError(t, err)
	old, _, err := o.store.Packs(ctx, o.tenant.ID, pack.Query{State: pack.Superseded, Limit: 5})
	require.NoError(t, err)
	require.Len(t, old, 1)
	pages := []packPage{
		{"packs", "yousef", "/packs"}, {"packs-none", "yousef", "/packs?q=nothingfitsthis"},
		{"pack-new", "yousef", "/packs/new"}, {"pack-new-of", "yousef", "/packs/new?decision=dec_tender_reply"},
		{"pack-new-has", "yousef", "/packs/new?decision=dec_hospital_fit"},
		{"pack-new-unknown", "yousef", "/packs/new?decision=none"},
		{"home-reviewer", "yousef", "/"}, {"home-approver", "sara", "/"},
		{"pack-signed", "sara", "/packs/" + signed}, {"pack-signed-viewer", "maryam", "/packs/" + signed},
		{"pack-parts", "sara", "/packs/" + signed + "/parts"},
		{"pack-review", "sara", "/packs/" + o.packs["dec_supplier_payment"]},
		{"pack-review-maker", "yousef", "/packs/" + o.packs["dec_supplier_payment"]},
		{"pack-returned", "yousef", "/packs/" + o.packs["dec_credit_limit"]},
		{"pack-superseded", "khalid", "/packs/" + old[0].PackID},
		{"pack-compare", "sara", "/packs/" + old[0].PackID + "/compare?with=" + old[0].SupersededBy},
		{"retention", "khalid", "/admin/retention"},
	}
	draft := o.broken(t)
	return append(pages, packPage{"pack-edit", "yousef", "/packs/" + draft + "/edit"},
		packPage{"pack-draft", "yousef", "/packs/" + draft})
}

// TestPackPagesAreAccessible checks every page of packs in both languages and themes, wide and narrow: axe-core finds
// nothing, nothing scrolls sideways, nothing violates the content security policy.
func TestPackPagesAreAccessible(t *testing.T) {
	t.Parallel()
	o := startBureau(t)
	pages := o.packPages(t)
	for _, l := range looks(t) {
		t.Run(l.name("packs"), func(t *testing.T) {
			b := open(t, o.app)
			for _, p := range pages {
				b.as(o, p.who)
				b.look(p.path, l)
				b.picture(l.name(p.name))
				b.accessible(l.name(p.name))
			}
		})
	}
}

func withQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}
