package access_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

// Every action is in exactly one scope, and every scope has an action: else a narrowed token could do what nobody
// named.
func TestEveryActionHasAScope(t *testing.T) {
	used := map[access.Scope]bool{}
	for _, what := range access.Actions() {
		scope := access.ScopeOf(what)
		require.Contains(t, access.Scopes, scope, what)
		used[scope] = true
		for _, other := range access.Scopes {
			require.Equal(t, scope == other, access.InScope(access.Actor{Scopes: string(other)}, what), "%s, %s", what, other)
		}
		require.True(t, access.InScope(access.Actor{}, what), "no scopes are all")
	}
	require.Len(t, used, len(access.Scopes))
	require.False(t, access.InScope(access.Actor{Scopes: access.ScopeNames(access.Scopes)}, "an action of tomorrow"))
}

// Names are stored in tokens.
func TestStoredScopes(t *testing.T) {
	require.Equal(t, "read import review export sign account admin", access.ScopeNames(access.Scopes))
	require.Equal(t, access.Scopes, access.ParseScopes(access.ScopeNames(access.Scopes)))
	require.Nil(t, access.ParseScopes(""))
}

func TestCheckScopes(t *testing.T) {
	got, err := access.CheckScopes([]access.Scope{"import", "read", "import"})
	require.NoError(t, err)
	require.Equal(t, []access.Scope{access.ScopeRead, access.ScopeImport}, got)
	_, err = access.CheckScopes([]access.Scope{"read", "write"})
	require.ErrorContains(t, err, `"write"`)
}

func TestNetworks(t *testing.T) {
	got, err := access.ParseNetworks("10.1.2.3/8, 192.0.2.7\n2001:db8::/32 ::ffff:192.0.2.7")
	require.NoError(t, err)
	require.Equal(t, "10.0.0.0/8 192.0.2.7/32 2001:db8::/32", access.NetworkNames(got))
	for from, want := range map[string]bool{
		"10.255.0.1": true, "::ffff:10.0.0.1": true, "192.0.2.7": true, "2001:db8::1": true, "2001:db8::1%eth0": true,
		"11.0.0.1": false, "192.0.2.8": false, "2001:db9::1": false, "::1": false,
	} {
		require.Equal(t, want, access.MayComeFrom(got, netip.MustParseAddr(from)), from)
	}
	require.False(t, access.MayComeFrom(got, netip.Addr{}), "an address that is unknown")
	require.True(t, access.MayComeFrom(nil, netip.Addr{}))
	for name, text := range map[string]string{"a name": "hooks.example", "bits": "10.0.0.0/33", "zone": "fe80::1%eth0",
		"mapped": "::ffff:10.0.0.0/104", "too many": strings.Join(slices.Repeat([]string{"192.0.2.1"}, 21), " ")} {
		_, err := access.ParseNetworks(text)
		require.Error(t, err, name)
	}
}
