package models

import (
	"context"
	"math"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// Bounds of what is read to measure the models of a tenant, the newest first. Tests lower them.
var (
	MaxReviewedSessions = 1_000  // that a model was asked about
	MaxReviewedClaims   = 50_000 // of these sessions, counted once for each run by a model
)

// maxReviewedRuns is how many runs of each session are read.
const maxReviewedRuns = 5

// askedSessions are the tenant's sessions that a model was asked about, newest first: one step in an index for each.
// ?1 is the tenant, ?2 how many.
const askedSessions = `WITH RECURSIVE page(no, n) AS (
	SELECT (SELECT max(session_no) FROM model_calls WHERE tenant_id = ?1), 1
	UNION ALL
	SELECT (SELECT max(session_no) FROM model_calls WHERE tenant_id = ?1 AND session_no < page.no), page.n + 1
	FROM page WHERE page.no IS NOT NULL AND page.n < ?2) `

// ModelReviews is what people made of the words of a tenant's models.
type ModelReviews struct {
	Sessions int  // that were read
	More     bool // older ones were left out
	by       map[modelAsked]*pointer.Reviewed
}

// modelAsked is what an endpoint was when it judged: another model or template is another judge.
type modelAsked struct{ endpoint, model, template string }

// Of returns what people made of an endpoint's words, as it is now: its model, and the template of today.
func (modelReviews *ModelReviews) Of(e *model.Endpoint) pointer.Reviewed {
	if r := modelReviews.by[modelAsked{e.ID, e.Model, pointer.TemplateVersion}]; r != nil {
		return *r
	}
	return pointer.Reviewed{}
}

// Measured is what these reviews say of an endpoint's words, as it is now.
func (modelReviews *ModelReviews) Measured(e *model.Endpoint) model.Measured {
	of := modelReviews.Of(e)
	n, t := of.Reviews(), of.Measured()
	share := func(right, reviews int, share float64) model.MeasuredShare {
		return model.MeasuredShare{Right: right, Reviews: reviews, Share: share,
			Missing: max(0, pointer.MinReviews-reviews)}
	}
	return model.Measured{Supported: share(n.SupportedRight, n.Supported, t.Supported),
		Contradicted: share(n.ContradictedRight, n.Contradicted, t.Contradicted)}
}

// modelRun is a run by an endpoint.
type modelRun struct {
	by    modelAsked
	judge string // of the claims that the endpoint judged; the embedded judge judged the others
}

// reviewed is what is read to measure models.
type reviewed struct {
	runs   map[[2]int]*modelRun // by session and number of the run
	newest map[int]int          // newest run of each session
	first  int                  // number of the oldest session
	more   bool                 // older ones are left out
}

// ModelReviews counts what people settled of claims that models judged, each claim once for each endpoint: as the
// newest run by it left the claim. Of very many sessions only the newest are read. The number of queries is fixed.
func (store *Store) ModelReviews(ctx context.Context, tenant string) (*ModelReviews, error) {
	out := &ModelReviews{by: map[modelAsked]*pointer.Reviewed{}}
	err := store.Read(ctx, "ModelReviews", func(t *sqldb.Tx) error {
		x, err := reviewedRuns(t, tenant)
		if err != nil {
			return err
		}
		out.Sessions, out.More = len(x.newest), x.more
		seen := map[reviewedClaim]bool{}
		add := func(no, n int, c *settledClaim) {
			run := x.runs[[2]int{no, n}]
			if run == nil || run.judge != c.judge || !c.machine.Valid() || seen[reviewedClaim{no, c.position, run.by}] {
				return
			}
			seen[reviewedClaim{no, c.position, run.by}] = true
			if out.by[run.by] == nil {
				out.by[run.by] = &pointer.Reviewed{}
			}
			out.by[run.by].Add(c.note, c.machine, c.settled, c.second == string(ledger.SecondBlind))
		}
		if err := settledNow(t, tenant, x.first,
			func(no int, c *settledClaim) { add(no, x.newest[no], c) }); err != nil {
			return err
		}
		return settledBefore(t, tenant, x.first, add)
	})
	return sqldb.OrZero(out, err)
}

// reviewedClaim is a claim that an endpoint judged.
type reviewedClaim struct {
	no, position int
	by           modelAsked
}

// settledClaim is a claim that people settled, as a run judged it.
type settledClaim struct {
	position            int
	judge, note, second string
	machine, settled    ledger.Verdict
}

// settledNow reads the settled claims of sessions as their newest run judged them.
func settledNow(t *sqldb.Tx, tenant string, first int, add func(no int, c *settledClaim)) error {
	return t.Each(askedSessions+`SELECT c.session_no, c.position, c.judge, c.machine_verdict, c.verdict, s.second_review,
			coalesce(m.note, '')
		FROM page CROSS JOIN sessions s ON s.tenant_id = ?1 AND s.no = page.no
		CROSS JOIN claims c ON c.tenant_id = ?1 AND c.session_no = page.no AND c.settled = 1 AND c.given = 0
		LEFT JOIN matches m ON m.tenant_id = ?1 AND m.session_no = page.no AND m.claim = c.position AND m.rank = 0
		WHERE page.no >= ?3`, []any{tenant, MaxReviewedSessions, first}, func(r sqldb.Scanner) error {
		no, c := 0, settledClaim{}
		err := r.Scan(&no, &c.position, &c.judge, &c.machine, &c.settled, &c.second, &c.note)
		add(no, &c)
		return err
	})
}

// settledBefore reads them as the runs before judged them, the newer ones first.
func settledBefore(t *sqldb.Tx, tenant string, first int, add func(no, n int, c *settledClaim)) error {
	return t.Each(askedSessions+`SELECT x.session_no, x.run, x.claim, x.judge, x.verdict, c.verdict, s.second_review, x.matches
		FROM page CROSS JOIN sessions s ON s.tenant_id = ?1 AND s.no = page.no
		CROSS JOIN run_claims x ON x.tenant_id = ?1 AND x.session_no = page.no AND x.run > s.run - ?4 AND x.given = 0
		CROSS JOIN claims c ON c.tenant_id = ?1 AND c.session_no = page.no AND c.position = x.claim AND c.settled = 1
		WHERE page.no >= ?3 ORDER BY x.session_no, x.run DESC, x.claim`,
		[]any{tenant, MaxReviewedSessions, first, maxReviewedRuns}, func(r sqldb.Scanner) error {
			no, n, c := 0, 0, settledClaim{}
			var matches []struct{ Note string }
			err := r.Scan(&no, &n, &c.position, &c.judge, &c.machine, &c.settled, &c.second, sqldb.JSONInto(&matches))
			if len(matches) > 0 {
				c.note = matches[0].Note
			}
			add(no, n, &c)
			return err
		})
}

// reviewedRuns reads which runs of the tenant's newest sessions endpoints made.
func reviewedRuns(t *sqldb.Tx, tenant string) (x reviewed, err error) {
	x = reviewed{runs: map[[2]int]*modelRun{}, newest: map[int]int{}, first: math.MaxInt32}
	claims := 0
	err = t.Each(askedSessions+`SELECT page.no, page.n, s.total, s.run, r.n, r.judge, r.parameters
		FROM page CROSS JOIN sessions s ON s.tenant_id = ?1 AND s.no = page.no
		CROSS JOIN ledger_runs r ON r.tenant_id = ?1 AND r.session_no = page.no AND r.n > s.run - ?3
		ORDER BY page.no DESC, r.n DESC`, []any{tenant, MaxReviewedSessions + 1, maxReviewedRuns}, func(r sqldb.Scanner) error {
		var no, place, total, newest, n int
		var judge string
		var p map[string]string
		if err := r.Scan(&no, &place, &total, &newest, &n, &judge, sqldb.JSONInto(&p)); err != nil {
			return err
		}
		switch _, known := x.newest[no]; {
		case x.more || p["endpoint_id"] == "":
			return nil
		case place > MaxReviewedSessions || !known && len(x.newest) > 0 && claims+total > MaxReviewedClaims:
			x.more = true
			return nil
		}
		x.newest[no], x.first = newest, no
		claims += total
		x.runs[[2]int{no, n}] = &modelRun{
			by:    modelAsked{p["endpoint_id"], p["model"], p["template"]},
			judge: judge[strings.LastIndexByte(judge, '+')+1:], // of lexical+openai the second
		}
		return nil
	})
	return x, err
}
