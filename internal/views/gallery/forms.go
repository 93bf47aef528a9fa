package gallery

import (
	"sanad/internal/domain/filter"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryForms are fields in each of their states.
func galleryForms(c *ui.Chrome) []Sample {
	field := func(f ui.TextField) Sample {
		f.ID, f.Name, f.Label = "x", "x", c.T("title")
		return Sample{Body: ui.TextInput(f)}
	}
	state := func(s Sample, state string) Sample {
		s.State = state
		return s
	}
	help, approver := c.T("pk_password_help"), *c
	approver.May = ui.May{ConfirmErase: true, ConfirmPurge: true}
	form := func(state string, f ledgerviews.SessionForm) Sample {
		return Sample{State: state, Body: ledgerviews.PasteForm(ledgerviews.NewNewSessionPage(*c, f))}
	}
	day := ui.DateField{ID: "d0", Name: "d", Label: c.T("aud_from")}
	files := ui.FileField{ID: "fi0", Name: "f", Label: c.T("files"), Multiple: true, Help: help}
	left := *c
	left.LeftFilters = []filter.Left{
		{Name: "from", Value: "2026-13-01", Kind: filter.Day}, {Name: "state", Value: rtlText, Kind: filter.Choice},
		{Name: "claim", Value: hugeWord, Kind: filter.Number},
		{Name: "claim", Value: "3", Kind: filter.ClaimAlone},
	}
	return []Sample{
		state(field(ui.TextField{}), "field, empty"),
		state(field(ui.TextField{Help: help, Required: true, Value: "amina"}), "field, with help"),
		state(field(ui.TextField{Help: help, Fault: c.T("fault_verdict"), Value: "x"}), "field, refused"),
		state(field(ui.TextField{Value: hugeWord}), "field, huge text"),
		state(field(ui.TextField{Value: rtlText, Dir: "auto"}), "field, right to left"),
		{State: "day, empty", Body: ui.DateInput(c, day)},
		{State: "day, chosen", Body: ui.DateInput(c, ui.DateField{ID: "d1", Name: "d", Label: c.T("aud_from"), Value: c.Day(c.Now)})},
		{State: "day, refused, words kept", Body: ui.DateInput(c, ui.DateField{
			ID: "d2", Name: "d", Label: c.T("aud_from"), Value: hugeWord, Fault: c.T("fault_verdict"), Help: help, Required: true,
		})},
		{State: "files, none", Body: ui.FileInput(c, files)},
		{State: "one file, required, refused", Body: ui.FileInput(c, ui.FileField{
			ID: "fi1", Name: "f", Label: rtlText, Required: true, Fault: c.T("fault_verdict"), Help: help,
		})},
		{State: "filters that could not be used", Body: ui.UnusedFilters(&left)},
		{State: "text, empty", Body: ui.TextArea(c, "t", "t", c.T("reason"), c.T("close_help"), "", "")},
		{State: "text, refused, words kept",
			Body: ui.TextArea(c, "t", "t", c.T("reason"), c.T("close_help"), rtlText, c.T("fault_reason_long"))},
		form("new session, empty", ledgerviews.SessionForm{DocumentMiB: 64}),
		form("new session, refused (422), words kept", ledgerviews.SessionForm{
			DocumentMiB: 64, Title: rtlText, Query: "How many days?", Answer: hugeText, Lang: "en",
			Fault: &ui.FormFault{Field: "answer", Word: "reason_long"},
		}),
		{State: "a secret, shown once",
			Body: ui.SecretOnce(c, "secret", c.T("adm_tokens"),
				"sanad_0123456789abcdef0123456789abcdef0123456789abcdef")},
		{State: "administration, a group of several pages", Body: ui.AdminNav(c, "periods")},
		{State: "administration, a group of one page", Body: ui.AdminNav(c, "models")},
		{State: "administration, of an approver", Body: ui.AdminNav(&approver, "erasures")},
		{State: "password asked for first", Body: ui.ConfirmFirst(c, "/confirm")},
	}
}
