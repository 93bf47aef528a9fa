package views

import "sanad/internal/domain/ledger"

// TenantForm is a tenant's settings as they stand, or as they were typed.
type TenantForm struct {
	Name, Months string
	Second       ledger.SecondReview
	Slug         string
	Fault        *FormFault // fields name, months
}

// TenantPage is the settings of a tenant.
type TenantPage struct {
	Chrome
	Form TenantForm
	Done string
}

// NewTenantPage lays out the settings. Pure.
func NewTenantPage(c Chrome, f TenantForm) *TenantPage {
	return &TenantPage{c, f, c.notice("ten_done_", "saved")}
}

// seconds are the choices of the second review.
func (p *TenantPage) seconds() []Option {
	out := make([]Option, len(ledger.SecondReviews))
	for i, m := range ledger.SecondReviews {
		out[i] = Option{string(m), p.T("mode_" + modeKey(m)), m == p.Form.Second}
	}
	return out
}

// field is one field of the settings.
func (p *TenantPage) field(name, value, help string) TextField {
	f := TextField{
		ID: "t-" + name, Name: name, Label: p.T("ten_" + name), Help: help, Value: value, Fault: p.faultAt(p.Form.Fault, name),
		Complete: "off", Required: true, Dir: "auto",
	}
	if name == "months" {
		f.Mode, f.Dir = "numeric", "ltr"
	}
	return f
}
