package ui

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

var mayAdminister = May{Manage: true, ConfirmPurge: true, ConfirmErase: true}

// TestAdministrationHasFiveGroups checks that each page is in one group, and that a reader sees only what they may.
func TestAdministrationHasFiveGroups(t *testing.T) {
	groups, seen := mayAdminister.AdminGroups(), map[string]bool{}
	require.Len(t, groups, 5)
	for _, g := range groups {
		for _, p := range g.Pages {
			require.False(t, seen[p.Key] || seen[p.Href], p.Key)
			seen[p.Key], seen[p.Href] = true, true
		}
	}
	require.Len(t, seen, 2*15)
	require.Empty(t, May{Review: true}.AdminGroups())
	one := May{ConfirmErase: true}.AdminGroups()
	require.Len(t, one, 1)
	require.Equal(t, "/admin/erasures", one[0].Pages[0].Href)
	require.Len(t, one[0].Pages, 1)
}

// TestAdminNavMarksThePage checks that one link says "page" on every page, and that the group around it says "true".
func TestAdminNavMarksThePage(t *testing.T) {
	for _, lang := range []string{"en", "ar"} {
		c := NewChrome(ChromeInput{
			Lang: lang, Digits: "latn", URL: &url.URL{Path: "/admin/users"}, Now: time.Unix(0, 0), SignedIn: true,
			Role: access.Admin, May: mayAdminister,
		})
		for _, g := range mayAdminister.AdminGroups() {
			for _, p := range g.Pages {
				var b bytes.Buffer
				require.NoError(t, AdminNav(&c, p.Key).Render(t.Context(), &b))
				page := b.String()
				require.Equal(t, 1, strings.Count(page, `aria-current="page"`), p.Key)
				require.Contains(t, page, `<a href="`+p.Href+`" aria-current="page">`+c.T(p.Label), p.Key)
				require.Equal(t, len(g.Pages) > 1, strings.Contains(page, `<a href="`+g.Pages[0].Href+`" aria-current="true">`+c.T(g.Label)), p.Key)
				for _, other := range g.Pages {
					require.Contains(t, page, `href="`+other.Href+`"`, p.Key)
				}
				require.Equal(t, 5, strings.Count(strings.SplitN(page, "</ul>", 2)[0], "<li>"), p.Key)
			}
		}
		require.False(t, slices.ContainsFunc(mayAdminister.AdminGroups(), func(g AdminGroup) bool { return c.T(g.Label) == g.Label }))
	}
}
