package access

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"sanad/internal/domain"
	"sanad/internal/words"
)

// Scope is a part of what a role allows, that a token may be narrowed to (rule SEC-22). Names are stored.
type Scope string

// The scopes. Each action needs exactly one of them.
const (
	ScopeRead    Scope = "read"    // sessions, packs, bundles, search
	ScopeImport  Scope = "import"  // bring in sessions, documents, decisions and artifacts; judge
	ScopeReview  Scope = "review"  // reviews, drafts of packs
	ScopeExport  Scope = "export"  // copies of ledgers and packs
	ScopeSign    Scope = "sign"    // approve and return packs, confirm purges, erasures and changes
	ScopeAccount Scope = "account" // one's own account and its tokens
	ScopeAdmin   Scope = "admin"   // users, tokens, keys, settings, holds, erasures, the log
)

// Scopes lists them in display order.
var Scopes = []Scope{ScopeRead, ScopeImport, ScopeReview, ScopeExport, ScopeSign, ScopeAccount, ScopeAdmin}

// scopeOf is the scope that each action needs; an action without a row is in none.
var scopeOf = map[Action]Scope{
	ReadLedger: ScopeRead, ReadPack: ScopeRead, ReadBundle: ScopeRead, SaveView: ScopeRead,
	ReadLibrary: ScopeRead, ChangeLibrary: ScopeImport, CopyFile: ScopeRead, CopyLibrary: ScopeRead,
	MapEvidence:  ScopeRead,
	ImportLedger: ScopeImport, ImportDecision: ScopeImport, BuildBundle: ScopeImport, WriteLake: ScopeImport,
	ReviewClaim: ScopeReview, AssignReview: ScopeReview, DraftPack: ScopeReview,
	ExportLedger: ScopeExport, AskPackExport: ScopeExport, ExportPack: ScopeExport,
	DecidePack: ScopeSign, ConfirmPackPurge: ScopeSign, ConfirmErasure: ScopeSign, ConfirmChange: ScopeSign,
	UseAccount:  ScopeAccount,
	ManageUsers: ScopeAdmin, ManageTokens: ScopeAdmin, ManageKeys: ScopeAdmin, ManageTenant: ScopeAdmin,
	ReadAudit: ScopeAdmin, HoldPack: ScopeAdmin, PurgePack: ScopeAdmin, EraseContent: ScopeAdmin,
}

// ScopeOf returns the scope that an action needs; "" for none.
func ScopeOf(what Action) Scope { return scopeOf[what] }

// InScope reports whether the scopes of who's token, if it is narrowed, have an action.
func InScope(who Actor, what Action) bool {
	return who.Scopes == "" || slices.Contains(strings.Fields(who.Scopes), string(scopeOf[what]))
}

// CheckScopes returns scopes in the order of Scopes, each once; an error if one is unknown. None means all.
func CheckScopes(in []Scope) (out []Scope, err error) {
	for _, x := range in {
		if !slices.Contains(Scopes, x) {
			return nil, domain.Refuse(domain.Invalid, "scopes", "refused_token_scopes", "Name",
				words.Quoted(string(x)), "Other", ScopeNames(Scopes))
		}
	}
	for _, x := range Scopes {
		if slices.Contains(in, x) {
			out = append(out, x)
		}
	}
	return out, nil
}

// ScopeNames joins scopes by spaces, as they are stored.
func ScopeNames(in []Scope) string {
	words := make([]string, len(in))
	for i, x := range in {
		words[i] = string(x)
	}
	return strings.Join(words, " ")
}

// ParseScopes splits what ScopeNames joined.
func ParseScopes(text string) (out []Scope) {
	for _, word := range strings.Fields(text) {
		out = append(out, Scope(word))
	}
	return out
}

// maxNetworks is the most networks that a token may be narrowed to.
const maxNetworks = 20

// ParseNetworks parses networks (10.0.0.0/8, or one address) separated by spaces or commas. None means everywhere.
func ParseNetworks(text string) (out []netip.Prefix, err error) {
	list := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\r' || r == '\t' })
	if len(list) > maxNetworks {
		return nil, domain.Refuse(domain.Invalid, "addresses", "refused_token_addresses", "N", maxNetworks)
	}
	for _, word := range list {
		n, err := parseNetwork(word)
		if err != nil {
			return nil, domain.Refuse(domain.Invalid, "addresses", "refused_token_address", "Name",
				words.Quoted(word))
		}
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out, nil
}

func parseNetwork(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil && a.Zone() == "" {
		a = a.Unmap()
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	n, err := netip.ParsePrefix(text)
	if err == nil && n.Addr().Is4In6() {
		err = errors.New("an IPv4 network in IPv6 form")
	}
	return n.Masked(), err
}

// NetworkNames joins networks by spaces, as they are stored.
func NetworkNames(in []netip.Prefix) string {
	words := make([]string, len(in))
	for i, n := range in {
		words[i] = n.String()
	}
	return strings.Join(words, " ")
}

// MayComeFrom reports whether an address is in one of a token's networks; without any it may be each. An address that
// is unknown is in none.
func MayComeFrom(networks []netip.Prefix, from netip.Addr) bool {
	from = from.Unmap().WithZone("")
	return len(networks) == 0 || slices.ContainsFunc(networks, func(n netip.Prefix) bool { return n.Contains(from) })
}

// Narrowed is an Authorizer that denies what is beyond the scopes of the actor's token, and what needs a second factor
// that the actor lacks. It asks another one about the rest.
type Narrowed struct{ Authorizer }

// Allowed reports whether neither forbids the action, and the other Authorizer allows it.
func (n Narrowed) Allowed(ctx context.Context, who Actor, what Action, on Object) (bool, error) {
	if !InScope(who, what) || who.Unproven && NeedsFactor(what) {
		return false, nil
	}
	return n.Authorizer.Allowed(ctx, who, what, on)
}

// Ready asks the other Authorizer whether it can answer, if that depends on anything. The embedded interface has no
// such method, so that without this one nobody would be told that the authorization server is down.
func (n Narrowed) Ready(ctx context.Context) error {
	if a, ok := n.Authorizer.(interface{ Ready(context.Context) error }); ok {
		return a.Ready(ctx)
	}
	return nil
}
