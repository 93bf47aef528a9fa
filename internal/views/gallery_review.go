package views

import (
	"net/url"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// galleryReview is the review of a whole session.
func galleryReview(c *Chrome) []Sample {
	viewer := *c
	viewer.May = May{}
	page := func(change func(*SessionInput)) *SessionPage { return samplePage(c, change) }
	fresh := page(func(in *SessionInput) {
		s := gallerySession()
		s.Seats = ledger.Seats{}
		for i := range s.Claims {
			s.Claims[i].Reviews = nil
		}
		in.LedgerPart = samplePart(s)
	})
	closed := page(func(in *SessionInput) {
		in.State, in.Closing = ledger.Closed, ledger.Closing{At: galleryDay, By: "هدى السالم", Reason: "Out of scope: " + hugeText}
	})
	two := page(func(in *SessionInput) {
		in.Session.Second, in.Session.Seats[1] = ledger.SecondOpen, ledger.Seat{ID: "u-huda", Name: hugeWord}
		in.Overview.Summary.Differing, in.Own = 3, 5
	})
	closeRefused := page(func(in *SessionInput) {
		in.Steps = StepsForm{Reason: rtlText, Fault: &domain.Error{Kind: domain.TooLarge, Path: "reason", Msg: "The text is too long."}}
	})
	assignRefused := page(func(in *SessionInput) {
		in.Steps = StepsForm{Chosen: &Chosen{Mode: ledger.SecondOpen}, Fault: &domain.Error{Kind: domain.Invalid, Path: "second_reviewer", Msg: "Two seats need two people."}}
	})
	confirmed := page(func(in *SessionInput) { in.Steps.Done = StepDone{Confirmed: 16, Batch: "b"} })
	undone := page(func(in *SessionInput) { in.Steps.Done = StepDone{Undone: 16} })
	refused := page(func(in *SessionInput) { in.Steps.Fault = &domain.Error{Kind: domain.Conflict} })
	quiet := page(nil)
	quiet.Flags = nil
	out := []Sample{
		{State: "panel, new, nobody assigned", Body: reviewPanel(fresh)},
		{State: "panel, in review", Body: reviewPanel(page(nil))},
		{State: "panel, two reviewers", Body: reviewPanel(two)},
		{State: "panel, closed", Body: reviewPanel(closed)},
		{State: "panel, closing refused (422), words kept", Body: reviewPanel(closeRefused)},
		{State: "panel, assignment refused (422)", Body: reviewPanel(assignRefused)},
		{State: "panel, forbidden: the reader may not review", Body: reviewPanel(samplePage(&viewer, nil))},
		{State: "several confirmed, can be taken back", Body: stepNotice(confirmed)},
		{State: "several taken back", Body: stepNotice(undone)},
		{State: "nothing done: stale (409)", Body: stepNotice(refused)},
		{State: "flags", Body: flagList(page(func(in *SessionInput) { in.Filter.Flag = ledger.Contradiction }))},
		{State: "flags, none", Body: flagList(quiet)},
		{State: "follow-up questions", Body: adviceList("fu-h", c.T("follow_ups"), page(nil).FollowUps)},
	}
	bulk := func(state string, in BulkInput) {
		in.Session, in.Query = gallerySession(), url.Values{"verdict": {"weak"}}
		out = append(out, Sample{State: state, Body: bulkBody(NewBulkPage(*c, in))})
	}
	plan := func(fault *domain.Error) BulkInput {
		in := BulkInput{ByVerdict: map[ledger.Verdict]int{}, Unjudged: 1, Decided: 2, Fault: fault}
		for _, at := range []int{0, 2, 3, 4, 7, 8, 9, 10, 11} {
			if e, ok := gallerySession().EntryAt(at, nil); ok {
				in.ByVerdict[e.Verdict]++
				in.First = append(in.First, e)
			}
		}
		return in
	}
	bulk("confirm several", plan(nil))
	bulk("confirm several, stale (409)", plan(&domain.Error{Kind: domain.Conflict}))
	bulk("confirm several, there is nothing to", BulkInput{})
	bulk("confirm several, too many", BulkInput{ByVerdict: map[ledger.Verdict]int{ledger.Weak: ledger.MaxBulk + 1}})
	return out
}
