package model

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"sanad/internal/domain"
	"sanad/internal/domain/webhook"
)

// masked stands for a secret in an address that is shown.
const masked = "***"

// CheckSecrets refuses an address that has a secret in its user part or query: an address is shown, a key is not. A
// secret in its path is taken, since some gateways know no other place for it; what Shown put in its place is not.
func CheckSecrets(address string) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return nil // Check refuses it
	}
	if u.User != nil {
		return domain.Refuse(domain.Invalid, "url", "refused_model_url_user")
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, secret := secretPair(pair); secret {
			return domain.Refuse(domain.Invalid, "url", "refused_model_url_secret", "Name", name)
		}
	}
	if slices.Contains(strings.Split(u.Path, "/"), masked) {
		return domain.Refuse(domain.Invalid, "url", "refused_model_url_masked", "Mask", masked)
	}
	return nil
}

// Shown is an address as people see it: with its secrets masked, those in its path too. One without a secret stays as
// it is.
func Shown(address string) string {
	return maskPath(rewrite(address, func(name string) string { return name + "=" + masked }))
}

// maskPath masks the parts of an address's path that look like secrets.
func maskPath(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return address // without what could not be read
	}
	parts, found := strings.Split(u.EscapedPath(), "/"), false
	for i, part := range parts {
		if plain, err := url.PathUnescape(part); err == nil && looksSecret(plain) {
			parts[i], found = masked, true
		}
	}
	if !found {
		return address
	}
	u.RawPath = strings.Join(parts, "/")
	u.Path, _ = url.PathUnescape(u.RawPath)
	return u.String()
}

// Without is an address without the secrets of its user part and query.
func Without(address string) string { return rewrite(address, func(string) string { return "" }) }

// rewrite puts what of returns in the place of each secret of the query; user and password go with it.
func rewrite(address string, of func(name string) string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return of("?")
	}
	found := u.User != nil
	var pairs []string
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		if name, secret := secretPair(pair); secret {
			found, pair = true, of(name)
		}
		if pair != "" {
			pairs = append(pairs, pair)
		}
	}
	if !found {
		return address
	}
	u.User, u.RawQuery = nil, strings.Join(pairs, "&")
	return u.String()
}

// secretPair reports whether one parameter of a query looks like a secret. name is what can be said of it without
// telling the secret.
func secretPair(pair string) (name string, secret bool) {
	for part := range strings.SplitSeq(pair, ";") { // some servers take it as an ampersand
		rawName, rawValue, _ := strings.Cut(part, "=")
		n, v := unescaped(rawName), unescaped(rawValue)
		switch {
		case looksSecret(n):
			return "?", true
		case v != "" && secretName(n), looksSecret(v):
			return rawName, true
		}
	}
	return "", false
}

func unescaped(s string) string {
	if out, err := url.QueryUnescape(s); err == nil {
		return out
	}
	return s
}

// The names of parameters that hold secrets: as a whole, at their end, and anywhere; in small letters and digits alone.
var (
	secretWhole = []string{"sig", "sas", "code", "pass", "pw", "pwd", "jwt", "bearer", "cred", "creds"}
	secretEnds  = []string{"key", "keys", "token", "auth", "authorization", "signature", "pwd"}
	secretParts = []string{"secret", "passw", "passphrase", "credential", "apikey", "accesskey", "privatekey"}
)

func secretName(name string) bool {
	n := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
	return slices.Contains(secretWhole, n) ||
		slices.ContainsFunc(secretEnds, func(end string) bool { return strings.HasSuffix(n, end) }) ||
		slices.ContainsFunc(secretParts, func(part string) bool { return strings.Contains(n, part) })
}

// secretStarts are how the keys of well-known providers begin, and tokens in the form of JWT.
var secretStarts = []string{"sk-", "sk_", "hf_", "gsk_", "xai-", "ghp_", "nvapi-", "AIza", "eyJ", "Bearer "}

// shortestSecret is how many letters and digits in a row, of both, are taken for a secret under whatever name. No
// version or region has as many, nor a UUID with hyphens.
const shortestSecret = 24

func looksSecret(value string) bool {
	if len(value) >= 12 && slices.ContainsFunc(secretStarts, func(start string) bool { return strings.HasPrefix(value, start) }) {
		return true
	}
	run, letters, digits := 0, false, false
	for _, r := range value {
		switch {
		case unicode.IsLetter(r):
			run, letters = run+1, true
		case unicode.IsDigit(r):
			run, digits = run+1, true
		default:
			run, letters, digits = 0, false, false
		}
		if run >= shortestSecret && letters && digits {
			return true
		}
	}
	return false
}

// CheckReach refuses an address to which nothing would ever be sent: without TLS or at a host that is not public,
// unless the operator allows its network. Addresses behind a host's name are looked at when it is connected to. What is
// no address at all is left to Check.
func CheckReach(address string, allowed []netip.Prefix) error {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" {
		return nil //nolint:nilerr // Check refuses it
	}
	tls := u.Scheme == "https"
	hosts := webhook.KnownHosts(u.Hostname())
	reached := slices.ContainsFunc(hosts, func(a netip.Addr) bool { return webhook.MayReach(a, tls, allowed) })
	switch {
	case reached, len(hosts) == 0 && (tls || len(allowed) > 0):
		return nil
	case !tls && (len(hosts) == 0 || webhook.MayReach(hosts[0], true, nil)):
		return domain.Refuse(domain.Invalid, "url", "refused_model_url_tls")
	}
	return domain.Refuse(domain.Invalid, "url", "refused_model_url_private", "Network", hosts[0].String())
}
