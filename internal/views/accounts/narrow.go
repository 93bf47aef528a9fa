package accounts

import (
	"slices"
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Narrowing is what was typed to narrow a new token.
type Narrowing struct {
	Scopes    []access.Scope
	Addresses string
}

// narrowFields are the fields that narrow a token.
type narrowFields struct {
	Open      bool // something was typed
	Scopes    []ui.Option
	ScopeFail string
	Addresses ui.TextField
}

func newNarrowFields(c *ui.Chrome, in Narrowing, fault *ui.FormFault) narrowFields {
	f := narrowFields{
		Open: len(in.Scopes) > 0 || in.Addresses != "", ScopeFail: c.FaultAt(fault, "scopes"),
		Addresses: ui.TextField{
			ID: "k-addresses", Name: "addresses", Label: c.T("tok_addresses"), Help: c.T("tok_addresses_help"),
			Value: in.Addresses, Fault: c.FaultAt(fault, "addresses"), Complete: "off", Dir: "ltr",
		},
	}
	for _, x := range access.Scopes {
		f.Scopes = append(f.Scopes, ui.Option{Value: string(x), Label: c.T("scope_" + string(x)),
			Selected: slices.Contains(in.Scopes, x)})
	}
	return f
}

// narrowed says what a token is narrowed to, in lines; none if it is not.
func narrowed(c *ui.Chrome, k *access.Token) (lines []string) {
	if len(k.Scopes) > 0 {
		names := make([]string, len(k.Scopes))
		for i, x := range k.Scopes {
			names[i] = c.T("scope_" + string(x))
		}
		lines = append(lines, c.T("tok_only", "Scopes", strings.Join(names, c.T("list_comma"))))
	}
	if len(k.Addresses) > 0 {
		lines = append(lines, c.T("tok_from", "Networks", say.Isolated(access.NetworkNames(k.Addresses))))
	}
	return lines
}
