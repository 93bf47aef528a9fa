package gallery

import (
	"net/url"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
	"sanad/internal/words"
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
	return append(out, galleryAssign(c)...)
}

// galleryAssign is the page on which many sessions are assigned.
func galleryAssign(c *ui.Chrome) []Sample {
	people := []access.Named{{ID: "u-huda", Name: "هدى السالم"}, {ID: "u-long", Name: hugeWord}, {ID: sampleReader, Name: "Noura Al-Harbi"}}
	page := func(change func(*ledgerviews.AssignInput)) Sample {
		in := ledgerviews.AssignInput{How: ledger.ByTurns, People: people, Until: galleryDay,
			Loads: []ledger.Load{{Seat: ledger.Seat{ID: "u-huda", Name: "هدى السالم"}, First: 40, All: 52}, {Seat: ledger.Seat{ID: "u-gone"}, First: 3, All: 3}},
			Plan:  ledger.Shares{Moved: 412, Others: 43, Finished: 1200}}
		change(&in)
		return Sample{Body: ledgerviews.AssignBody(ledgerviews.NewAssignPage(*c, in))}
	}
	named := func(state string, s Sample) Sample {
		s.State = state
		return s
	}
	return []Sample{
		named("assign many", page(func(*ledgerviews.AssignInput) {})),
		named("assign many, filtered, previewed", page(func(in *ledgerviews.AssignInput) {
			in.Query = ledger.SessionQuery{State: ledger.StateOpen, Text: rtlText, Verdict: ledger.Weak, Flag: ledger.Contradiction}
			in.How, in.Preview, in.To = ledger.ByShares, true, []string{"u-huda", "u-long"}
			in.Takers = []ledger.Taker{{Seat: ledger.Seat{ID: "u-huda", Name: "هدى السالم"}, Share: 3}, {Seat: ledger.Seat{ID: "u-long", Name: hugeWord}, Share: 1}}
			in.Plan = ledger.Shares{Each: []int{309, 103}, Moved: 412, Kept: 2, Unfit: 1, Barred: 5, Beyond: 700}
		})),
		named("assign many, taking back", page(func(in *ledgerviews.AssignInput) {
			in.How, in.Whose, in.Preview = ledger.ToNobody, "u-gone", true
			in.Plan = ledger.Shares{Moved: 3}
		})),
		named("assign many, there is nothing to", page(func(in *ledgerviews.AssignInput) {
			in.Preview, in.Plan = true, ledger.Shares{}
		})),
		named("assign many, refused (422)", page(func(in *ledgerviews.AssignInput) {
			in.Fault = &domain.Error{Kind: domain.Invalid, Path: "to", Message: words.Msg("refused_assign_to")}
		})),
		named("assign many, one chosen, the number refused (422), words kept", page(func(in *ledgerviews.AssignInput) {
			in.Rows = []ledger.SessionRow{{ID: "s", Title: "Leave policy"}, {ID: "t", Title: hugeText}, {ID: "u", Title: rtlText}}
			in.Only, in.Chosen, in.Most = []string{"u"}, in.Rows[2:], hugeWord
			in.Fault = &domain.Error{Kind: domain.Invalid, Path: "most",
				Message: words.Msg("refused_assign_most", "N", ledger.MaxShared)}
		})),
		named("assign many, too many chosen (422)", page(func(in *ledgerviews.AssignInput) {
			in.Rows = []ledger.SessionRow{{ID: "s", Title: "Leave policy"}}
			in.Only, in.Chosen = []string{"s"}, in.Rows
			in.Fault = &domain.Error{Kind: domain.TooLarge, Path: "sessions",
				Message: words.Msg("refused_assign_chosen", "N", ledger.MaxShared)}
		})),
		named("assign many, fewer than there are, before and after", page(func(in *ledgerviews.AssignInput) {
			in.Preview, in.Most, in.To = true, "4", []string{"u-huda"}
			in.Takers = []ledger.Taker{{Seat: ledger.Seat{ID: "u-huda", Name: "هدى السالم"}, Share: 1}}
			in.Plan = ledger.Shares{Each: []int{4}, Moved: 4, Rest: 408}
		})),
		named("assign many, done", page(func(in *ledgerviews.AssignInput) {
			in.Done, in.Plan = &ledgerviews.AssignDone{Moved: 410, Lost: 2, Unfit: 1}, ledger.Shares{}
		})),
	}
}
