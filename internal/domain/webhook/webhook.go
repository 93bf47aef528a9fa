// Package webhook holds the rules of webhooks (rule SEC-10): the kinds of events, the content of a message, its
// signature, and when it is sent again.
package webhook

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Kinds of messages that are not actions of the audit log.
const (
	SessionJudged = "session.judged" // a session was judged while it was imported
	Test          = "webhook.test"   // requested by an administrator, to see whether messages arrive
)

// Kinds lists what an endpoint can subscribe to: actions of the audit log, and SessionJudged.
var Kinds = []string{
	"session.imported", SessionJudged, "session.exported", "export.created", "claim.reviewed", "document.withdrawn",
	"document.replaced", "decision.added",
	"pack.created", "pack.submitted", "pack.approved", "pack.signed_off", "pack.returned", "pack.superseded",
	"pack.export_asked", "pack.export_granted", "pack.export_refused", "pack.exported", "pack.purged",
}

// MaxEndpoints is the most endpoints of a tenant, MaxWaiting the most messages that wait for one endpoint.
const (
	MaxEndpoints = 20
	MaxWaiting   = 10_000
)

// maxURL is the longest address, in bytes.
const maxURL = 2000

// CheckURL returns an error if an address cannot be an endpoint. It does not resolve the host name, which may point
// elsewhere later: the addresses are checked at each connection.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case len(address) > maxURL:
		return domain.Refuse(domain.Invalid, "url", "refused_address_most_characters", "N", maxURL)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Opaque != "" ||
		!utf8.ValidString(address) || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return domain.Refuse(domain.Invalid, "url", "refused_address_such_https_hooks")
	case u.User != nil || u.Fragment != "":
		return domain.Refuse(domain.Invalid, "url", "refused_address_name_password")
	}
	return nil
}

// CheckKinds returns the kinds of an endpoint in the order of Kinds, each once; an error if one is unknown or there are
// none.
func CheckKinds(kinds []string) (sorted []string, err error) {
	for _, k := range kinds {
		if !slices.Contains(Kinds, k) {
			return nil, domain.Refuse(domain.Invalid, "kinds", "refused_kind_choose", "Name", words.Quoted(k), "List",
				words.ListOf(Kinds))
		}
	}
	for _, k := range Kinds {
		if slices.Contains(kinds, k) {
			sorted = append(sorted, k)
		}
	}
	if len(sorted) == 0 {
		return nil, domain.Refuse(domain.Invalid, "kinds", "refused_choose_least_kind")
	}
	return sorted, nil
}
