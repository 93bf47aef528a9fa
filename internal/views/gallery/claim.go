package gallery

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryClaim is the opened claim in every state of its verdict and its evidence.
func galleryClaim(c *ui.Chrome) []Sample {
	loading := sampleView(c, "", sampleSupported, ledgerviews.ReviewForm{})
	return append([]Sample{
		sampleView(c, "supported", sampleSupported, ledgerviews.ReviewForm{}),
		sampleView(c, "contradicted", sampleContradicted, ledgerviews.ReviewForm{}),
		sampleView(c, "not found, uncited", sampleNotFound, ledgerviews.ReviewForm{}),
		sampleView(c, "weak", sampleWeak, ledgerviews.ReviewForm{}),
		sampleView(c, "unjudged", sampleUnjudged, ledgerviews.ReviewForm{}),
		sampleView(c, "evidence withdrawn", sampleWithdrawn, ledgerviews.ReviewForm{}),
		sampleView(c, "quote that is not in its source", sampleInvented, ledgerviews.ReviewForm{}),
		sampleView(c, "huge text", sampleHuge, ledgerviews.ReviewForm{}),
		sampleView(c, "right to left", sampleRTL, ledgerviews.ReviewForm{}),
		{State: "loading", Body: busy(loading.Body)},
		nearest(c, "nearest passages of a claim that was not found", 0, 1, 2),
		nearest(c, "nothing is near to a claim that was not found"),
	}, contrasts(c)...)
}

// nearest is what stands beside a claim without evidence: the first sentences of chunks of its first document.
func nearest(c *ui.Chrome, state string, chunks ...int) Sample {
	s := gallerySession()
	in := ledgerviews.PassagesInput{Session: s, Claim: &s.Claims[sampleNotFound]}
	for _, i := range chunks {
		ch := &s.Documents[0].Chunks[i%len(s.Documents[0].Chunks)]
		in.Near = append(in.Near, ledger.Near{
			Chunk: ledger.ChunkRef{Document: 0, Chunk: ch.Position}, Span: text.Sentences(ch.Text)[0],
		})
	}
	return Sample{State: state, Body: ledgerviews.NearestPassages(ledgerviews.NewPassagesPage(*c, in))}
}

// sampleView is the claim at a position, opened, with a form as it was sent.
func sampleView(c *ui.Chrome, state string, at int, form ledgerviews.ReviewForm) Sample {
	return Sample{State: state, Body: ledgerviews.OpenedClaim(ledgerviews.NewClaimPage(*c,
		samplePart(gallerySession(), at), at, form).View, false)}
}

// galleryDecision is the opened claim in every state of its review.
func galleryDecision(c *ui.Chrome) []Sample {
	viewer := *c
	viewer.May = ui.May{}
	out := []Sample{
		sampleView(c, "overridden", sampleOverridden, ledgerviews.ReviewForm{}),
		sampleView(c, "stale: the judgement has changed since", sampleStale, ledgerviews.ReviewForm{}),
		sampleView(&viewer, "forbidden: the reader may not review", sampleConfirmed, ledgerviews.ReviewForm{}),
		sampleView(c, "just saved", sampleConfirmed, ledgerviews.ReviewForm{Saved: true}),
		sampleView(c, "refused (422), words kept", sampleWeak, ledgerviews.ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Override, Reason: "The second sentence says so."},
			Fault: &domain.Error{Kind: domain.Invalid, Path: "verdict"},
		}),
		sampleView(c, "refused (422), too long", sampleWeak, ledgerviews.ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Comment, Reason: strings.Repeat(rtlText+" ", 4)},
			Fault: &domain.Error{Kind: domain.TooLarge, Path: "reason"},
		}),
		sampleView(c, "stale form (409), words kept", sampleOverridden, ledgerviews.ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Comment, Reason: "I was writing this meanwhile."},
			Fault: &domain.Error{Kind: domain.Conflict},
		}),
	}
	two := func(state string, second ledger.SecondReview, reviews ...ledger.Review) {
		s := gallerySession()
		s.Second, s.Seats[1] = second, ledger.Seat{ID: "u-huda", Name: "هدى السالم"}
		s.Claims[sampleWeak].Reviews = reviews
		s.HideSealed(sampleReader)
		out = append(out, Sample{State: state,
			Body: ledgerviews.OpenedClaim(ledgerviews.NewClaimPage(*c, samplePart(s, sampleWeak), sampleWeak,
				ledgerviews.ReviewForm{}).View, false)})
	}
	mine := ledger.Review{Action: ledger.Confirm, Verdict: ledger.Weak, By: sampleReader, Actor: "Noura Al-Harbi",
		At: galleryDay}
	hers := ledger.Review{Action: ledger.Override, Verdict: ledger.Supported, Reason: rtlText, By: "u-huda",
		Actor: "هدى السالم", At: galleryDay}
	two("two reviewers differ", ledger.SecondOpen, mine, hers)
	two("blind: sealed until both have decided", ledger.SecondBlind, mine)
	question := ledger.Review{ID: "r1", Action: ledger.Comment, Reason: "Is this the policy of 2024?", Asks: true,
		By: sampleReader, Actor: "Noura Al-Harbi", At: galleryDay}
	reply := ledger.Review{ID: "r2", Action: ledger.Comment, Reason: rtlText, Thread: 1, By: "u-huda", Actor: "هدى السالم",
		At: galleryDay}
	resolved := ledger.Review{ID: "r3", Action: ledger.Resolve, Thread: 1, By: sampleReader, Actor: "Noura Al-Harbi",
		At: galleryDay}
	withdrawn := ledger.Review{ID: "r2", Action: ledger.Undo, Undoes: 1, By: sampleReader, Actor: "Noura Al-Harbi",
		At: galleryDay}
	two("an open thread", ledger.OneReviewer, question, reply)
	two("a resolved thread", ledger.OneReviewer, question, reply, resolved)
	two("a question that was withdrawn", ledger.OneReviewer, question, withdrawn)
	s := gallerySession()
	s.Claims[sampleWeak].Reviews = []ledger.Review{question, reply}
	out = append(out, Sample{State: "a reply refused (422), words kept", Body: ledgerviews.OpenedClaim(
		ledgerviews.NewClaimPage(*c, samplePart(s, sampleWeak), sampleWeak, ledgerviews.ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Comment, Reason: strings.Repeat(rtlText+" ", 4), Thread: "r1"},
			Fault: &domain.Error{Kind: domain.TooLarge, Path: "reason"},
		}).View, false)})
	return append(out, setAside(c)...)
}

// setAside is what no longer counts, and the form that puts other claims in its place.
func setAside(c *ui.Chrome) []Sample {
	viewer := *c
	viewer.May = ui.May{}
	claim := func(c *ui.Chrome, state string, at int) Sample {
		return Sample{State: state, Body: ledgerviews.OpenedClaim(ledgerviews.NewClaimPage(*c,
			samplePart(asideSession(), at), at, ledgerviews.ReviewForm{}).View, false)}
	}
	form := func(state string, in ledgerviews.RewordInput) Sample {
		in.Session = gallerySession()
		return Sample{State: state, Body: ledgerviews.RewordForm(ledgerviews.NewRewordPage(*c, in))}
	}
	return []Sample{
		claim(c, "not a claim: the reader marked it", sampleSupported),
		claim(&viewer, "not a claim: the reader may not review", sampleSupported),
		claim(c, "not a claim: another reviewer marked it", sampleHuge),
		claim(c, "replaced by two others", sampleContradicted),
		claim(c, "in the place of another", sampleRTL),
		form("words of a claim", ledgerviews.RewordInput{Claims: []int{sampleSupported}}),
		form("words of a claim, split, right to left", ledgerviews.RewordInput{Claims: []int{sampleRTL},
			Texts: strings.Replace(rtlText, "، ", "\n", 1), Reason: rtlText}),
		form("words of three claims, merged", ledgerviews.RewordInput{
			Claims: []int{sampleContradicted, sampleConfirmed, sampleNotFound}}),
		form("words of a claim, refused (422), words kept", ledgerviews.RewordInput{Claims: []int{sampleWeak}, Texts: " ",
			Reason: hugeWord, Fault: domain.Refuse(domain.Invalid, "texts", "refused_reword_empty")}),
		form("words of a claim, huge text", ledgerviews.RewordInput{Claims: []int{sampleHuge}}),
	}
}

// asideSession is gallerySession with claims that no longer count, and one that came in the place of another.
func asideSession() *ledger.Session {
	s := gallerySession()
	say := func(at int, by, actor string, r ledger.Review) {
		r.By, r.Actor, r.Role, r.At = by, actor, "reviewer", galleryDay
		s.Claims[at].Reviews = append(s.Claims[at].Reviews, r)
	}
	say(sampleSupported, sampleReader, "Noura Al-Harbi",
		ledger.Review{Action: ledger.NotAClaim, Reason: "It only leads in."})
	say(sampleHuge, "u-huda", "هدى السالم", ledger.Review{Action: ledger.NotAClaim, Reason: rtlText})
	say(sampleContradicted, sampleReader, "Noura Al-Harbi",
		ledger.Review{Action: ledger.Replace, Into: []int{sampleInvented, sampleRTL}, Reason: "Two statements."})
	s.Claims[sampleInvented].Replaces, s.Claims[sampleRTL].Replaces = []int{sampleContradicted}, []int{sampleContradicted}
	s.Claims[sampleRTL].Reviews = nil
	return s
}
