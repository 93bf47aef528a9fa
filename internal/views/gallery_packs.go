package views

import (
	"strings"

	"sanad/internal/domain/pack"
)

// galleryPacks are the pieces of evidence packs and of the log that seals them.
func galleryPacks(c *Chrome) []Sample {
	signed, broken, open := samplePack(c, pack.SignedOff, sampleReport(pack.Verified)), samplePack(c, pack.SignedOff, sampleReport(pack.Refused)), samplePack(c, pack.Draft, nil)
	review := samplePack(c, pack.InReview, nil)
	review.Seal = &SealView{Digest: strings.Repeat("ab", 32), KeyID: strings.Repeat("cd", 8)}
	long := samplePack(c, pack.Returned, nil)
	long.PackHead.Title = hugeText + " " + rtlText
	row := func(title string, state pack.State, level pack.Level) PackRow {
		return PackRow{
			ID: "pack_0123456789abcdef", Title: title, DecisionID: "dec_1", Agent: "matcher", Version: 2, State: state, Level: level, Class: "A3",
			ChangedAt: galleryDay, Approvals: 1, Need: 2, OnHold: state == pack.SignedOff,
		}
	}
	rows := c.packLines([]PackRow{
		row("Fit of the hospital", pack.Draft, pack.Mandatory), row("سداد فاتورة المورّد", pack.InReview, pack.Mandatory),
		row(hugeText, pack.SignedOff, pack.Recommended), row(hugeWord, pack.Returned, pack.Mandatory), row("Bid", pack.Superseded, pack.Mandatory),
	})
	missing := c.missingLines([]MissingRow{{DecisionID: "dec_2", Title: "Pay the supplier", Agent: "payer", DecidedAt: "2026-11-20T09:00:00Z"}, {DecisionID: "dec_3", Title: hugeWord, Agent: "payer"}})
	head := AuditHead{Size: 1234, Root: strings.Repeat("ef", 32), KeyID: strings.Repeat("cd", 8), VerifiedAt: galleryDay, VerifiedOK: true}
	log := func(h AuditHead) *AuditPage { return NewAuditPage(*c, AuditInput{Head: h}) }
	faulty, frozen := head, head
	faulty.VerifiedOK, frozen.Frozen = false, "event 17 is not the one that was signed"
	fine := reportLines(c, AuditReport{At: galleryDay, Size: 1234, Root: head.Root, KeyID: head.KeyID, Witness: "agrees", OK: true})
	return []Sample{
		{State: "stamps", Body: stampWords(c, []string{"draft", "in_review", "signed_off", "returned", "superseded"})},
		{State: "title block", Body: packTitle(c, &signed.PackHead)},
		{State: "title block, huge text", Body: packTitle(c, &long.PackHead)},
		{State: "seal, of a draft", Body: packIntegrity(open)},
		{State: "seal, not signed yet", Body: packIntegrity(review)},
		{State: "seal, verified", Body: packIntegrity(signed)},
		{State: "seal, broken", Body: packIntegrity(broken)},
		{State: "list", Body: packTable(c, "Packs", rows)},
		{State: "missing packs", Body: missingList(c, missing, c.N("pk_n_more", 3))},
		{State: "log, verified", Body: integrity(log(head))},
		{State: "log, never verified", Body: integrity(log(AuditHead{}))},
		{State: "log, with faults", Body: integrity(log(faulty))},
		{State: "log, frozen: the store only reads", Body: integrity(log(frozen))},
		{State: "log, checked", Body: auditReport(log(head), fine)},
	}
}

// samplePack is the page of a pack in a state, with what checking it found.
func samplePack(c *Chrome, state pack.State, report *pack.Report) *PackPage {
	x := &pack.Pack{
		Content: pack.Content{PackID: "pack_0123456789abcdef", Version: 2, Head: pack.Head{DecisionID: "dec_1", Title: "Fit of the hospital", AgentName: "matcher"}},
		Life:    pack.Life{PackID: "pack_0123456789abcdef", State: state, Revision: 4, Need: 2, Mandatory: true},
	}
	x.Content.Requirement = pack.Requirement{Level: pack.Mandatory, EffectiveClass: "A3", Approvers: 2}
	p := &PackPage{Chrome: *c, PackHead: packHead(c, x)}
	if report != nil {
		p.Seal = sealView(c, &PackSeal{Digest: strings.Repeat("ab", 32), KeyID: strings.Repeat("cd", 8), LogIndex: 41, TreeSize: 1234, Report: report, At: galleryDay}, &x.Life)
	}
	return p
}

func sampleReport(v pack.Verdict) *pack.Report {
	last := pack.OK
	if v != pack.Verified {
		last = pack.Failed
	}
	return &pack.Report{Verdict: v, Checks: []pack.Check{
		{Name: "digest", Status: last, Detail: "pack.json is not the one that was signed"}, {Name: "signature", Status: pack.OK}, {Name: "log_proof", Status: pack.NotChecked, Detail: "no checkpoint was given"},
	}}
}
