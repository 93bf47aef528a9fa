package sessions

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/agreement"
	"sanad/internal/domain/ledger"
)

// SecondOpinion returns the verdicts that judges and people gave on a session's claims: those of the newest run, of the
// earlier runs that are read (agreement.RunsRead), and those of people that are settled. The number of queries is
// fixed.
func (store *Store) SecondOpinion(ctx context.Context, tenant, sessionID string,
	q agreement.Question) (*agreement.SecondOpinion, error) {
	o := &agreement.SecondOpinion{SessionID: sessionID}
	q.Limit = max(1, q.Limit)
	err := store.Read(ctx, "SecondOpinion", func(t *sqldb.Tx) error {
		no, newest, total, lang := 0, 0, 0, ""
		err := t.Row("SELECT no, run, total, lang, title FROM sessions WHERE tenant_id = ? AND id = ?",
			[]any{tenant, sessionID}, &no, &newest, &total, &lang, &o.Title)
		if err != nil {
			return err
		}
		o.Runs, o.Cut = newest+1, total > agreement.MaxClaims
		o.Read = min(o.Runs, agreement.RunsRead(min(total, agreement.MaxClaims)))
		runs, err := runsFrom(t, tenant, no, newest-o.Read+1)
		if err != nil {
			return err
		}
		list, err := sqldb.Collect(t, `SELECT position, key, text, effective_type, judge, given, machine_verdict,
				CASE WHEN settled = 1 THEN verdict ELSE '' END
			FROM claims WHERE tenant_id = ? AND session_no = ? AND position < ? ORDER BY position`,
			[]any{tenant, no, agreement.MaxClaims}, scanOpinion)
		if err != nil {
			return err
		}
		claims := make([]agreement.Claim, len(list))
		for i := range list {
			x := &list[i]
			claims[i] = agreement.Claim{Position: i, Type: x.kind, Lang: agreement.Language(lang, x.text)}
			claims[i].Add(agreement.RaterOf(runs[newest], x.judge, x.given), x.machine)
		}
		if err := earlierOpinions(t, claims, runs, tenant, no, newest, o.Read); err != nil {
			return err
		}
		for i := range list {
			claims[i].Add(agreement.People, list[i].person)
		}
		o.Summarise(claims, q)
		for i := range o.Rows {
			x := &list[o.Rows[i].Position]
			o.Rows[i].Key, o.Rows[i].Text = x.key, x.text
		}
		return nil
	})
	return sqldb.OrZero(o, err)
}

// opinion is a claim as the newest run and people judged it.
type opinion struct {
	position        int
	key, text       string
	kind            ledger.ClaimType
	judge           string
	given           bool
	machine, person ledger.Verdict
}

func scanOpinion(r sqldb.Scanner, x *opinion) error {
	return r.Scan(&x.position, &x.key, &x.text, &x.kind, &x.judge, &x.given, &x.machine, &x.person)
}

// runsFrom returns the runs of a session from a number on, counted from 0.
func runsFrom(t *sqldb.Tx, tenant string, no, first int) (map[int]*ledger.Run, error) {
	out := map[int]*ledger.Run{}
	return out, t.Each(`SELECT n, judge, version, parameters FROM ledger_runs
		WHERE tenant_id = ? AND session_no = ? AND n >= ? ORDER BY n`, []any{tenant, no, first},
		func(r sqldb.Scanner) error {
			n, run := 0, &ledger.Run{}
			err := r.Scan(&n, &run.Judge, &run.Version, sqldb.JSONInto(&run.Parameters))
			out[n] = run
			return err
		})
}

// earlierOpinions adds the verdicts of the runs before the newest one, the newer ones first.
func earlierOpinions(t *sqldb.Tx, claims []agreement.Claim, runs map[int]*ledger.Run, tenant string,
	no, newest, read int) error {
	return t.Each(`SELECT run, claim, judge, given, verdict FROM run_claims
		WHERE tenant_id = ? AND session_no = ? AND run > ? AND claim < ? ORDER BY run DESC, claim DESC`,
		[]any{tenant, no, newest - read, agreement.MaxClaims}, func(r sqldb.Scanner) error {
			var n, at int
			var judge string
			var given bool
			var v ledger.Verdict
			if err := r.Scan(&n, &at, &judge, &given, &v); err != nil {
				return err
			}
			if run := runs[n]; run != nil && at < len(claims) {
				claims[at].Add(agreement.RaterOf(run, judge, given), v)
			}
			return nil
		})
}

const (
	// maxModelSessions and maxModelClaims bound what is counted for a page of models.
	maxModelSessions = 2_000
	maxModelClaims   = 100_000
	// languageWords is how much of a question is read to tell the language of a session without a tag.
	languageWords = 200
)

// newestSessions are a tenant's sessions since a time, newest first, up to a limit.
const newestSessions = `FROM sessions s WHERE s.tenant_id = ? AND s.created_at >= ?
	ORDER BY s.created_at DESC, s.no DESC LIMIT ?`

// modelSession is a session as it is counted for its model.
type modelSession struct {
	no, claims int
	model      agreement.Model
	lang       string
}

// ModelFigures counts how the claims of a tenant's sessions fared by the model that answered, for sessions created in
// the last so many days. Of very many, only the newest are counted, and the report says so.
func (store *Store) ModelFigures(ctx context.Context, tenant string, now time.Time,
	days int) (*agreement.ModelReport, error) {
	today := now.UTC().Truncate(24 * time.Hour)
	out := &agreement.ModelReport{Since: today.AddDate(0, 0, 1-max(1, days))}
	err := store.Read(ctx, "ModelFigures", func(t *sqldb.Tx) error {
		var models agreement.Models
		list, err := sqldb.Collect(t, `SELECT s.no, s.total, s.model, s.model_version, s.format, s.lang,
			s.title || ' ' || substr(s.query, 1, ?) `+newestSessions,
			[]any{languageWords, tenant, sqldb.Stamp(out.Since), maxModelSessions + 1}, scanModelSession)
		if err != nil {
			return err
		}
		claims := 0
		of := map[int]*modelSession{}
		for i := range list {
			x := &list[i]
			if out.Sessions == maxModelSessions || out.Sessions > 0 && claims+x.claims > maxModelClaims {
				out.More = true
				break
			}
			out.Sessions++
			claims += x.claims
			of[x.no] = x
			models.AddSession(x.model)
		}
		err = t.Each(`WITH page AS MATERIALIZED (SELECT s.no `+newestSessions+`)
			SELECT c.session_no, c.effective_type, c.machine_verdict, c.verdict, c.settled, count(*)
			FROM page CROSS JOIN claims c ON c.tenant_id = ? AND c.session_no = page.no
			GROUP BY c.session_no, c.effective_type, c.machine_verdict, c.verdict, c.settled`,
			[]any{tenant, sqldb.Stamp(out.Since), out.Sessions, tenant}, func(r sqldb.Scanner) error {
				no, c := 0, agreement.Count{}
				if err := r.Scan(&no, &c.Type, &c.Machine, &c.Verdict, &c.Settled, &c.Claims); err != nil {
					return err
				}
				if x := of[no]; x != nil {
					c.Lang = x.lang
					models.Add(x.model, c)
				}
				return nil
			})
		out.Models = models.List()
		return err
	})
	return sqldb.OrZero(out, err)
}

func scanModelSession(r sqldb.Scanner, x *modelSession) error {
	var model, version, format, lang, words string
	err := r.Scan(&x.no, &x.claims, &model, &version, &format, &lang, &words)
	x.model, x.lang = agreement.ModelOf(model, version, format), agreement.Language(lang, words)
	return err
}

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
