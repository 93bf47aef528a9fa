package gallery

import (
	"sanad/internal/domain/judge"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// contrasts are claims beside their passages, one for each way in which they agree or differ.
func contrasts(c *ui.Chrome) []Sample {
	var out []Sample
	for _, x := range [][3]string{
		{"the source says the opposite", "Travel by taxi is reimbursed.",
			"Trains are paid. Travel by taxi is not reimbursed. Keep the receipt."},
		{"the source says the opposite, in Arabic", "يجوز ترحيل الإجازة السنوية إلى العام التالي.",
			"لا يجوز ترحيل الإجازة السنوية إلى العام التالي. وتُصرف بقيتها نقدًا."},
		{"equal quantities", "Refunds are made within two weeks.", "Refunds are made within 14 days of the request."},
		{"equal quantities, in Arabic", "يستحق الموظف إجازة مدتها ٣٠ يومًا.",
			"يستحق الموظف إجازة سنوية مدتها ثلاثون يوماً مدفوعة الأجر."},
		{"something else is said", "All employees must wear a badge of 500 USD.",
			"Some employees may wear a badge of $500, unless they work outside."},
		{"something is missing", "Visitors sign the book and pay 20 riyals at the gate.",
			"Visitors sign the book at the gate."},
		{"word for word", "The canteen opens at 11:30.", "The canteen opens at 11:30. It is on the ground floor."},
	} {
		out = append(out, contrastSample(c, x[0], x[1], x[2], nil))
	}
	return append(out,
		contrastSample(c, "two languages", "Employees get 30 days of leave.", "للموظف إجازة مدتها ثلاثون يوماً.",
			func(s *ledger.Session) {
				s.Claims[0].Judge, s.Claims[0].Unjudged = "given", ""
				s.Claims[0].Matches = []ledger.Match{{Support: ledger.Full, Similarity: 0.9, Snippet: "ثلاثون يوماً",
					Quote: text.Place("ثلاثون يوماً", s.Documents[0].Chunks[0].Text)}}
			}),
		contrastSample(c, "the source's text is not stored", "Travel by taxi is reimbursed.",
			"Travel by taxi is not reimbursed.", func(s *ledger.Session) { s.Documents[0].Chunks = nil }),
	)
}

// contrastSample is the opened claim as our judge finds it in one passage; change, where given, makes another state.
func contrastSample(c *ui.Chrome, state, claim, passage string, change func(*ledger.Session)) Sample {
	s := &ledger.Session{ID: "s", Answer: claim, Run: gallerySession().Run,
		Documents: []ledger.Document{sampleDocument(0, "Rules.pdf", passage)}}
	s.Claims = []ledger.Claim{sampleClaim(claim, ledger.Policy, ledger.Material)}
	s.Claims[0].Span = &text.Span{End: text.Len(claim)}
	matches, err := judge.NewLexical().Judge(&s.Claims[0], judge.NewIndex(s))
	if s.Claims[0].Matches = matches; err != nil {
		s.Claims[0].Unjudged = "The judge failed."
	}
	if change != nil {
		change(s)
	}
	return Sample{State: state, Body: ledgerviews.OpenedClaim(ledgerviews.NewClaimPage(*c, samplePart(s, 0), 0,
		ledgerviews.ReviewForm{}).View, false)}
}
