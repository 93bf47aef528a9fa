package gallery

import (
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
	"sanad/internal/views/ui"
)

// galleryLedger is the ledger's table with the elements around it.
func galleryLedger(c *ui.Chrome) []Sample {
	all := samplePage(c, func(in *ledgerviews.SessionInput) { in.Open = sampleContradicted })
	none := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.Filter, in.Matching = ledger.ClaimFilter{Text: "nothing fits"}, 0
	})
	none.Rows = nil
	empty := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.LedgerPart = samplePart(&ledger.Session{ID: in.Session.ID, Title: in.Session.Title})
	})
	loading := samplePage(c, nil, sampleSupported, sampleContradicted)
	filtered := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.Filter = ledger.ClaimFilter{Verdict: ledger.Contradicted, Type: ledger.Numeric, Flagged: true,
			Flag: ledger.Contradiction, Text: rtlText}
		in.Matching, in.More = 2000, true
		in.Prev, in.Next = new(-1), new(50)
	}, sampleContradicted)
	cut := samplePage(c, func(in *ledgerviews.SessionInput) { in.Answer.Length = 100_000 })
	huge := samplePage(c, nil, sampleHuge)
	aside := samplePage(c, func(in *ledgerviews.SessionInput) {
		in.LedgerPart = samplePart(asideSession(), sampleSupported, sampleHuge, sampleContradicted)
	})
	rtl := samplePage(c, nil, sampleRTL)
	bench := func(change func(*ledgerviews.SessionInput), positions ...int) *ledgerviews.SessionPage {
		return samplePage(c, change, positions...)
	}
	many := bench(func(in *ledgerviews.SessionInput) {
		in.Matching, in.More, in.Next = 2000, true, new(11)
		in.Overview.Summary.Total, in.Overview.Summary.Settled = 5000, 4321
	})
	tab := func(name string) *ledgerviews.SessionPage {
		return bench(func(in *ledgerviews.SessionInput) { in.Tab = name })
	}
	sealed := bench(func(in *ledgerviews.SessionInput) {
		in.Session.Second = ledger.SecondBlind
		in.Session.Seats[1] = ledger.Seat{ID: "u-huda", Name: "هدى السالم"}
	}, sampleOverridden)
	return []Sample{
		{State: "workbench, 5,000 claims, one of many pages", Body: ledgerviews.Bench(many)},
		{State: "workbench, one claim", Body: ledgerviews.Bench(bench(nil, sampleContradicted))},
		{State: "workbench, no claims", Body: ledgerviews.Bench(empty)},
		{State: "workbench, no source", Body: ledgerviews.Bench(bench(nil, sampleNotFound))},
		{State: "workbench, mixed direction", Body: ledgerviews.Bench(bench(nil, sampleSupported, sampleRTL))},
		{State: "workbench, huge text", Body: ledgerviews.Bench(bench(nil, sampleHuge))},
		{State: "workbench, a blind review of two", Body: ledgerviews.Bench(sealed)},
		{State: "workbench, the source withdrawn", Body: ledgerviews.Bench(bench(nil, sampleWithdrawn))},
		{State: "workbench, the answer", Body: ledgerviews.Bench(tab(ledgerviews.TabAnswer))},
		{State: "workbench, the report", Body: ledgerviews.Bench(tab(ledgerviews.TabReport))},
		{State: "workbench, sources and people", Body: ledgerviews.Bench(tab(ledgerviews.TabSources))},
		{State: "head, filtered", Body: ledgerviews.BenchHead(filtered)},
		{State: "title and summary", Body: titleAndSummary(all)},
		{State: "answer", Body: ui.AnswerText(all.Answer)},
		{State: "answer, a part of it", Body: answerPart(cut)},
		{State: "table, a row in every state, one open", Body: ledgerviews.LedgerTable(all)},
		{State: "table, filtered, one of many pages", Body: ledgerviews.LedgerTable(filtered)},
		{State: "table, nothing fits the filter", Body: ledgerviews.LedgerTable(none)},
		{State: "table, no claims", Body: ledgerviews.LedgerTable(empty)},
		{State: "table, loading", Body: busy(ledgerviews.ClaimList(c, loading.Rows))},
		{State: "row, huge text", Body: ledgerviews.ClaimList(c, huge.Rows)},
		{State: "row, right to left", Body: ledgerviews.ClaimList(c, rtl.Rows)},
		{State: "rows that no longer count: no claims, and a replaced one", Body: ledgerviews.ClaimList(c, aside.Rows)},
		{State: "sources", Body: ledgerviews.SourcesPanel(c, sampleSources(c, 2, 2))},
		{State: "sources, many of a larger number", Body: ledgerviews.SourcesPanel(c, sampleSources(c, 24, 60))},
	}
}

// sampleSources lists the first n of a number of documents.
func sampleSources(c *ui.Chrome, n, of int) *ledgerviews.SourceList {
	s := &ledger.Session{}
	for i := range n {
		d := gallerySession().Documents[i%3]
		d.ID, d.Position = d.ID+"-"+c.Num(i), i
		s.Documents = append(s.Documents, d)
	}
	list := samplePage(c, nil, sampleSupported).SourceList(s, ledgerviews.SourcesInput{
		Documents: of, Matched: []ledger.Passage{{Chunk: ledger.ChunkRef{}, Similarity: 0.9,
			Text: samplePassage}},
		Openings: []ledger.Passage{{Chunk: ledger.ChunkRef{Document: 1}, Similarity: 0, Text: rtlText}},
	})
	return &list
}
