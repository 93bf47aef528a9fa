package accounts

import (
	"net/url"
	"slices"
	"time"

	"sanad/internal/domain/audit"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// keyPurposes lists what keys are for, in the order of the page.
var keyPurposes = []string{"sign", "log"}

// KeysPage lists the public keys by purpose.
type KeysPage struct {
	ui.Chrome
	Groups []KeyGroup
	Trust  TrustForm
	Done   string
}

// TrustForm is the list of other stores' keys, and the form for another one with what is wrong with it.
type TrustForm struct {
	Name, Key string
	Fault     *ui.FormFault // fields name, public_key
	Trusted   []TrustedLine
}

// TrustedLine is the key of another store.
type TrustedLine struct {
	ID, Name string
	AddedAt  time.Time
}

// trustName is the field of the other store's name.
func (p *KeysPage) trustName() ui.TextField {
	return ui.TextField{ID: "t-name", Name: "name", Label: p.T("store_key_name"), Value: p.Trust.Name,
		Fault: p.FaultAt(p.Trust.Fault, "name"), Required: true}
}

// KeyGroup is the keys of one purpose, the one in use first.
type KeyGroup struct {
	Purpose, Title, Text, RotateHref string
	Keys                             []KeyLine
}

// KeyLine is one key, laid out.
type KeyLine struct {
	ID, Href       string
	Since, Retired say.Moment
}

// NewKeysPage lays out the keys. Pure.
func NewKeysPage(c ui.Chrome, keys []audit.PublicKey, trust TrustForm) *KeysPage {
	p := &KeysPage{Chrome: c, Trust: trust,
		Done: c.Notice("sig_done_", append([]string{"trusted", "distrusted"}, keyPurposes...)...)}
	for _, purpose := range keyPurposes {
		g := KeyGroup{
			Purpose: purpose, Title: c.T("sig_" + purpose), Text: c.T("sig_" + purpose + "_text"),
			RotateHref: "/admin/keys/" + purpose + "/rotate",
		}
		for _, k := range keys {
			if k.Purpose == purpose {
				href := ui.Address("/admin/keys/public", url.Values{"id": {k.ID}})
				g.Keys = append(g.Keys, KeyLine{
					ID: k.ID, Href: href, Since: c.Minute(k.CreatedAt), Retired: c.Minute(k.RetiredAt),
				})
			}
		}
		slices.SortStableFunc(g.Keys, func(a, b KeyLine) int { return compareUse(a.Retired, b.Retired) })
		p.Groups = append(p.Groups, g)
	}
	return p
}

// compareUse puts the key in use before retired ones.
func compareUse(a, b say.Moment) int {
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
