package packs

import (
	"strconv"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/views/say"
	"sanad/internal/views/ui"
)

// Change is what changed about a claim since the pack was submitted.
type Change struct {
	pack.ClaimChange

	Kind string // added, aside, dropped, flipped, reviewed
}

// LedgerChanges lists what changed in the claims, as pack.CompareLedger found it.
func LedgerChanges(in pack.Changes) []Change {
	var out []Change
	add := func(kind string, all []pack.ClaimChange) {
		for _, x := range all {
			c := Change{ClaimChange: x, Kind: kind}
			if x.SetAside {
				c.Kind = "aside"
			}
			out = append(out, c)
		}
	}
	add("flipped", in.Flips)
	add("added", in.ClaimsAdded)
	add("dropped", in.ClaimsDropped)
	add("reviewed", in.Reviewed)
	return out
}

// Claims are the claims as the pack has them.
type Claims struct {
	SessionHref, Query, Revision string
	Rows                         []Claim
	Aside                        []Claim // that no longer count
	Bar                          ui.Bar
	Changes                      []ChangeView
	Now                          string // the revision that the ledger has now, "" if that is the pack's
}

// Claim is one claim as it stood at submission.
type Claim struct {
	Number, Text, Href string
	Machine            *ui.Badge // nil if it is the effective one
	Badge              ui.Badge
	Source, Place      string
	Snippet            string
	Reviews            []Review
	ID                 string
	Key                string // the claim's id
	Why                string // of a claim that no longer counts
}

// Review is what a person said about a claim.
type Review struct {
	Who, Role, Did, Reason string
	At                     say.Moment
}

// ChangeView is one change, in words.
type ChangeView struct {
	Kind, Text, Href string
	Old, New         *ui.Badge
}

func newPackClaims(c *ui.Chrome, k *pack.Content, changes []Change, revision int) *Claims {
	if k.Ledger == nil {
		return nil
	}
	v := &Claims{
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
	for i := range k.Ledger.SetAside {
		row := packClaim(c, &k.Ledger.SetAside[i], v.SessionHref)
		row.Why = c.T("aside_" + string(k.Ledger.SetAside[i].State))
		v.Aside = append(v.Aside, row)
	}
	v.Bar = c.VerdictBar(counts, unjudged)
	v.Changes = changeViews(c, changes, v.SessionHref)
	return v
}

// claimRow is the id of a claim's row.
func claimRow(number int) string { return "c" + strconv.Itoa(number) }

// machineBadge is the machine's verdict with its one figure, and whose it is.
func machineBadge(c *ui.Chrome, e *pack.Entry) ui.Badge {
	b := c.FigureBadge(e.MachineVerdict, e.Figure, e.FigureSource)
	b.Word = c.TierWord(e.MachineVerdict, e.Tier)
	return b
}

func packClaim(c *ui.Chrome, e *pack.Entry, session string) Claim {
	row := Claim{
		ID: claimRow(e.Number), Key: e.ClaimID, Number: c.Num(e.Number), Text: e.ClaimText,
		Href:   session + "/claims/" + strconv.Itoa(e.Number),
		Source: e.Document, Snippet: e.Shown(),
	}
	if e.Verdict == e.MachineVerdict {
		row.Badge = machineBadge(c, e)
	} else {
		machine := machineBadge(c, e)
		row.Badge, row.Machine = c.PersonBadge(e.Verdict), &machine
	}
	at := e.Location()
	row.Place = c.SaidAll(at.Short())
	for _, r := range e.Reviews {
		did := c.T("did_" + string(r.Action))
		if r.Verdict != "" {
			did += " " + c.Verdict(r.Verdict)
		}
		row.Reviews = append(row.Reviews, Review{
			Who: c.ActorName(r.Actor, ""), Role: c.Known("role_", r.Role), Did: did, Reason: r.Reason,
			At: c.Moment(ui.Instant(r.At)),
		})
	}
	return row
}

func changeViews(c *ui.Chrome, changes []Change, session string) []ChangeView {
	var out []ChangeView
	for _, x := range changes {
		v := ChangeView{Kind: c.T("pk_change_" + x.Kind), Text: x.Text}
		if session != "" && x.Kind != "dropped" {
			v.Href = session + "/claims/" + strconv.Itoa(x.Number)
		}
		if x.Kind == "flipped" || x.Kind == "dropped" || x.Kind == "aside" {
			b := c.PersonBadge(x.Old)
			v.Old = &b
		}
		if x.Kind == "flipped" || x.Kind == "added" {
			b := c.PersonBadge(x.New)
			v.New = &b
		}
		out = append(out, v)
	}
	return out
}
