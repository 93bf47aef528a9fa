package gallery

import (
	"net/http"

	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryMessages are the messages above and beside a page, and the error pages.
func galleryMessages(c *ui.Chrome) []Sample {
	undo := &ledgerviews.UndoForm{
		Action: "/sessions/s/claims/3/reviews", Seen: 1, Label: c.T("undo"),
		About: c.T("undo_claim", "N", c.Num(3)),
	}
	out := []Sample{
		{State: "alerts", Body: alerts(c.T("read_only"))},
		{State: "alerts, huge text", Body: alerts(hugeText + " " + hugeWord)},
		{State: "alerts, right to left", Body: alerts(rtlText)},
		{State: "done", Body: ui.DoneNotice(c.N("n_confirmed", 16))},
		{State: "form refused", Body: ui.FormAlert(c.T("fault_step_changed"))},
		{State: "toast", Body: toast(c.T("js_copied"))},
		{State: "toast that can be undone", Body: ledgerviews.ReviewToast(c.T("review_saved", "N", c.Num(3)), undo, c)},
		{State: "toast, offline", Body: toast(c.T("js_offline"))},
		{State: "toast, huge text", Body: toast(hugeText)},
	}
	for _, x := range []struct {
		state  string
		status int
		detail string
	}{
		{"forbidden", http.StatusForbidden, c.T("needs_role", "Role", c.T("role_approver"))},
		{"no such page", http.StatusNotFound, ""},
		{"too large", http.StatusRequestEntityTooLarge, "The request is larger than 16 MiB, the limit here; split it."},
		{"refused", http.StatusConflict, rtlText},
		{"error", http.StatusInternalServerError, ""},
		{"not available", http.StatusServiceUnavailable, hugeWord},
	} {
		out = append(out, Sample{State: x.state, Body: ui.ErrorBody(ui.NewErrorPage(*c, x.status, x.detail))})
	}
	return out
}
