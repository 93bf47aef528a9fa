package ui

import "slices"

// AdminPage is a page of administration: its key in AdminFrame, the message that names it, its address, and who may
// see it; nil stands for those who manage the organisation. Also is the message with other names of what it holds,
// separated by semicolons, "" if none.
type AdminPage struct {
	Key, Label, Href string
	Also             string
	may              func(May) bool
}

// AdminGroup is pages of administration that belong together, under the name of a message.
type AdminGroup struct {
	Label string
	Pages []AdminPage
}

// adminGroups is all of administration in the order of its navigation. The palette takes its pages from here too.
var adminGroups = []AdminGroup{
	{"adm_group_access", []AdminPage{
		{Key: "users", Label: "adm_users", Href: "/admin/users"},
		{Key: "tokens", Label: "adm_tokens", Href: "/admin/tokens"},
		{Key: "changes", Label: "adm_changes", Href: "/admin/changes", Also: "palette_also_changes"},
	}},
	{"adm_group_policies", []AdminPage{
		{Key: "policy", Label: "policy.title", Href: "/admin/policy", Also: "palette_also_policy"},
		{Key: "redaction", Label: "adm_redaction", Href: "/admin/redaction"},
		{Key: "periods", Label: "adm_periods", Href: "/admin/periods"},
		{Key: "retention", Label: "adm_retention", Href: "/admin/retention", may: func(m May) bool { return m.ConfirmPurge }},
		{Key: "erasures", Label: "adm_erasures", Href: "/admin/erasures", may: func(m May) bool { return m.ConfirmErase }},
	}},
	{"adm_models", []AdminPage{{Key: "models", Label: "adm_models", Href: "/admin/models"}}},
	{"adm_group_links", []AdminPage{
		{Key: "webhooks", Label: "adm_webhooks", Href: "/admin/webhooks"},
		{Key: "traces", Label: "adm_traces", Href: "/admin/traces"},
		{Key: "mail", Label: "adm_mail", Href: "/admin/mail"},
	}},
	{"adm_group_organisation", []AdminPage{
		{Key: "tenant", Label: "adm_tenant", Href: "/admin/tenant", Also: "palette_also_tenant"},
		{Key: "letterhead", Label: "adm_letterhead", Href: "/admin/letterhead"},
		{Key: "keys", Label: "adm_keys", Href: "/admin/keys"},
	}},
}

// AdminGroups returns the pages of administration that a reader may see, in their groups, without empty groups.
func (m May) AdminGroups() []AdminGroup {
	var out []AdminGroup
	for _, g := range adminGroups {
		pages := slices.DeleteFunc(slices.Clone(g.Pages), func(p AdminPage) bool {
			return p.may == nil && !m.Manage || p.may != nil && !p.may(m)
		})
		if len(pages) > 0 {
			out = append(out, AdminGroup{Label: g.Label, Pages: pages})
		}
	}
	return out
}

// holds reports whether a page is in the group.
func (g AdminGroup) holds(key string) bool {
	return slices.ContainsFunc(g.Pages, func(p AdminPage) bool { return p.Key == key })
}

// mark is the aria-current of the group's link on a page: "page" where it leads to that page and no second line says
// so, "true" where it leads to one beside it, "" on pages of other groups.
func (g AdminGroup) mark(key string) string {
	switch {
	case !g.holds(key):
		return ""
	case len(g.Pages) == 1:
		return "page"
	default:
		return "true"
	}
}
