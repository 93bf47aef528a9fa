package webhook

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// ErrTarget means that no message would ever be sent to an address: its host is not public, or it does not use TLS.
var ErrTarget = errors.New("webhook: nothing is ever sent to this address")

// reserved lists the unicast networks that have no public hosts: those for special use (IANA registries), and those of
// IPv6 that embed an IPv4 address, which could be any.
var reserved = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
	"192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// publicIPv6 is all that is allocated to hosts; loopback, local, mapped and translated addresses are outside of it.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// isPublic reports whether an address belongs to a public host. A mapped IPv4 address counts as the IPv4 address.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	return (a.Is4() || publicIPv6.Contains(a)) && !within(reserved, a)
}

func within(networks []netip.Prefix, a netip.Addr) bool {
	for _, n := range networks {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

// MayReach reports whether a message may be sent to a host: a public one over TLS, or one in a network that the
// operator allows, with or without TLS.
func MayReach(a netip.Addr, tls bool, allowed []netip.Prefix) bool {
	a = a.Unmap().WithZone("")
	return within(allowed, a) || tls && isPublic(a)
}

// CheckTarget returns an error if an address cannot be an endpoint: the errors of CheckURL, and ErrTarget if the scheme
// or a host that is an IP address or localhost shows that nothing would ever be sent there. The addresses behind any
// other host name are checked at each connection.
func CheckTarget(address string, allowed []netip.Prefix) error {
	if err := CheckURL(address); err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil {
		return err
	}
	tls := u.Scheme == "https"
	if !tls && len(allowed) == 0 {
		return noTarget("refused_nothing_sent_without")
	}
	hosts := KnownHosts(u.Hostname())
	for _, a := range hosts {
		if MayReach(a, tls, allowed) {
			return nil
		}
	}
	switch {
	case len(hosts) == 0:
		return nil // a host name
	case !tls && MayReach(hosts[0], true, nil):
		return noTarget("refused_nothing_sent_network")
	}
	return noTarget("refused_nothing_sent_address")
}

func noTarget(id string) error {
	return &domain.Error{Kind: domain.Invalid, Op: "webhook.CheckTarget", Path: "url", Message: words.Msg(id), Err: ErrTarget}
}

// KnownHosts returns the addresses of a host that are known without a look-up: those of an IP address or of localhost
// (RFC 6761 §6.3); none for any other name.
func KnownHosts(host string) []netip.Addr {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}
	}
	if h := strings.ToLower(strings.TrimSuffix(host, ".")); h == "localhost" || strings.HasSuffix(h, ".localhost") {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}
	}
	return nil
}
