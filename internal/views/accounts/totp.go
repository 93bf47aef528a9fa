package accounts

import (
	"strconv"

	"sanad/internal/views/ui"
)

// TOTPInput is an authenticator secret that is not stored yet.
type TOTPInput struct {
	Secret  string // base32 in groups, as typed into an app
	QRPath  string // d of an SVG path
	QRSide  int
	Pending string // the sealed secret, which the form sends back
	Fault   *ui.FormFault
}

// TOTPPage shows the secret and asks for a first code.
type TOTPPage struct {
	ui.Chrome
	In   TOTPInput
	View string // viewBox of the QR code
}

// NewTOTPPage lays out the second step's set-up. Pure.
func NewTOTPPage(c ui.Chrome, in TOTPInput) *TOTPPage {
	side := strconv.Itoa(in.QRSide)
	return &TOTPPage{Chrome: c, In: in, View: "0 0 " + side + " " + side}
}

// codeField asks for the first code.
func (p *TOTPPage) codeField() ui.TextField {
	return ui.TextField{
		ID: "t-code", Name: "code", Label: p.T("totp_code"), Help: p.T("totp_code_help"),
		Fault:    p.FaultAt(p.In.Fault, "code"),
		Complete: "one-time-code", Mode: "numeric", Dir: "ltr", Required: true,
	}
}

// RecoveryPage shows the recovery codes, once.
type RecoveryPage struct {
	ui.Chrome
	Codes []string
}

// NewRecoveryPage lays out the codes. Pure.
func NewRecoveryPage(c ui.Chrome, codes []string) *RecoveryPage { return &RecoveryPage{c, codes} }
