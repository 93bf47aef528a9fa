package sessions

import (
	"context"
	"strings"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/notify"
)

var rowColumns = `s.id, s.title, s.external_id, s.status, s.total, s.supported, s.weak, s.contradicted, s.not_found,
	s.unjudged, s.reviewed,
	s.coverage, s.flags, s.flag_count, s.severity, s.reviewer, s.created_at, s.updated_at, s.state, s.settled,
	s.differing, s.second_review,
	s.first_reviewer, s.second_reviewer, coalesce(` + reads.NameOf("s", "first_reviewer") + `, ''),
	coalesce(` + reads.NameOf("s", "second_reviewer") + `, ''), coalesce(s.overview ->> '$.summary.stale', '0'),
	coalesce(s.overview ->> '$.summary.open_threads', '0'), s.overview ->> '$.sealed', ` +
	reads.DueOf(notify.Session, "s", "id")

// scanRow reads rowColumns and any columns after them, as a person is shown them.
func scanRow(r sqldb.Scanner, person string, row *ledger.SessionRow, more ...any) error {
	var v [4]int
	var mask int
	var sealed ledger.SealedBy
	err := r.Scan(append([]any{
		&row.ID, &row.Title, &row.ExternalID, &row.Status, &row.Claims, &v[0], &v[1], &v[2], &v[3], &row.Unjudged,
		&row.Reviewed,
		&row.Coverage, &mask, &row.Flags, &row.MaxSeverity, &row.Reviewer, sqldb.TimeInto(&row.CreatedAt),
		sqldb.TimeInto(&row.UpdatedAt),
		&row.State, &row.Settled, &row.Differing, &row.Second, &row.Seats[0].ID, &row.Seats[1].ID, &row.Seats[0].Name,
		&row.Seats[1].Name, &row.Stale, &row.Threads, sqldb.JSONInto(&sealed),
		reads.DueColumn{Date: &row.Due},
	}, more...)...)
	row.FlagTypes, row.State = flagTypes(mask), shownTo(person, row.State, sealed)
	row.ByVerdict = map[ledger.Verdict]int{ledger.Supported: v[0], ledger.Weak: v[1], ledger.Contradicted: v[2],
		ledger.NotFound: v[3]}
	return err
}

// verdictColumns are the counts of sessions by verdict.
var verdictColumns = map[ledger.Verdict]string{
	ledger.Supported: "s.supported", ledger.Weak: "s.weak",
	ledger.Contradicted: "s.contradicted", ledger.NotFound: "s.not_found",
}

// Sessions lists up to q.Limit sessions of a tenant; next is the After of the following page, "" after the last one.
func (store *Store) Sessions(ctx context.Context, tenant string,
	q ledger.SessionQuery) (rows []ledger.SessionRow, next string, err error) {
	order, err := sortBy(q.Sort, q.Descending())
	if err != nil {
		return nil, "", err
	}
	from, w := sessionConditions(tenant, &q, store.Now())
	if from == "" {
		return nil, "", nil
	}
	keys := map[string]any{} // what each session is sorted by
	l := sqldb.List[ledger.SessionRow]{
		Columns: rowColumns + ", " + order.Column, From: from, Where: w, Order: order, After: q.After, Limit: q.Limit,
		Scan: func(r sqldb.Scanner, row *ledger.SessionRow) error {
			var key any
			err := scanRow(r, q.Reader, row, &key)
			keys[row.ID] = key
			return err
		},
		Place: func(row *ledger.SessionRow) (any, string) { return keys[row.ID], row.ID },
	}
	return l.Read(ctx, store.DB, "Sessions", tenant)
}

// sessionConditions returns the tables and conditions of the sessions that pass the filters; their table is s. from is
// "" if the search can't find anything.
func sessionConditions(tenant string, q *ledger.SessionQuery, now time.Time) (from string, w sqldb.Conditions) {
	from = "sessions s"
	if strings.TrimSpace(q.Text) != "" {
		match := sqldb.MatchAll(q.Text, sqldb.TenantWord(tenant))
		if match == "" {
			return "", w
		}
		from = sessionsByWords
		w.Add(sessionsFound, match)
	}
	w.Add("s.tenant_id = ?", tenant)
	for name, v := range ledger.SessionFilters.On(q) {
		switch name {
		case "q": // above
		case "state":
			if q.State == ledger.StateOpen {
				w.Add("s.status = ?", ledger.StatusOpen)
			} else {
				addState(&w, ledger.State(v), q.Reader)
			}
		case "assigned":
			w.Add("(s.first_reviewer = ? OR s.second_reviewer = ?)", q.Reader, q.Reader)
			if q.State == ledger.StateOpen {
				w.Add(waitsFor, q.Reader)
			}
		case "reviewer":
			w.Add("(s.first_reviewer = ? OR s.second_reviewer = ?)", q.Reviewer, q.Reviewer)
		case "verdict":
			w.Add(verdictColumns[q.Verdict] + " > 0")
		case "flag":
			w.Add("s.flags & ? <> 0", flagBit(q.Flag))
		case "threads":
			w.Add(`EXISTS (SELECT 1 FROM claims c WHERE c.tenant_id = s.tenant_id AND c.session_no = s.no AND c.threads > 0)`)
		case "due":
			reads.DueWithin(&w, notify.Session, "s.id", tenant, q.Due, now)
		case "sort", "dir": // the order, see Sessions
		default:
			panic(sqldb.NoCondition(name))
		}
	}
	return from, w
}

// addState adds the condition that a session s is in a state, as a person is shown it (shownTo): any review of theirs
// in a blind session that is new for everybody is sealed.
func addState(w *sqldb.Conditions, state ledger.State, person string) {
	const begun = `(s.second_review = 'blind' AND EXISTS (SELECT 1 FROM reviews r
		WHERE r.tenant_id = s.tenant_id AND r.session_no = s.no AND r.by_id = ? AND r.by_id <> ''))`
	switch {
	case person != "" && state == ledger.New:
		w.Add("s.state = 'new' AND NOT "+begun, person)
	case person != "" && state == ledger.InReview:
		w.Add("(s.state = 'in_review' OR s.state = 'new' AND "+begun+")", person)
	default:
		w.Add("s.state = ?", string(state))
	}
}

// sortings are the ways to sort sessions.
var sortings = []sqldb.ListOrder{
	sessionOrder("created", "s.created_at", sqldb.IsText),
	sessionOrder("title", "s.title_key", sqldb.IsText),
	sessionOrder("coverage", "s.coverage", sqldb.IsNumber),
	sessionOrder("claims", "s.total", sqldb.IsNumber),
}

func sessionOrder(name, column string, fits func(any) bool) sqldb.ListOrder {
	return sqldb.ListOrder{
		Name: name, Column: column, Fits: fits, Table: "sessions", Alias: "s", Id: "id", Number: "no", Uuids: true,
		Mismatch: "refused_next_sorted",
	}
}

// sortBy finds a sorting of sessions by its name; "" is the first.
func sortBy(name string, desc bool) (sqldb.ListOrder, error) {
	for _, o := range sortings {
		if o.Name == name || name == "" {
			o.Desc = desc
			return o, nil
		}
	}
	return sqldb.ListOrder{}, domain.Refuse(domain.Invalid, "sort", "refused_choose_created_title")
}

// HasSession returns NotFound if the tenant has no such session.
func (store *Store) HasSession(ctx context.Context, tenant, id string) error {
	return store.Read(ctx, "HasSession", func(t *sqldb.Tx) error {
		var one int
		return t.Row("SELECT 1 FROM sessions WHERE tenant_id = ? AND id = ?", []any{tenant, id}, &one)
	})
}

// SessionShown is a session in brief: its row, and the state of its review as a whole.
type SessionShown struct {
	ledger.SessionRow
	Summary       ledger.Summary
	Revision      int
	Closing       ledger.Closing
	Newest        ledger.NewestAnswer // zero if the answer was never revised
	ReadsComments bool                // the newest run reads the comments of documents as evidence
}

// ShowSession returns a session in brief, as a reader is shown it.
func (store *Store) ShowSession(ctx context.Context, who access.Actor, id string) (*SessionShown, error) {
	out := &SessionShown{}
	err := store.Read(ctx, "ShowSession", func(t *sqldb.Tx) error {
		h, err := loadSessionRow(t, who.Tenant, id, false)
		if err != nil {
			return err
		}
		out.Summary, out.Revision, out.Newest = h.Overview.Summary, h.Session.RevisionFor(who.ID), h.newest
		if h.state == ledger.Closed {
			out.Closing = h.closing
		}
		err = t.Each("SELECT "+rowColumns+" FROM sessions s WHERE s.tenant_id = ? AND s.no = ?",
			[]any{who.Tenant, h.no},
			func(r sqldb.Scanner) error { return scanRow(r, who.ID, &out.SessionRow) })
		out.State, out.ReadsComments = h.stateFor(who), h.Session.Run.ReadsComments()
		return err
	})
	return sqldb.OrZero(out, err)
}

// HasComments reports whether a document of a session holds comments, which a run may read as evidence.
func (store *Store) HasComments(ctx context.Context, who access.Actor, id string) (has bool, err error) {
	err = store.Read(ctx, "HasComments", func(t *sqldb.Tx) error {
		return t.Row(`SELECT EXISTS (SELECT 1 FROM sessions s JOIN chunks c ON c.tenant_id = s.tenant_id AND c.session_no = s.no
			WHERE s.tenant_id = ? AND s.id = ? AND c.kind = ?)`, []any{who.Tenant, id, ledger.FileComment}, &has)
	})
	return has, err
}
