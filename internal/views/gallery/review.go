package gallery

import (
	"net/url"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryReview is the review of a whole session.
func galleryReview(c *ui.Chrome) []Sample {
	viewer := *c
	viewer.May = ui.May{}
	page := func(change func(*ledgerviews.SessionInput)) *ledgerviews.SessionPage { return samplePage(c, change) }
	fresh := page(func(in *ledgerviews.SessionInput) {
		s := gallerySession()
		s.Seats = ledger.Seats{}
		for i := range s.Claims {
			s.Claims[i].Reviews = nil
		}
		in.LedgerPart = samplePart(s)
	})
	closed := page(func(in *ledgerviews.SessionInput) {
		in.State, in.Closing = ledger.Closed, ledger.Closing{At: galleryDay, By: "هدى السالم",
			Reason: "Out of scope: " + hugeText}
	})
	two := page(func(in *ledgerviews.SessionInput) {
		in.Session.Second, in.Session.Seats[1] = ledger.SecondOpen, ledger.Seat{ID: "u-huda", Name: hugeWord}
		in.Overview.Summary.Differing, in.Own = 3, 5
	})
	closeRefused := page(func(in *ledgerviews.SessionInput) {
		in.Steps = ledgerviews.StepsForm{Reason: rtlText,
			Fault: &domain.Error{Kind: domain.TooLarge, Path: "reason"}}
	})
	assignRefused := page(func(in *ledgerviews.SessionInput) {
		in.Steps = ledgerviews.StepsForm{Chosen: &ledgerviews.Chosen{Mode: ledger.SecondOpen},
			Fault: &domain.Error{Kind: domain.Invalid, Path: "second_reviewer"}}
	})
	confirmed := page(func(in *ledgerviews.SessionInput) { in.Steps.Done = ledgerviews.StepDone{Confirmed: 16, Batch: "b"} })
	undone := page(func(in *ledgerviews.SessionInput) { in.Steps.Done = ledgerviews.StepDone{Undone: 16} })
	refused := page(func(in *ledgerviews.SessionInput) { in.Steps.Fault = &domain.Error{Kind: domain.Conflict} })
	quiet := page(nil)
	quiet.Flags = nil
	out := []Sample{
		{State: "panel, new, nobody assigned", Body: ledgerviews.ReviewSection(fresh)},
		{State: "panel, in review", Body: ledgerviews.ReviewSection(page(nil))},
		{State: "panel, two reviewers", Body: ledgerviews.ReviewSection(two)},
		{State: "panel, closed", Body: ledgerviews.ReviewSection(closed)},
		{State: "panel, closing refused (422), words kept", Body: ledgerviews.ReviewSection(closeRefused)},
		{State: "panel, assignment refused (422)", Body: ledgerviews.ReviewSection(assignRefused)},
		{State: "panel, forbidden: the reader may not review",
			Body: ledgerviews.ReviewSection(samplePage(&viewer, nil))},
		{State: "several confirmed, can be taken back", Body: ledgerviews.StepNotice(confirmed)},
		{State: "several taken back", Body: ledgerviews.StepNotice(undone)},
		{State: "nothing done: stale (409)", Body: ledgerviews.StepNotice(refused)},
		{State: "flags", Body: ledgerviews.FlagList(page(func(in *ledgerviews.SessionInput) { in.Filter.Flag = ledger.Contradiction }))},
		{State: "flags, none", Body: ledgerviews.FlagList(quiet)},
	}
	bulk := func(state string, in ledgerviews.BulkInput) {
		in.Session, in.Query = gallerySession(), url.Values{"verdict": {"weak"}}
		out = append(out, Sample{State: state, Body: ledgerviews.BulkBody(ledgerviews.NewBulkPage(*c, in))})
	}
	plan := func(fault *domain.Error) ledgerviews.BulkInput {
		in := ledgerviews.BulkInput{Fault: fault,
			Confirmable: ledger.Confirmable{ByVerdict: map[ledger.Verdict]int{}, Unjudged: 1, Decided: 2}}
		for _, at := range []int{0, 2, 3, 4, 7, 8, 9, 10, 11} {
			if e, ok := gallerySession().EntryAt(at, nil); ok {
				in.ByVerdict[e.Verdict]++
				in.Count++
				in.First = append(in.First, e)
			}
		}
		return in
	}
	bulk("confirm several", plan(nil))
	bulk("confirm several, stale (409)", plan(&domain.Error{Kind: domain.Conflict}))
	bulk("confirm several, there is nothing to", ledgerviews.BulkInput{})
	bulk("confirm several, too many",
		ledgerviews.BulkInput{Confirmable: ledger.Confirmable{Count: ledger.MaxBulk + 1,
			ByVerdict: map[ledger.Verdict]int{ledger.Weak: ledger.MaxBulk + 1}}})
	return out
}
