package views

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// PackChange is what became of a claim since the pack was submitted.
type PackChange struct {
	Kind     string // added, dropped, flipped, reviewed
	Number   int
	Text     string
	Old, New ledger.Verdict
}

// LedgerChanges lists what changed in the claims, as pack.CompareLedger found it.
func LedgerChanges(in pack.Changes) []PackChange {
	var out []PackChange
	add := func(kind string, all []pack.ClaimChange) {
		for _, x := range all {
			out = append(out, PackChange{Kind: kind, Number: x.Number, Text: x.Text, Old: x.Old, New: x.New})
		}
	}
	add("flipped", in.Flips)
	add("added", in.ClaimsAdded)
	add("dropped", in.ClaimsDropped)
	add("reviewed", in.Reviewed)
	return out
}

// PackClaims are the claims as the pack has them.
type PackClaims struct {
	SessionHref, Query, Revision string
	Rows                         []PackClaim
	Bar                          Bar
	Changes                      []ChangeView
	Now                          string // the revision that the ledger has now, "" where that is the pack's
}

// PackClaim is one claim as it stood at submission.
type PackClaim struct {
	Number, Text, Href string
	Machine            *Badge // nil where it is the effective one
	Badge              Badge
	Source, Place      string
	Snippet            string
	Reviews            []PackReview
	ID                 string
}

// PackReview is what a person said about a claim.
type PackReview struct {
	Who, Role, Did, Reason string
	At                     Moment
}

// ChangeView is one change, in words.
type ChangeView struct {
	Kind, Text, Href string
	Old, New         *Badge
}

func newPackClaims(c *Chrome, k *pack.Content, changes []PackChange, revision int) *PackClaims {
	if k.Ledger == nil {
		return nil
	}
	v := &PackClaims{
		SessionHref: "/sessions/" + k.Ledger.SessionID, Query: k.Ledger.Query,
		Revision: c.Num(k.Ledger.Revision),
	}
	if revision > k.Ledger.Revision {
		v.Now = c.Num(revision)
	}
	counts := map[ledger.Verdict]int{}
	unjudged := 0
	for i := range k.Ledger.Entries {
		e := &k.Ledger.Entries[i]
		if e.Verdict == ledger.Unjudged {
			unjudged++
		} else {
			counts[e.Verdict]++
		}
		v.Rows = append(v.Rows, packClaim(c, e, v.SessionHref))
	}
	v.Bar = c.bar(counts, unjudged)
	v.Changes = changeViews(c, changes, v.SessionHref)
	return v
}

func packClaim(c *Chrome, e *pack.Entry, session string) PackClaim {
	row := PackClaim{
		ID: "c" + strconv.Itoa(e.Number), Number: c.Num(e.Number), Text: e.ClaimText, Href: session + "/claims/" + strconv.Itoa(e.Number),
		Source: e.Document, Snippet: e.Snippet,
	}
	if e.Verdict == e.MachineVerdict {
		row.Badge = c.badge(e.Verdict, e.Confidence)
	} else {
		machine := c.badge(e.MachineVerdict, e.Confidence)
		row.Badge, row.Machine = c.personBadge(e.Verdict), &machine
	}
	switch {
	case e.Page > 0:
		row.Place = c.T("page_short", "N", c.Num(e.Page))
	case e.Section != "":
		row.Place = c.section("section_short", e.Section)
	}
	for _, r := range e.Reviews {
		did := c.T("did_" + string(r.Action))
		if r.Verdict != "" {
			did += " " + c.T("verdict_"+string(r.Verdict))
		}
		row.Reviews = append(row.Reviews, PackReview{
			Who: c.actorName(r.Actor, ""), Role: c.known("role_", r.Role), Did: did, Reason: r.Reason,
			At: c.minute(instant(r.At)),
		})
	}
	return row
}

func changeViews(c *Chrome, changes []PackChange, session string) []ChangeView {
	var out []ChangeView
	for _, x := range changes {
		v := ChangeView{Kind: c.T("pk_change_" + x.Kind), Text: x.Text}
		if session != "" && x.Kind != "dropped" {
			v.Href = session + "/claims/" + strconv.Itoa(x.Number)
		}
		if x.Kind == "flipped" || x.Kind == "dropped" {
			b := c.personBadge(x.Old)
			v.Old = &b
		}
		if x.Kind == "flipped" || x.Kind == "added" {
			b := c.personBadge(x.New)
			v.New = &b
		}
		out = append(out, v)
	}
	return out
}
