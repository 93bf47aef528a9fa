package webhooks

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestControl(t *testing.T) {
	var allowed []netip.Prefix
	for _, network := range []string{"10.1.0.0/16", "fd00::/8", "fe80::/10"} {
		allowed = append(allowed, netip.MustParsePrefix(network))
	}
	public, private := policy{allowed: allowed, public: true}, policy{allowed: allowed}
	for address, want := range map[string][2]bool{ // with TLS, without
		"93.184.216.34:443": {true, false}, "[2606:4700::1111]:443": {true, false},
		"[::ffff:93.184.216.34]:443": {true, false},
		"10.1.2.3:80":                {true, true}, "[::ffff:10.1.2.3]:80": {true, true}, "[fd00::1]:80": {true, true},
		"[fe80::1%eth0]:80": {true, true},
		"10.2.0.1:443":      {}, "127.0.0.1:443": {}, "127.9.9.9:443": {}, "0.0.0.0:443": {}, "0.1.2.3:443": {},
		"172.16.0.1:443": {}, "172.31.255.255:443": {},
		"192.168.1.1:443": {}, "169.254.169.254:80": {}, "100.64.0.1:443": {}, "100.127.255.255:443": {},
		"192.0.0.8:443": {}, "198.18.0.1:443": {},
		"224.0.0.1:443": {}, "255.255.255.255:443": {}, "240.0.0.1:443": {}, "192.0.2.1:443": {},
		"203.0.113.9:443": {}, "198.51.100.1:443": {}, "192.88.99.1:443": {},
		"[::1]:443": {}, "[::]:443": {}, "[fc00::1]:443": {}, "[ff02::1]:443": {}, "[fec0::1]:443": {},
		"[2001:db8::1]:443": {}, "[3fff::1]:443": {},
		"[::ffff:127.0.0.1]:443": {}, "[::ffff:169.254.169.254]:443": {}, "[::127.0.0.1]:443": {},
		"[64:ff9b::7f00:1]:443": {}, "[64:ff9b:1::1]:443": {},
		"[2002:7f00:1::]:443": {}, "[2001:0:7f00:1::]:443": {}, "[100::1]:443": {},
		"": {}, "hooks.example:443": {}, "93.184.216.34": {},
	} {
		require.Equal(t, want[0], public.control("tcp", address, nil) == nil, "%s with TLS", address)
		require.Equal(t, want[1], private.control("tcp", address, nil) == nil, "%s without", address)
	}
}

func TestParseNetwork(t *testing.T) {
	for text, want := range map[string]string{"10.0.0.0/8": "10.0.0.0/8", "10.1.2.3/8": "10.0.0.0/8",
		"127.0.0.1": "127.0.0.1/32", "::1": "::1/128", "::ffff:10.0.0.1": "10.0.0.1/32", "fd00::/8": "fd00::/8"} {
		n, err := ParseNetwork(text)
		require.NoError(t, err, text)
		require.Equal(t, want, n.String())
	}
	for _, text := range []string{"", "10.0.0.0/33", "hooks.example", "10.0.0.0/", "fe80::1%eth0",
		"::ffff:10.0.0.0/104"} {
		_, err := ParseNetwork(text)
		require.Error(t, err, text)
	}
}
