package gallery

import (
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryChecks is what becomes of what the answer cites and quotes, in every outcome, on the claim and in the list.
func galleryChecks(c *ui.Chrome) []Sample {
	every := citedEveryWay()
	every.Quotations = quotedEveryWay().Quotations
	row := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.LedgerPart = samplePart(checkedSession(every), sampleSupported)
	})
	return []Sample{
		{State: "row, miscited, with a quotation that is in no source", Body: ledgerviews.ClaimList(c, row.Rows)},
		sampleChecked(c, "citations, every outcome", citedEveryWay()),
		sampleChecked(c, "quotations, every outcome", quotedEveryWay()),
		sampleChecked(c, "cited and quoted from a source without its text", ledger.Checks{
			Citations: []ledger.CitationCheck{{Anchor: "[2]", Status: ledger.NotResolved}}, Unchecked: true}),
	}
}

// sampleChecked is the opened claim with what became of its citations and quotations.
func sampleChecked(c *ui.Chrome, state string, checks ledger.Checks) Sample {
	return Sample{State: state, Body: ledgerviews.OpenedClaim(ledgerviews.NewClaimPage(*c,
		samplePart(checkedSession(checks), sampleSupported), sampleSupported, ledgerviews.ReviewForm{}).View, false)}
}

// checkedSession is gallerySession with the checks of its first claim.
func checkedSession(checks ledger.Checks) *ledger.Session {
	s := gallerySession()
	s.Claims[sampleSupported].Checks, s.Claims[sampleSupported].Citations = checks, nil
	return s
}

// citedEveryWay has a citation of each outcome.
func citedEveryWay() ledger.Checks {
	policy, other := &ledger.ChunkRef{}, &ledger.ChunkRef{Document: 1}
	return ledger.Checks{Citations: []ledger.CitationCheck{
		{Anchor: "[cite:a1b2c3d4]", Status: ledger.Holds, Cited: policy, Supporting: policy},
		{Anchor: "[2]", Status: ledger.Elsewhere, Cited: other, Whole: true, Supporting: policy},
		{Anchor: "[3]", Status: ledger.DoesNotHold, Cited: other, Whole: true},
		{Anchor: "[cite:e5f60718]", Status: ledger.NotResolved},
	}}
}

// quotedEveryWay has a quotation of each outcome.
func quotedEveryWay() ledger.Checks {
	policy := &ledger.ChunkRef{}
	return ledger.Checks{Quotations: []ledger.QuotationCheck{
		{Text: "15 days of paid annual leave", Status: ledger.QuoteExact, Chunk: policy},
		{Text: "up to 5 days may be carried over", Status: ledger.QuoteNormalised, Chunk: policy},
		{Text: "sick leave of up to 10 weeks given against a medical certificate", Status: ledger.QuoteFuzzy, Chunk: policy},
		{Text: "ولا يجوز ترحيل أي يوم منها", Status: ledger.QuoteNotFound},
	}}
}
