package views

// galleryForms are fields in each of their states.
func galleryForms(c *Chrome) []Sample {
	field := func(f TextField) Sample {
		f.ID, f.Name, f.Label = "x", "x", c.T("title")
		return Sample{Body: textField(f)}
	}
	state := func(s Sample, state string) Sample {
		s.State = state
		return s
	}
	help := c.T("pk_password_help")
	form := func(state string, f SessionForm) Sample {
		return Sample{State: state, Body: pasteForm(NewNewSessionPage(*c, f))}
	}
	return []Sample{
		state(field(TextField{}), "field, empty"),
		state(field(TextField{Help: help, Required: true, Value: "amina"}), "field, with help"),
		state(field(TextField{Help: help, Fault: c.T("fault_verdict"), Value: "x"}), "field, refused"),
		state(field(TextField{Value: hugeWord}), "field, huge text"),
		state(field(TextField{Value: rtlText, Dir: "auto"}), "field, right to left"),
		{State: "text, empty", Body: textArea(c, "t", "t", c.T("reason"), c.T("close_help"), "", "")},
		{State: "text, refused, words kept", Body: textArea(c, "t", "t", c.T("reason"), c.T("close_help"), rtlText, c.T("fault_reason_long"))},
		form("new session, empty", SessionForm{DocumentMiB: 64}),
		form("new session, refused (422), words kept", SessionForm{
			DocumentMiB: 64, Title: rtlText, Query: "How many days?", Answer: hugeText, Lang: "en", FaultKind: "too_large", FaultPath: "answer", Fault: "The answer is too long.",
		}),
		{State: "a secret, shown once", Body: secretOnce(c, "secret", c.T("adm_tokens"), "sanad_0123456789abcdef0123456789abcdef0123456789abcdef")},
		{State: "password asked for first", Body: confirmFirst(c, "/confirm")},
	}
}
