package webhooks

import (
	"errors"
	"net/netip"
	"syscall"

	"sanad/internal/domain/webhook"
)

// errRefused says that an address is not one that messages may go to.
var errRefused = errors.New("the address is not public, and not allowed")

// policy says which addresses a connection may be made to.
type policy struct {
	allowed []netip.Prefix // networks that the operator allows
	public  bool           // and all public hosts
}

// control is called by a net.Dialer with the address that it is about to connect to, after the name was resolved. A
// name therefore cannot resolve to one host when it is checked and to another when it is connected to.
func (p policy) control(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return errRefused
	}
	if webhook.MayReach(at.Addr(), p.public, p.allowed) {
		return nil
	}
	return errRefused
}

// ParseNetwork parses a network that the operator allows: 10.0.0.0/8, or one address.
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
