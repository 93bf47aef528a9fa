package accounts

import (
	"cmp"
	"strconv"
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/views/ui"
)

// TenantForm is a tenant's settings as they are stored, or as typed.
type TenantForm struct {
	Name, Months string
	Zone         string // time zone
	Week         access.WeekStart
	Calendar     access.Calendar
	Second       ledger.SecondReview
	Remind       [3]string // after, every, at most
	Slug         string
	Fault        *ui.FormFault // fields name, months, remind_after, remind_every, remind_most, required, and these with .reason

	Demand          access.Demand
	Reason, Confirm string
	FactorOn        bool // approvers and administrators need a second factor
}

// TenantPage is the settings of a tenant.
type TenantPage struct {
	ui.Chrome
	Form TenantForm
	Done string
}

// NewTenantPage lays out the settings. Pure.
func NewTenantPage(c ui.Chrome, f TenantForm) *TenantPage {
	return &TenantPage{c, f, c.Notice("ten_done_", "saved")}
}

// secondReviewOptions are the choices of the second review.
func (p *TenantPage) secondReviewOptions() []ui.Option {
	out := make([]ui.Option, len(ledger.SecondReviews))
	for i, m := range ledger.SecondReviews {
		out[i] = ui.Option{Value: string(m), Label: p.SecondReview(m), Selected: m == p.Form.Second}
	}
	return out
}

// weekOptions and calendarOptions are the choices of how days are counted.
func (p *TenantPage) weekOptions() []ui.Option {
	out := make([]ui.Option, len(access.WeekStarts))
	for i, w := range access.WeekStarts {
		out[i] = ui.Option{Value: string(w), Label: p.T("ten_week_" + w.Weekday().String()), Selected: w == p.Form.Week}
	}
	return out
}

func (p *TenantPage) calendarOptions() []ui.Option {
	out := make([]ui.Option, len(access.Calendars))
	for i, x := range access.Calendars {
		out[i] = ui.Option{Value: string(x), Label: p.T("ten_calendar_" + cmp.Or(string(x), "gregorian")), Selected: x == p.Form.Calendar}
	}
	return out
}

// field is one field of the settings.
func (p *TenantPage) field(name, value, help string) ui.TextField {
	f := ui.TextField{
		ID: "t-" + name, Name: name, Label: p.T("ten_" + name), Help: help, Value: value,
		Fault:    p.FaultAt(p.Form.Fault, name),
		Complete: "off", Required: true, Dir: "auto",
	}
	switch name {
	case "months":
		f.Mode, f.Dir = "numeric", "ltr"
	case "remind_after", "remind_every", "remind_most":
		f.Mode, f.Dir = "numeric", "ltr"
	case "zone":
		f.Dir, f.Offers = "ltr", commonZones
	}
	return f
}

// Reminders lists settings as they are typed.
func Reminders(r due.Reminders) [3]string {
	return [3]string{strconv.Itoa(r.After), strconv.Itoa(r.Every), strconv.Itoa(r.Most)}
}

// ZoneNamed returns the time zone that was typed: one of commonZones by the name of its city alone, else what was typed.
func ZoneNamed(typed string) string {
	typed = strings.TrimSpace(typed)
	for _, zone := range commonZones {
		_, city, _ := strings.Cut(zone, "/")
		if strings.EqualFold(strings.ReplaceAll(typed, " ", "_"), city) && city != "" {
			return zone
		}
	}
	return typed
}

// commonZones are offered for the time zone: the region's first. Any other name of the IANA database is taken too.
var commonZones = []string{"Asia/Riyadh", "Asia/Dubai", "Asia/Qatar", "Asia/Kuwait", "Asia/Bahrain", "Asia/Muscat",
	"Asia/Aden", "Asia/Baghdad", "Asia/Amman", "Asia/Beirut", "Asia/Damascus", "Asia/Gaza", "Africa/Cairo", "Africa/Khartoum",
	"Africa/Tripoli", "Africa/Tunis", "Africa/Algiers", "Africa/Casablanca", "Asia/Tehran", "Europe/Istanbul", "Asia/Karachi",
	"Asia/Kolkata", "Asia/Singapore", "Asia/Tokyo", "Europe/London", "Europe/Paris", "Europe/Berlin", "America/New_York",
	"America/Los_Angeles", "UTC"}
