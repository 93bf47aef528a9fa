package webhook

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckTarget(t *testing.T) {
	own := prefixes("10.1.0.0/16", "::1/128")
	for address, want := range map[string][2]bool{ // with nothing allowed, and with the networks above allowed
		"https://hooks.example/x": {true, true}, "https://93.184.216.34/": {true, true},
		"https://[2606:4700::1111]:8443/": {true, true},
		"http://hooks.example/x":          {false, true}, "http://93.184.216.34/": {},
		"https://10.1.2.3/":     {false, true},
		"http://10.1.2.3:8080/": {false, true},
		"https://10.2.0.1/":     {}, "https://127.0.0.1/": {}, "https://[::ffff:127.0.0.1]/": {},
		"https://169.254.169.254/latest": {}, "https://0.0.0.0/": {},
		"https://localhost/": {false, true}, "https://Hooks.LocalHost./": {false, true},
		"http://[::1]/": {false, true}, "https://[fe80::1%25eth0]/": {},
		"https://localhost.example/": {true, true}, "ftp://hooks.example/": {}, "nonsense": {},
	} {
		for i, allowed := range [][]netip.Prefix{nil, own} {
			require.Equal(t, want[i], CheckTarget(address, allowed) == nil, "%s, allowed %v", address, allowed)
		}
	}
	err := CheckTarget("https://127.0.0.1/", nil)
	require.ErrorIs(t, err, ErrTarget)
	require.ErrorContains(t, err, "--webhook-allow")
	require.NotErrorIs(t, CheckTarget("nonsense", nil), ErrTarget)
	require.ErrorContains(t, CheckTarget("http://93.184.216.34/", own), "https://")
}

// The addresses next to a reserved network are public.
func TestPublicNeighbours(t *testing.T) {
	for _, a := range []string{"9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
		"172.32.0.0", "169.253.1.1", "223.255.255.255", "192.167.1.1", "2001:200::1", "2000::1", "3ffe::1"} {
		require.True(t, isPublic(netip.MustParseAddr(a)), a)
	}
}
