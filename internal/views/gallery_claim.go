package views

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
)

// galleryClaim is the opened claim in every state of its verdict and its evidence.
func galleryClaim(c *Chrome) []Sample {
	loading := sampleView(c, "", sampleSupported, ReviewForm{})
	return []Sample{
		sampleView(c, "supported", sampleSupported, ReviewForm{}),
		sampleView(c, "contradicted", sampleContradicted, ReviewForm{}),
		sampleView(c, "not found, uncited", sampleNotFound, ReviewForm{}),
		sampleView(c, "weak", sampleWeak, ReviewForm{}),
		sampleView(c, "unjudged", sampleUnjudged, ReviewForm{}),
		sampleView(c, "evidence withdrawn", sampleWithdrawn, ReviewForm{}),
		sampleView(c, "quote that is not in its source", sampleInvented, ReviewForm{}),
		sampleView(c, "huge text", sampleHuge, ReviewForm{}),
		sampleView(c, "right to left", sampleRTL, ReviewForm{}),
		{State: "loading", Body: waiting(loading.Body)},
	}
}

// sampleView is the claim at a position, opened, with a form as it was sent.
func sampleView(c *Chrome, state string, at int, form ReviewForm) Sample {
	return Sample{State: state, Body: claimView(NewClaimPage(*c, samplePart(gallerySession(), at), at, form).View, false)}
}

// galleryDecision is the opened claim in every state of its review.
func galleryDecision(c *Chrome) []Sample {
	viewer := *c
	viewer.May = May{}
	out := []Sample{
		sampleView(c, "overridden", sampleOverridden, ReviewForm{}),
		sampleView(c, "stale: the judgement has changed since", sampleStale, ReviewForm{}),
		sampleView(&viewer, "forbidden: the reader may not review", sampleConfirmed, ReviewForm{}),
		sampleView(c, "just saved", sampleConfirmed, ReviewForm{Saved: true}),
		sampleView(c, "refused (422), words kept", sampleWeak, ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Override, Reason: "The second sentence says so."},
			Fault: &domain.Error{Kind: domain.Invalid, Path: "verdict", Msg: "Choose a verdict."},
		}),
		sampleView(c, "refused (422), too long", sampleWeak, ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Comment, Reason: strings.Repeat(rtlText+" ", 4)},
			Fault: &domain.Error{Kind: domain.TooLarge, Path: "reason", Msg: "The text is too long."},
		}),
		sampleView(c, "stale form (409), words kept", sampleOverridden, ReviewForm{
			Input: ledger.ReviewInput{Action: ledger.Comment, Reason: "I was writing this meanwhile."}, Fault: &domain.Error{Kind: domain.Conflict},
		}),
	}
	two := func(state string, second ledger.SecondReview, reviews ...ledger.Review) {
		s := gallerySession()
		s.Second, s.Seats[1] = second, ledger.Seat{ID: "u-huda", Name: "هدى السالم"}
		s.Claims[sampleWeak].Reviews = reviews
		s.HideSealed(sampleReader)
		out = append(out, Sample{State: state, Body: claimView(NewClaimPage(*c, samplePart(s, sampleWeak), sampleWeak, ReviewForm{}).View, false)})
	}
	mine := ledger.Review{Action: ledger.Confirm, Verdict: ledger.Weak, By: sampleReader, Actor: "Noura Al-Harbi", At: galleryDay}
	hers := ledger.Review{Action: ledger.Override, Verdict: ledger.Supported, Reason: rtlText, By: "u-huda", Actor: "هدى السالم", At: galleryDay}
	two("two reviewers differ", ledger.SecondOpen, mine, hers)
	two("blind: sealed until both have decided", ledger.SecondBlind, mine)
	return out
}
