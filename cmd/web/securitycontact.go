package main

import (
	"errors"
	"net/url"
	"strings"

	"github.com/spf13/cobra"
)

// contactFlag names whom to tell of a vulnerability, for /.well-known/security.txt (rule SEC-20).
type contactFlag struct{ uris []string }

func (f *contactFlag) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.uris, "security-contact", nil,
		"whom to tell of a vulnerability, as mailto:NAME@HOST or https://…, for /.well-known/security.txt (repeatable)")
}

func (f *contactFlag) check() error {
	for _, uri := range f.uris {
		if !isContact(uri) {
			return errors.New("--security-contact must be a URI: mailto:NAME@HOST, https://… or tel:+…")
		}
	}
	return nil
}

// isContact reports whether RFC 9116 takes a URI as a contact.
func isContact(uri string) bool {
	u, err := url.Parse(uri)
	if err != nil || strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
		return false
	}
	switch u.Scheme {
	case "mailto":
		name, host, ok := strings.Cut(u.Opaque, "@")
		return ok && name != "" && host != ""
	case "tel":
		return u.Opaque != ""
	}
	return u.Scheme == "https" && u.Host != ""
}
