// Package webhook holds the rules of webhooks (rule SEC-10): which kinds of event there are, what a
// message says, how it is signed, and when it is tried again.
package webhook

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
)

// Kinds of message that are no action of the audit log.
const (
	SessionJudged = "session.judged" // a session that came in was judged on the way
	Test          = "webhook.test"   // asked for by an administrator, to see whether messages arrive
)

// Kinds lists what an endpoint can be told of: actions of the audit log, and SessionJudged.
var Kinds = []string{
	"session.imported", SessionJudged, "session.exported", "export.created", "claim.reviewed", "document.withdrawn", "document.replaced", "decision.added",
	"pack.created", "pack.submitted", "pack.approved", "pack.signed_off", "pack.returned", "pack.superseded",
	"pack.export_asked", "pack.export_granted", "pack.export_refused", "pack.exported", "pack.purged",
}

// MaxEndpoints bounds the endpoints of a tenant, MaxWaiting the messages that wait for one endpoint.
const (
	MaxEndpoints = 20
	MaxWaiting   = 10_000
)

// maxURL bounds an address, in bytes.
const maxURL = 2000

// CheckURL gives why an address cannot be an endpoint's. Where its name leads to is not looked at here: that is checked
// each time that a connection is made, as it may lead elsewhere by then.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxURL:
		return domain.Invalidf("url", "An address has at most %d characters.", maxURL)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Opaque != "" ||
		!utf8.ValidString(address) || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return domain.Invalidf("url", "Give an address such as https://hooks.example/sanad.")
	case u.User != nil || u.Fragment != "":
		return domain.Invalidf("url", "The address has no name, password or # part.")
	}
	return nil
}

// CheckKinds gives why a list cannot be the kinds of an endpoint; sorted gives it in the order of Kinds, each once.
func CheckKinds(kinds []string) (sorted []string, err error) {
	for _, k := range kinds {
		if !slices.Contains(Kinds, k) {
			return nil, domain.Invalidf("kinds", "There is no kind %q; choose of %s.", k, strings.Join(Kinds, ", "))
		}
	}
	for _, k := range Kinds {
		if slices.Contains(kinds, k) {
			sorted = append(sorted, k)
		}
	}
	if len(sorted) == 0 {
		return nil, domain.Invalidf("kinds", "Choose at least one kind of event.")
	}
	return sorted, nil
}
