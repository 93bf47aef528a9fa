package gallery

import (
	"github.com/a-h/templ"

	"sanad/internal/domain/pack"
	ledgerviews "sanad/internal/views/ledger"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// galleryTrust is what an approver is told before signing, and passages that reviewers attach.
func galleryTrust(c *ui.Chrome) []Sample {
	return []Sample{
		{State: "before signing, with alarms", Body: beforeSigning(c, &packsviews.Attention{
			Alarms: []packsviews.AlarmView{
				{ID: "call:1", Text: c.T("pk_departure_differs"), Href: "#sec-tools"},
				{ID: "claims", Text: rtlText, Href: "#sec-claims"},
				{ID: "huge", Text: hugeText, Href: "#sec-claims"},
			},
			Rules: []packsviews.RuleView{{Name: c.T("policy.rule_all_reviewed"), Level: c.T("policy.level_warn"),
				Text: c.T("policy.broken_all_reviewed")}},
			Policy: c.T("policy.under", "N", c.Num(2), "Class", "A2"), Newer: c.T("policy.newer", "N", c.Num(3)),
			Reviewers: "Yousef Al Balushi، مريم الهاملي",
		})},
		{State: "before signing, nothing raised", Body: beforeSigning(c, &packsviews.Attention{
			Policy: c.T("policy.under", "N", c.Num(2), "Class", "A2"),
		})},
		{State: "mended at some places", Body: packsviews.MendList([]packsviews.MendLine{
			{Path: "sources[0].excerpt", Change: c.T("pk_mend_changed")},
			{Path: "tool_calls[12].actual_action", Change: c.T("pk_mend_added")},
		})},
		{State: "passage to attach", Body: ledgerviews.PassageForm(c, passage(c, hugeText))},
		{State: "passage to attach, right to left", Body: ledgerviews.PassageForm(c, passage(c, rtlText))},
	}
}

// beforeSigning is a pack in review with what its approver should know.
func beforeSigning(c *ui.Chrome, x *packsviews.Attention) templ.Component {
	p := samplePack(c, pack.InReview, nil)
	p.Attention = x
	return packsviews.BeforeSigning(p)
}

// passage offers a chunk or one sentence of it.
func passage(c *ui.Chrome, sentence string) ledgerviews.PassageChoice {
	return ledgerviews.PassageChoice{Action: "#", Revision: "1", DocumentID: "d", ID: "p-1-1", File: "HR_Handbook.pdf",
		Whole: "0:0-90", Chosen: "0:0-40", Sentences: []ledgerviews.ChoiceSentence{
			{Value: "0:0-40", Text: sentence, Dir: "auto"}, {Value: "0:41-90", Text: "It is handed in on the way out.", Dir: "ltr"}}}
}
