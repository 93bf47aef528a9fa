package gallery

import (
	"github.com/a-h/templ"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// galleryLinks are the states of the form in which a draft gets its review session.
func galleryLinks(c *ui.Chrome) []Sample {
	row := func(id, title string, claims int) ledger.SessionRow {
		return ledger.SessionRow{ID: id, Title: title, Claims: claims, Settled: claims / 2, CreatedAt: galleryDay}
	}
	rows := []ledger.SessionRow{row("s1", "Fit of the hospital", 12), row("s2", "سياسة الإجازات السنوية", 1),
		row("s3", hugeText, 5000), row("s4", hugeWord, 0)}
	form := func(change func(*packsviews.SessionInput)) templ.Component {
		x := &pack.Pack{
			Content: pack.Content{PackID: "pack_0123456789abcdef", Version: 1, Header: pack.Header{DecisionID: "dec_1", Title: "Fit"}},
			Life:    pack.Life{PackID: "pack_0123456789abcdef", State: pack.Draft, Revision: 4, Need: 1},
		}
		in := packsviews.SessionInput{Pack: x, Rows: rows}
		change(&in)
		return packsviews.SessionForm(packsviews.NewSessionPage(*c, in))
	}
	return []Sample{
		{State: "review session, none yet", Body: form(func(in *packsviews.SessionInput) { in.More = true })},
		{State: "review session, not here", Body: form(func(in *packsviews.SessionInput) {
			in.Pack.Content.LedgerSessionID = hugeWord
		})},
		{State: "review session, nothing found", Body: form(func(in *packsviews.SessionInput) { in.Rows, in.Query = nil, rtlText })},
		{State: "review session, linked", Body: form(func(in *packsviews.SessionInput) { in.Present, in.Linked = &rows[1], true })},
		{State: "review session, named by the decision", Body: form(func(in *packsviews.SessionInput) {
			in.Present, in.Named = &rows[2], true
		})},
		{State: "review session, refused", Body: form(func(in *packsviews.SessionInput) {
			in.Chosen, in.Reason, in.Fault = "s2", rtlText, &ui.FormFault{Field: "session_id", Word: "session_none"}
		})},
	}
}
