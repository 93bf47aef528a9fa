package sessions_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// names lists the views of a page that a person sees, with who shares them.
func names(t *testing.T, h *dbtest.Fixture, who access.Actor, page string) (out []string) {
	t.Helper()
	list, err := h.SavedViews(context.Background(), who, page)
	require.NoError(t, err)
	for _, v := range list {
		out = append(out, fmt.Sprintf("%s %s ?%s own=%t shared=%t", v.Page, v.Name, v.Query, v.Own, v.Shared))
	}
	return out
}

func TestSavedViews(t *testing.T) {
	h := dbtest.New(t)
	ctx := context.Background()
	a, b := h.As("a").Actor, h.As("b").Actor
	_, other := h.NewTenant(t, "other")
	other.ID = "a" // the same person in another tenant
	save := func(who access.Actor, page, name, query string, shared bool) {
		require.NoError(t, h.SaveView(ctx, who, ledger.SavedView{Page: page, Name: name, Query: query, Shared: shared}))
	}
	save(a, "sessions", "Mine", "status=open", false)
	save(a, "sessions", " For   all ", "verdict=weak", true)
	save(a, "ledger", "Mine", "flagged=1", false)
	save(other, "sessions", "Elsewhere", "q=x", true)
	require.Equal(t, []string{"sessions For all ?verdict=weak own=true shared=true",
		"sessions Mine ?status=open own=true shared=false"}, names(t, h, a, "sessions"))
	require.Equal(t, []string{"sessions For all ?verdict=weak own=false shared=true"}, names(t, h, b, "sessions"))
	require.Len(t, names(t, h, a, ""), 3)
	require.Equal(t, []string{"sessions Elsewhere ?q=x own=true shared=true"}, names(t, h, other, ""))

	for _, name := range []string{"", "  ", "MINE", strings.Repeat("x", db.MaxViewName+1)} {
		err := h.SaveView(ctx, a, ledger.SavedView{Page: "sessions", Name: name})
		require.Equal(t, domain.Invalid, domain.KindOf(err), name)
	}
	list, err := h.SavedViews(ctx, a, "sessions")
	require.NoError(t, err)
	shared, mine := list[0].ID, list[1].ID
	for _, who := range []access.Actor{b, other} {
		for _, id := range []string{shared, mine, "x"} {
			require.Equal(t, domain.NotFound, domain.KindOf(h.ChangeView(ctx, who, id, "Theirs", true)))
			require.Equal(t, domain.NotFound, domain.KindOf(h.DeleteView(ctx, who, id, false)))
		}
	}
	require.Equal(t, domain.NotFound, domain.KindOf(h.DeleteView(ctx, b, mine, true)), "nobody sees what is not shared")
	require.Equal(t, domain.NotFound, domain.KindOf(h.DeleteView(ctx, other, shared, true)))
	require.Equal(t, domain.Invalid, domain.KindOf(h.ChangeView(ctx, a, mine, "for ALL", false)), "the name is taken")
	require.NoError(t, h.ChangeView(ctx, a, mine, "Renamed", true))
	require.NoError(t, h.ChangeView(ctx, a, mine, "renamed", false), "its own name is free")
	require.NoError(t, h.DeleteView(ctx, b, shared, true))
	require.Equal(t, []string{"sessions renamed ?status=open own=true shared=false"}, names(t, h, a, "sessions"))
	require.Equal(t, []string{"view.saved", "view.shared", "view.saved", "view.shared", "view.unshared",
		"view.unshared"}, h.Happened(t, 0))

	for i := len(names(t, h, a, "")); i < db.MaxSavedViews; i++ {
		save(a, "search", fmt.Sprintf("View %d", i), "", false)
	}
	require.Equal(t, domain.Invalid,
		domain.KindOf(h.SaveView(ctx, a, ledger.SavedView{Page: "search", Name: "One more"})))
}
