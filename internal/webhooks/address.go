package webhooks

import (
	"errors"
	"net/netip"
	"syscall"
)

// errRefused says that an address is not one that messages may go to.
var errRefused = errors.New("the address is not public, and not allowed")

// reserved lists what lies in the unicast space and is no public host: networks for special use (IANA registries), and those
// of IPv6 that carry an IPv4 address inside, which could be any.
var reserved = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
)

// publicIPv6 is all that is given out for hosts; loopback, local, mapped and translated addresses lie outside of it.
var publicIPv6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) (out []netip.Prefix) {
	for _, t := range texts {
		out = append(out, netip.MustParsePrefix(t))
	}
	return out
}

// isPublic tells whether an address is a public host's. A mapped IPv4 address is what it maps.
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

// policy says which addresses a connection may be made to.
type policy struct {
	allowed []netip.Prefix // networks that the operator allows
	public  bool           // and all public hosts
}

// control is a net.Dialer's: it sees the very address that is about to be connected to, after every name was resolved, so
// that no name can be checked as one host and connected to as another.
func (p policy) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errRefused
	}
	a := at.Addr().Unmap().WithZone("")
	if within(p.allowed, a) || p.public && isPublic(a) {
		return nil
	}
	return errRefused
}

// ParseNetwork reads a network that the operator allows: 10.0.0.0/8, or one address.
func ParseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	n, err := netip.ParsePrefix(text)
	if err != nil || n.Addr().Is4In6() {
		return netip.Prefix{}, errors.New("give a network such as 10.0.0.0/8, or an address")
	}
	return n.Masked(), nil
}
