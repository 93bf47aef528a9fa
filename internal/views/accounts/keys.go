package accounts

import (
	"net/url"
	"slices"
	"time"

	"sanad/internal/views/ui"
)

// KeyRow is a public key of the tenant.
type KeyRow struct {
	ID, Purpose          string
	CreatedAt, RetiredAt time.Time
}

// keyPurposes lists what keys are for, in the order of the page.
var keyPurposes = []string{"sign", "log"}

// KeysPage lists the public keys by purpose.
type KeysPage struct {
	ui.Chrome
	Groups []KeyGroup
	Done   string
}

// KeyGroup is the keys of one purpose, the one in use first.
type KeyGroup struct {
	Purpose, Title, Text, RotateHref string
	Keys                             []KeyLine
}

// KeyLine is one key, laid out.
type KeyLine struct {
	ID, Href       string
	Since, Retired ui.Moment
}

// NewKeysPage lays out the keys. Pure.
func NewKeysPage(c ui.Chrome, rows []KeyRow) *KeysPage {
	p := &KeysPage{Chrome: c, Done: c.Notice("sig_done_", keyPurposes...)}
	for _, purpose := range keyPurposes {
		g := KeyGroup{
			Purpose: purpose, Title: c.T("sig_" + purpose), Text: c.T("sig_" + purpose + "_text"),
			RotateHref: "/admin/keys/" + purpose + "/rotate",
		}
		for _, r := range rows {
			if r.Purpose == purpose {
				href := ui.Address("/admin/keys/public", url.Values{"id": {r.ID}})
				g.Keys = append(g.Keys, KeyLine{
					ID: r.ID, Href: href, Since: c.Minute(r.CreatedAt), Retired: c.Minute(r.RetiredAt),
				})
			}
		}
		slices.SortStableFunc(g.Keys, func(a, b KeyLine) int { return compareUse(a.Retired, b.Retired) })
		p.Groups = append(p.Groups, g)
	}
	return p
}

// compareUse puts the key in use before retired ones.
func compareUse(a, b ui.Moment) int {
	switch {
	case (a.Stamp == "") == (b.Stamp == ""):
		return 0
	case a.Stamp == "":
		return -1
	}
	return 1
}

// RotatePage asks whether to take a new key into use.
type RotatePage struct {
	ui.Chrome
	Purpose, Title string
	Current        string // fingerprint
}

// NewRotatePage lays out the question. Pure.
func NewRotatePage(c ui.Chrome, purpose, current string) *RotatePage {
	return &RotatePage{Chrome: c, Purpose: purpose, Title: c.T("sig_rotate_" + purpose), Current: current}
}
