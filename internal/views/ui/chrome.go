// Package ui has what pages of several capabilities share: the frame, badges, fields, lists and faults. Chrome is what
// every page carries.
package ui

import (
	"maps"
	"net/url"
	"slices"
	"time"

	"sanad/internal/domain/access"
	"sanad/internal/domain/filter"
	"sanad/internal/views/say"
)

// ChromeInput is what a handler knows about any request.
type ChromeInput struct {
	Lang, Theme, Digits string
	URL                 *url.URL
	RequestID           string
	Version             string // of the program, shown to who is signed in; "" if none
	Now                 time.Time
	SignedIn            bool
	User, Tenant        string // as shown
	TimeZone            string // of the tenant, "" for UTC
	Week                access.WeekStart
	Calendar            access.Calendar
	Role                access.Role
	May                 May
	ReadOnly            bool        // the store takes no changes at the moment
	Guide               *GuideInput // of the demo's first run; nil if none
	Unread              int         // notifications, up to MaxUnread
}

// May says which links and forms a page shows. It grants nothing: the server authorizes every request by itself.
type May struct {
	Import, Review, Assign, Export, Manage, Audit bool
	DraftPack, DecidePack, ExportPack, AskPack    bool
	HoldPack, PurgePack, ConfirmPurge             bool
	Erase, ConfirmErase, SaveView                 bool
	ReadLibrary, ChangeLibrary                    bool
	CopyFile, CopyLibrary                         bool
}

// Chrome is what every page carries: the reader with their language, theme and current address.
type Chrome struct {
	say.Reader
	Theme         string
	RequestID     string
	Version       string // "" if none
	SignedIn      bool
	User, Tenant  string
	Role          access.Role
	May           May
	ReadOnly      bool
	Guide         *Guide        // of the demo's first run; nil if none
	Unread        int           // notifications, up to MaxUnread
	Bench         bool          // the page is the workbench of a ledger, which has nothing of a pack and is kept small
	Skips         []Option      // further places that the keyboard can skip to: label and address
	LeftFilters   []filter.Left // filters of the address that the page could not use
	ArabicContent bool          // whatever the page's own language, much of its content is in Arabic
	// seconds after which the page renews itself where there is no JavaScript, 0 for never
	Refresh int
	url     *url.URL
}

// NewChrome makes the chrome of one request.
func NewChrome(in ChromeInput) Chrome {
	c := Chrome{
		Reader: say.To(in.Lang, in.Digits, in.Now), Theme: in.Theme, RequestID: in.RequestID, url: in.URL,
		SignedIn: in.SignedIn, User: in.User, Tenant: in.Tenant, Role: in.Role, May: in.May, ReadOnly: in.ReadOnly,
	}
	c.Keep(in.TimeZone)
	c.Week, c.Calendar = in.Week, in.Calendar
	if in.SignedIn { // a stranger need not know which faults to look up
		c.Version = in.Version
	}
	c.Guide, c.Unread = c.guide(in.Guide), in.Unread
	return c
}

// Query returns the query of this page without some of its parameters. The caller may change it.
func (c *Chrome) Query(without ...string) url.Values {
	q := c.url.Query()
	for _, name := range without {
		q.Del(name)
	}
	return q
}

// Hidden lists the parameters of this page's query except one, for a form that sets that one.
func (c *Chrome) Hidden(name string) []Option {
	var out []Option
	q := c.Query(name)
	for _, k := range slices.Sorted(maps.Keys(q)) {
		for _, v := range q[k] {
			out = append(out, Option{Value: v, Label: k})
		}
	}
	return out
}

// At returns the chrome of another page for the same reader.
func (c Chrome) At(u *url.URL) Chrome {
	c.url = u
	return c
}

// Path is the address of this page without its query.
func (c *Chrome) Path() string { return c.url.Path }

// Other is the language that the switch offers.
func (c *Chrome) Other() string {
	if c.Lang == "ar" {
		return "en"
	}
	return "ar"
}

func Address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// place is a page that the header leads to: its address, the message that names it, and its key in Layout.
type place struct{ Value, Label, Key string }

// rarePlaces are the places that most people visit less than every day. Where the window is narrow they are in a menu.
// Bundles come last: next to packs, what a model was given would be taken for another kind of what is signed.
func (c *Chrome) rarePlaces() []place {
	out := []place{{"/dashboard", "dashboard", "dashboard"}}
	if c.May.Audit {
		out = append(out, place{"/audit", "nav_audit", "audit"})
	}
	if c.May.Manage {
		out = append(out, place{"/admin/users", "nav_admin", "admin"})
	}
	if c.May.ReadLibrary {
		out = append(out, place{"/library", "nav_library", "library"})
	}
	return append(out, place{"/bundles", "nav_bundles", "bundles"})
}
