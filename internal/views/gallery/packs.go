package gallery

import (
	"strings"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	auditviews "sanad/internal/views/audit"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
	"sanad/internal/words"
)

// galleryPacks are the pieces of evidence packs and of the log that seals them.
func galleryPacks(c *ui.Chrome) []Sample {
	signed, broken, open := samplePack(c, pack.SignedOff, sampleReport(pack.Verified)), samplePack(c, pack.SignedOff,
		sampleReport(pack.Refused)), samplePack(c, pack.Draft, nil)
	review := samplePack(c, pack.InReview, nil)
	review.Seal = &packsviews.SealView{Digest: strings.Repeat("ab", 32), KeyID: strings.Repeat("cd", 8)}
	titled := samplePack(c, pack.InReview, nil)
	titled.Decide.Title = rtlText
	long := samplePack(c, pack.Returned, nil)
	long.Head.Title = hugeText + " " + rtlText
	row := func(title string, state pack.State, level pack.Level) pack.Row {
		return pack.Row{
			PackID: "pack_0123456789abcdef", Title: title, DecisionID: "dec_1", AgentName: "matcher", Version: 2,
			State: state, Level: level, ApprovalClass: "A3",
			UpdatedAt: galleryDay, Approvals: 1, Need: 2, OnHold: state == pack.SignedOff,
		}
	}
	rows := c.PackLines([]pack.Row{
		row("Fit of the hospital", pack.Draft, pack.Mandatory),
		row("سداد فاتورة المورّد", pack.InReview, pack.Mandatory),
		row(hugeText, pack.SignedOff, pack.Recommended), row(hugeWord, pack.Returned, pack.Mandatory),
		row("Bid", pack.Superseded, pack.Mandatory),
	})
	missing := c.MissingLines([]pack.DecisionRow{{DecisionID: "dec_2", Title: "Pay the supplier", AgentName: "payer",
		DecidedAt: "2026-11-20T09:00:00Z"}, {DecisionID: "dec_3", Title: hugeWord, AgentName: "payer"}})
	head := auditviews.LogState{Size: 1234, Root: strings.Repeat("ef", 32), KeyID: strings.Repeat("cd", 8),
		VerifiedAt: galleryDay, VerifiedOK: true}
	log := func(h auditviews.LogState) *auditviews.Page { return auditviews.NewPage(*c, auditviews.Input{Head: h}) }
	faulty, frozen := head, head
	faulty.VerifiedOK, frozen.Frozen = false, "event 17 is not the one that was signed"
	found := auditviews.NewPage(*c, auditviews.Input{Find: "leave", Found: []auditviews.Object{
		{Kind: "session", ID: "s", Title: "Leave policy"}, {Kind: "document", ID: "d", Title: hugeWord, Of: rtlText},
		{Kind: "user", ID: "u", Title: "مريم الهاملي"},
	}})
	chosen := auditviews.NewPage(*c, auditviews.Input{
		Query: audit.Query{Action: "session.imported", ObjectID: "s", Claim: 3}, People: []ui.Option{{Value: access.Operator}},
		Object: auditviews.Object{Kind: "session", ID: "s", Title: hugeText},
	})
	fine := auditviews.NewReportLines(c,
		auditviews.Report{At: galleryDay,
			Report: audit.Report{Size: 1234, Root: head.Root, KeyID: head.KeyID, CheckpointFile: "agrees"}})
	talk := []pack.Comment{
		{ID: "c1", By: "u", Name: "Noura Al-Harbi", Role: "reviewer", At: galleryDay, Action: ledger.Comment, Asks: true,
			Text: "Who signed the invoice?"},
		{ID: "c2", By: "u-huda", Name: "هدى السالم", Role: "approver", At: galleryDay, Action: ledger.Comment, Thread: "c1",
			Text: rtlText},
		{ID: "c3", By: "u", Name: "Noura Al-Harbi", Role: "reviewer", At: galleryDay, Action: ledger.Comment, Text: hugeText},
	}
	resolved := append(talk[:2:2], pack.Comment{ID: "c4", By: "u", Name: "Noura Al-Harbi", Role: "reviewer",
		At: galleryDay, Action: ledger.Resolve, Thread: "c1"})
	comments := func(state string, in packsviews.Said) Sample {
		p := samplePack(c, pack.InReview, nil)
		in.Reader = "u"
		p.Comments = packsviews.NewCommentsView(c, &in, "/packs/pack_0123456789abcdef")
		return Sample{State: state, Body: packsviews.Comments(p)}
	}
	person := func(id, name string) access.Person { return access.Person{ID: id, Name: name, Role: access.Approver} }
	standsIn := access.Deputy{For: person("s", rtlText), By: person("u", "Noura Al-Harbi"), Starts: galleryDay,
		Ends: galleryDay.AddDate(0, 0, 14)}
	deadEnd := func(state string, d packsviews.Decide) Sample {
		p := samplePack(c, pack.InReview, nil)
		p.Decide = d
		return Sample{State: state, Body: packsviews.DeadEndNote(p)}
	}
	return append([]Sample{
		deadEnd("a signature after which nobody could finish the pack", packsviews.Decide{Ends: []string{""}}),
		deadEnd("a signature as somebody's deputy after which nobody could finish the pack",
			packsviews.Decide{Ends: []string{"s"}, Deputies: []access.Deputy{standsIn}}),
		comments("comments, none", packsviews.Said{}),
		comments("comments, an open thread", packsviews.Said{Comments: talk}),
		comments("comments, a resolved thread", packsviews.Said{Comments: resolved}),
		comments("comments, a reply refused (422)", packsviews.Said{Comments: talk, Thread: "c1",
			Fault: &ui.FormFault{Message: words.Msg("refused_comment_missing")}}),
		{State: "stamps", Body: stampWords(c, []string{"draft", "in_review", "signed_off", "returned", "superseded", "discarded"})},
		{State: "title block", Body: packsviews.TitleBlock(c, &signed.Head)},
		{State: "title block, huge text", Body: packsviews.TitleBlock(c, &long.Head)},
		{State: "seal, of a draft", Body: packsviews.Integrity(open)},
		{State: "seal, not signed yet", Body: packsviews.Integrity(review)},
		{State: "seal, verified", Body: packsviews.Integrity(signed)},
		{State: "seal, broken", Body: packsviews.Integrity(broken)},
		{State: "signing as, with a job title", Body: packsviews.SigningAs(titled)},
		{State: "signing as, without one", Body: packsviews.SigningAs(review)},
		{State: "list", Body: packsviews.Table(c, "Packs", rows)},
		{State: "missing packs", Body: ui.MissingList(c, missing, c.N("pk_n_more", 3))},
		{State: "log, verified", Body: auditviews.Integrity(log(head))},
		{State: "log, never verified", Body: auditviews.Integrity(log(auditviews.LogState{}))},
		{State: "log, with faults", Body: auditviews.Integrity(log(faulty))},
		{State: "log, frozen: the store only reads", Body: auditviews.Integrity(log(frozen))},
		{State: "log, filters", Body: auditviews.Filters(log(head))},
		{State: "log, an object found by its title", Body: auditviews.FoundObjects(found)},
		{State: "log, of one object", Body: auditviews.Filters(chosen)},
		{State: "log, checked", Body: auditviews.ReportSection(log(head), fine)},
	}, append(galleryMemo(c), galleryLinks(c)...)...)
}

// samplePack is the page of a pack in a state, with what checking it found.
func samplePack(c *ui.Chrome, state pack.State, report *pack.Report) *packsviews.Page {
	x := &pack.Pack{
		Content: pack.Content{PackID: "pack_0123456789abcdef", Version: 2,
			Header: pack.Header{DecisionID: "dec_1", Title: "Fit of the hospital", AgentName: "matcher"}},
		Life: pack.Life{PackID: "pack_0123456789abcdef", State: state, Revision: 4, Need: 2, Mandatory: true},
	}
	x.Content.Requirement = pack.Requirement{Level: pack.Mandatory, EffectiveClass: "A3", Approvers: 2}
	p := &packsviews.Page{Chrome: *c, Head: packsviews.NewHead(c, x)}
	if report != nil {
		p.Seal = packsviews.NewSealView(c,
			&packsviews.Seal{Digest: strings.Repeat("ab", 32), KeyID: strings.Repeat("cd", 8), LogIndex: 41,
				TreeSize: 1234, Report: report, At: galleryDay, Now: !report.OK()}, &x.Life)
	}
	return p
}

func sampleReport(v pack.Verdict) *pack.Report {
	last := pack.OK
	if v != pack.Verified {
		last = pack.Failed
	}
	return &pack.Report{Verdict: v, Checks: []pack.Check{
		{Name: "digest", Status: last, Detail: "pack.json is not the one that was signed"},
		{Name: "signature", Status: pack.OK},
		{Name: "log_proof", Status: pack.NotChecked, Detail: "no checkpoint was given"},
	}}
}
