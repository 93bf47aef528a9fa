// Package ui has what pages of several capabilities share: the frame, badges, fields, lists and faults. Chrome is what
// every page carries; its methods put words, figures and dates into the reader's language.
package ui

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/filter"
	"sanad/internal/words"
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
	Role                domain.Role
	May                 May
	ReadOnly            bool        // the store takes no changes at the moment
	Guide               *GuideInput // of the demo's first run; nil if none
	Unread              int         // notifications, up to MaxUnread
}

// May says which links and forms a page shows. It grants nothing: the server authorizes every request by itself.
type May struct {
	Import, Review, Assign, Export, Manage, Audit bool
	DraftPack, DecidePack, ExportPack             bool
	HoldPack, PurgePack, ConfirmPurge             bool
	Erase, ConfirmErase                           bool
}

// Chrome is what every page carries: the reader's language, theme and current address. Its methods write words, figures
// and dates in the reader's language and digits.
type Chrome struct {
	Lang, Dir, Theme, Digits string
	RequestID                string
	Version                  string // "" if none
	Now                      time.Time
	SignedIn                 bool
	User, Tenant             string
	Role                     domain.Role
	May                      May
	ReadOnly                 bool
	Guide                    *Guide        // of the demo's first run; nil if none
	Unread                   int           // notifications, up to MaxUnread
	Bench                    bool          // the page is the workbench of a ledger, which has nothing of a pack and is kept small
	Skips                    []Option      // further places that the keyboard can skip to: label and address
	LeftFilters              []filter.Left // filters of the address that the page could not use
	ArabicContent            bool          // whatever the page's own language, much of its content is in Arabic
	// seconds after which the page renews itself where there is no JavaScript, 0 for never
	Refresh int
	url     *url.URL
	words   *words.Catalogue
}

// NewChrome makes the chrome of one request.
func NewChrome(in ChromeInput) Chrome {
	c := Chrome{
		Lang: in.Lang, Dir: "ltr", Theme: in.Theme, Digits: in.Digits, RequestID: in.RequestID,
		Now: in.Now, url: in.URL, words: words.In(in.Lang),
		SignedIn: in.SignedIn, User: in.User, Tenant: in.Tenant, Role: in.Role, May: in.May, ReadOnly: in.ReadOnly,
	}
	if in.SignedIn { // a stranger need not know which faults to look up
		c.Version = in.Version
	}
	if c.words == nil {
		c.Lang, c.words = "en", words.In("en")
	}
	if c.Lang == "ar" {
		c.Dir = "rtl"
	}
	c.Guide, c.Unread = c.guide(in.Guide), in.Unread
	return c
}

// T returns the message id; args are name, value pairs for its placeholders.
func (c *Chrome) T(id string, args ...any) string { return c.words.Text(id, args...) }

// N returns the message id in the plural form for count.
func (c *Chrome) N(id string, count int, args ...any) string {
	return c.words.Plural(id, count, c.Num(count), args...)
}

// Num writes a whole number with grouped thousands.
func (c *Chrome) Num(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return c.InDigits(s)
}

// Percent writes a rate from 0 to 1 as a whole percentage.
func (c *Chrome) Percent(rate float64) string {
	return c.InDigits(strconv.Itoa(int(rate*100+0.5)) + "%")
}

// Decimal writes a figure with two places.
func (c *Chrome) Decimal(v float64) string { return c.InDigits(strconv.FormatFloat(v, 'f', 2, 64)) }

// Time writes an instant with its zone.
func (c *Chrome) Time(t time.Time) string {
	return c.Date(t) + c.directionMark() + c.T("list_comma") + c.directionMark() + c.InDigits(t.UTC().Format("15:04")) + " UTC"
}

// directionMark is a mark of the page's direction (LRM or RLM); it keeps figures on both sides of a comma in order.
func (c *Chrome) directionMark() string {
	if c.Dir == "rtl" {
		return "\u200f"
	}
	return "\u200e"
}

// Date writes the day of an instant (UTC).
func (c *Chrome) Date(t time.Time) string {
	t = t.UTC()
	return c.InDigits(strconv.Itoa(t.Day())) + " " + c.T("month_"+strconv.Itoa(int(t.Month()))) + " " +
		c.InDigits(strconv.Itoa(t.Year()))
}

// Stamp writes an instant for a datetime attribute.
func Stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// InDigits replaces Latin digits by the reader's.
func (c *Chrome) InDigits(s string) string {
	if c.Digits != "arab" {
		return s
	}
	return words.ArabicDigits(s)
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

// InBoth returns the message id in both languages, for what is found by its name in either.
func (c *Chrome) InBoth(id string) []string {
	return []string{words.In("en").Text(id), words.In("ar").Text(id)}
}
