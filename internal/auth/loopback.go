package auth

import (
	"net"
	"strings"
)

// IsLoopback reports whether host is a name or an address of this machine's loopback. An IPv6 address may have
// brackets.
func IsLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}
