package sessions

import (
	"cmp"
	"slices"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

// comparison is a combination of machine verdict and human verdict of a claim; equal ones are counted.
type comparison struct {
	judge, version  string
	machine, person ledger.Verdict
}

// judgedBy is the judge and version that gave a claim its verdict.
type judgedBy struct{ judge, version string }

// judgeOf returns a claim's judge. A verdict imported with the claim has no known judge version.
func judgeOf(run *ledger.Run, c *ledger.Claim) judgedBy {
	if c.Given {
		return judgedBy{judge: c.Judge}
	}
	return judgedBy{c.Judge, run.Version}
}

// tally is what one session adds to the comparisons.
type tally map[comparison]int

// add counts a claim n times if it has both verdicts.
func (y tally) add(d *derived, by judgedBy, n int) {
	if ledger.Compared(d.machine, d.settled) {
		y[comparison{judge: by.judge, version: by.version, machine: d.machine, person: d.verdict}] += n
	}
}

// save adds the tally to the sums of the day on which the session was created.
func (y tally) save(t *sqldb.Tx, tenant string, created time.Time) error {
	keys := make([]comparison, 0, len(y))
	for k, n := range y {
		if n != 0 {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b comparison) int {
		return cmp.Or(cmp.Compare(a.judge, b.judge), cmp.Compare(a.version, b.version),
			cmp.Compare(a.machine, b.machine), cmp.Compare(a.person, b.person))
	})
	day := created.UTC().Format(time.DateOnly)
	for _, k := range keys {
		_, err := t.Exec(`INSERT INTO comparisons (tenant_id, day, judge, version, machine, person, claims) VALUES (`+
			sqldb.Placeholders(7)+`)
			ON CONFLICT (tenant_id, day, judge, version, machine, person) DO UPDATE
			SET claims = comparisons.claims + excluded.claims`,
			tenant, day, k.judge, k.version, string(k.machine), string(k.person), y[k])
		if err != nil {
			return err
		}
	}
	return nil
}
