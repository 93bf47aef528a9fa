package agreement

import (
	"sanad/internal/domain/ledger"
)

// MaxClaims is how many claims of a session are compared, the first ones; MaxVerdicts how many verdicts of earlier runs
// are read for it.
const (
	MaxClaims   = 10_000
	MaxVerdicts = 50_000
	MaxRuns     = 20
)

// RunsRead returns how many runs of a session with so many claims are read, the newest ones.
func RunsRead(claims int) int {
	return min(MaxRuns, max(2, MaxVerdicts/max(1, claims)))
}

// Question says which part of a second opinion is asked for.
type Question struct {
	Differ bool // only claims of which two raters gave different verdicts
	After  int  // the position before the first one; -1 for the first
	Limit  int
}

// SecondOpinion is the verdicts of several judges and of people on one session, side by side.
type SecondOpinion struct {
	SessionID, Title string
	Runs, Read       int // how many the session has, and how many of them, the newest, were read
	Claims           int // that were compared
	Cut              bool
	Differing        int // claims of which two raters gave different verdicts
	Raters           []RaterCount
	Pairs            []Pair
	Rows             []Row // a page
	Next             int   // position to go on after, -1 after the last page
}

// RaterCount is a rater with the number of its verdicts.
type RaterCount struct {
	Rater
	Claims int
}

// Row is one claim with the verdicts of all raters, in their order; "" where one gave none.
type Row struct {
	Position  int
	Key, Text string
	Verdicts  []ledger.Verdict
	Differs   bool
}

// Summarise compares the raters over all claims, and lays out the page that q asks for, without its texts.
func (o *SecondOpinion) Summarise(claims []Claim, q Question) {
	raters := Raters(claims)
	o.Claims, o.Pairs, o.Next = len(claims), Compare(claims, raters), -1
	o.Raters = make([]RaterCount, len(raters))
	for i := range raters {
		o.Raters[i].Rater = raters[i]
	}
	for i := range claims {
		c := &claims[i]
		row := Row{Position: c.Position, Differs: c.Differs(raters)}
		for k, r := range raters {
			v := c.Of(r)
			row.Verdicts = append(row.Verdicts, v)
			if v.Valid() {
				o.Raters[k].Claims++
			}
		}
		if row.Differs {
			o.Differing++
		}
		if c.Position <= q.After || q.Differ && !row.Differs {
			continue
		}
		switch {
		case len(o.Rows) < q.Limit:
			o.Rows = append(o.Rows, row)
		case o.Next < 0:
			o.Next = o.Rows[len(o.Rows)-1].Position
		}
	}
}
