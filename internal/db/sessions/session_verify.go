package sessions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// Rules tells the log what it does not know of the content of sessions.
func (store *Store) Rules() auditlog.SessionRules { return contentRules{store} }

type contentRules struct{ s *Store }

func (r contentRules) Originals(ctx context.Context, tenant, id string) ([]audit.ContentFault, error) {
	return r.s.verifyOriginals(ctx, tenant, id)
}

func (r contentRules) Field(rows auditlog.SessionRows, f audit.ContentFault) string {
	c := contentRows{SessionRows: rows, log: r.s.Store.Store}
	switch f.Part {
	case "claims":
		return c.claimField(f.Claim - 1)
	case "session":
		return c.sessionField()
	case "chunks":
		return c.chunkField(f.Document)
	case "reviews":
		return c.reviewField(f.Claim - 1)
	}
	return ""
}

func (r contentRules) Derived(rows auditlog.SessionRows) (compare func(fault func(part, field string, claim int)) error, err error) {
	d, err := contentRows{SessionRows: rows, log: r.s.Store.Store}.loadDerived()
	if err != nil || d == nil {
		return nil, err
	}
	return d.compare, nil
}

// contentRows are the rows of a session whose columns are looked at one by one.
type contentRows struct {
	auditlog.SessionRows
	log *auditlog.Store
}

// assessed returns the session's ledger as the rules compute it, with the derived values that are stored; ok is false
// if the rows don't allow it.
func (c contentRows) assessed() (l ledger.Ledger, stored []derived, ok bool) {
	defer func() {
		if recover() != nil { // rows that were changed may lack what the rules require
			ok = false
		}
	}()
	months := 0
	if c.Tx.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{c.Tenant}, &months) != nil {
		return l, nil, false
	}
	h, stored, err := LoadSession(c.Tx, c.Tenant, c.Session)
	if err != nil {
		return l, nil, false
	}
	return ledger.Assess(&h.Session, months), stored, true
}

// claimField returns the first column of a claim's derived values that is not what the rules compute.
func (c contentRows) claimField(position int) string {
	l, stored, ok := c.assessed()
	if !ok || position < 0 || position >= len(stored) {
		return ""
	}
	want, have := DerivedOf(&l.Entries[position]), stored[position]
	return firstDifferent(derivedColumns, want.values(), have.values())
}

// sessionField is claimField for the session's own row.
func (c contentRows) sessionField() string {
	l, _, ok := c.assessed()
	if !ok {
		return ""
	}
	want, err := sessionArgs(&l, l.Summary.State())
	if err != nil {
		return ""
	}
	have := make([]any, len(want))
	fields := make([]any, len(want))
	for i := range have {
		fields[i] = &have[i]
	}
	if c.Tx.Row("SELECT "+sessionColumns+" FROM sessions WHERE tenant_id = ? "+
		"AND no = ?", []any{c.Tenant, c.No}, fields...) != nil {
		return ""
	}
	return firstDifferent(sessionColumns, want, have)
}

// firstDifferent returns the first of some columns whose values differ, "" if none does.
func firstDifferent(columns string, a, b []any) string {
	for i, column := range strings.Split(columns, ",") {
		if fmt.Sprint(a[i]) != fmt.Sprint(b[i]) {
			return strings.TrimSpace(column)
		}
	}
	return ""
}

// chunkField names the first chunk of a document whose text has not its stored hash.
func (c contentRows) chunkField(document string) (field string) {
	_ = c.Tx.Each(`SELECT k.position, k.hash, k.text FROM chunks k JOIN documents d ON d.tenant_id = k.tenant_id
		AND d.session_no = k.session_no
		AND d.position = k.document
		WHERE k.tenant_id = ? AND k.session_no = ?
		AND d.id = ? ORDER BY k.position`, []any{c.Tenant, c.No, document}, func(r sqldb.Scanner) error {
		var position int
		var hash, text string
		err := r.Scan(&position, &hash, &text)
		if field == "" && err == nil && ledger.ChunkDigest(text) != hash {
			field = fmt.Sprintf("text or hash of chunk %d", position+1)
		}
		return err
	})
	return field
}

// reviewField names the first review of a claim whose row is not the one that its event recorded.
func (c contentRows) reviewField(position int) string {
	recorded := map[string]string{}
	err := c.Tx.Each("SELECT bytes FROM events WHERE tenant_id = ? AND object_kind = 'session' AND object_id = ? AND action = ?",
		[]any{c.Tenant, c.Session, auditlog.ClaimReviewedAction}, func(r sqldb.Scanner) error {
			var data []byte
			if err := r.Scan(&data); err != nil {
				return err
			}
			var e struct {
				Details struct {
					ID      string        `json:"id"`
					Claim   int           `json:"claim"`
					Content audit.Content `json:"content"`
				} `json:"details"`
			}
			if json.Unmarshal(data, &e) == nil && e.Details.Claim == position+1 {
				recorded[e.Details.ID] = e.Details.Content.Rows
			}
			return nil
		})
	if err != nil {
		return ""
	}
	type row struct {
		n  int
		id string
	}
	reviews, err := sqldb.Collect(c.Tx, "SELECT n, id FROM reviews WHERE tenant_id = ? AND session_no = ? "+
		"AND claim = ? ORDER BY n",
		[]any{c.Tenant, c.No, position}, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.n, &x.id) })
	if err != nil {
		return ""
	}
	for _, r := range reviews {
		digest, err := c.log.ReviewDigest(c.Tx, c.Tenant, c.Session, auditlog.RowOf{Claim: position, N: r.n})
		if want := recorded[r.id]; err == nil && want != "" && want != audit.Hex(digest) {
			return fmt.Sprintf("review %d", r.n+1)
		}
	}
	return ""
}

// sumsOf compute the sums over the sessions of a tenant as they are stored, without those that are 0.
var sumsOf = []struct{ table, stored, computed string }{
	{"counters", "SELECT day, " + countColumns + " FROM counters WHERE tenant_id = ?1 AND sessions <> 0",
		`SELECT d.day, count(*), sum(s.total), sum(s.covered), sum(s.reviewed), sum(s.supported), sum(s.weak),
			sum(s.contradicted),
			sum(s.not_found), sum(s.unjudged)
		FROM (SELECT no, '' AS day FROM sessions WHERE tenant_id = ?1 UNION ALL SELECT no, substr(created_at, 1, 10)
		FROM sessions WHERE tenant_id = ?1) d
		JOIN sessions s ON s.no = d.no GROUP BY d.day`},
	{"comparisons", "SELECT day, judge, version, machine, person, claims FROM comparisons WHERE tenant_id = ?1 AND claims <> 0",
		`SELECT substr(s.created_at, 1, 10) AS day, c.judge, CASE WHEN c.given = 1 THEN '' ELSE r.version END,
			c.machine_verdict, c.verdict, count(*)
		FROM sessions s JOIN claims c ON c.tenant_id = s.tenant_id AND c.session_no = s.no JOIN ledger_runs r
		ON r.tenant_id = s.tenant_id AND r.session_no = s.no AND r.n = s.run
		WHERE s.tenant_id = ?1 AND c.settled = 1 AND c.machine_verdict <> '' GROUP BY 1, 2, 3, 4, 5`},
}

// VerifySums compares the stored sums over the sessions of a tenant with the sessions.
func (store *Store) VerifySums(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	err = store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) error {
		for _, x := range sumsOf {
			days := map[string]bool{}
			for _, query := range []string{x.stored + " EXCEPT " + x.computed, x.computed + " EXCEPT " + x.stored} {
				if err := t.Each("SELECT DISTINCT day FROM ("+query+") AS differing ORDER BY day",
					[]any{tenant}, func(r sqldb.Scanner) error {
						var day string
						err := r.Scan(&day)
						days[day] = true
						return err
					}); err != nil {
					return err
				}
			}
			for _, day := range slices.Sorted(maps.Keys(days)) {
				f := audit.ContentFault{Tenant: tenant, Kind: audit.FaultSums, Part: x.table, Field: "all days"}
				if day != "" {
					f.Field = "day " + day
				}
				faults = append(faults, f)
			}
		}
		return nil
	})
	return faults, err
}

// derivedCheck is what derived values are compared from: read in one transaction, compared after it, since computing
// them takes as long as reading them.
type derivedCheck struct {
	row    *sessionRow
	claims []derived
	months []int // settings of freshness, see freshnessEver
	sums   []any // of the session's own row, as sessionColumns
	closed bool  // and an opened session keeps when it was closed
}

// loadDerived reads a session for compare; nil if a newer version assessed it, by rules that this program does
// not have.
func (c contentRows) loadDerived() (d *derivedCheck, err error) {
	ruleSet := 0
	if err := c.Tx.Row("SELECT rule_set FROM sessions WHERE tenant_id = ? "+
		"AND no = ?", []any{c.Tenant, c.No}, &ruleSet); err != nil {
		return nil, err
	}
	if !ledger.KnownRuleSet(ruleSet) {
		return nil, nil
	}
	d = &derivedCheck{sums: make([]any, strings.Count(sessionColumns, ",")+1)}
	if d.months, err = freshnessEver(c.Tx, c.Tenant); err != nil {
		return nil, err
	}
	if d.row, d.claims, err = LoadSession(c.Tx, c.Tenant, c.Session); err != nil {
		return nil, err
	}
	fields := make([]any, len(d.sums))
	for i := range fields {
		fields[i] = &d.sums[i]
	}
	return d, c.Tx.Row("SELECT "+sessionColumns+", closed_at <> '' AND state = ? FROM sessions WHERE tenant_id = ? "+
		"AND no = ?", []any{string(ledger.Closed), c.Tenant, c.No}, append(fields, &d.closed)...)
}

// compare compares the stored derived values of a session, whose rows are those of the log, with what the rules
// compute from its content. It finds what the digests can't: values that were wrong when they were stored.
func (d *derivedCheck) compare(fault func(part, field string, claim int)) error {
	var at []ledger.Ledger // as computed under each setting
	for _, m := range d.months {
		at = append(at, ledger.Assess(&d.row.Session, m))
	}
	for i := range d.claims {
		field := ""
		for j := range at {
			want := DerivedOf(&at[j].Entries[i])
			if field = firstDifferent(derivedColumns, want.values(), d.claims[i].values()); field == "" {
				break
			}
		}
		if field != "" {
			fault("claims", field, i+1)
			break
		}
	}
	field := ""
	for j := range at {
		var err error
		if field, err = d.ofSession(&at[j]); err != nil {
			return err
		}
		if field == "" {
			break
		}
	}
	if field != "" {
		fault("session", field, 0)
	}
	return nil
}

// freshnessColumns are the sums that differ between the settings of freshness are those of flags.
var freshnessColumns = []string{"flags", "flag_count", "severity", "urgency", "overview"}

// ofSession returns the first derived column of the session's own row that is not what the rules compute.
// Where the tenant had several settings of freshness, what depends on it is left out: some claims may have been
// assessed under an older one.
func (d *derivedCheck) ofSession(l *ledger.Ledger) (string, error) {
	want, err := sessionArgs(l, l.Summary.State())
	if err != nil {
		return "", err
	}
	for i, column := range strings.Split(sessionColumns, ",") {
		column = strings.TrimSpace(column)
		switch {
		case d.closed && column == "state":
			want[i] = string(ledger.Closed)
		case d.closed && column == "status":
			want[i] = statusOf(ledger.Closed)
		}
		if column == "reviewer" {
			continue // of reviews of one moment, any may be the last
		}
		if len(d.months) == 1 || !slices.Contains(freshnessColumns, column) {
			if firstDifferent(column, want[i:i+1], d.sums[i:i+1]) != "" {
				return column, nil
			}
		}
	}
	return "", nil
}

// freshnessEver lists the settings of freshness that a tenant has had, the present one first.
func freshnessEver(t *sqldb.Tx, tenant string) (out []int, err error) {
	now := 0
	if err := t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &now); err != nil {
		return nil, err
	}
	out = []int{now}
	add := func(months int) {
		if months > 0 && !slices.Contains(out, months) {
			out = append(out, months)
		}
	}
	changes := 0
	err = t.Each("SELECT bytes FROM events WHERE tenant_id = ? AND action = 'tenant.changed' ORDER BY seq",
		[]any{tenant},
		func(r sqldb.Scanner) error {
			var data []byte
			if err := r.Scan(&data); err != nil {
				return err
			}
			var e struct {
				Details struct {
					Months int `json:"freshness_months"`
				} `json:"details"`
			}
			if json.Unmarshal(data, &e) == nil && e.Details.Months > 0 {
				changes++
				add(e.Details.Months)
			}
			return nil
		})
	if changes > 0 {
		add(ledger.DefaultFreshness)
	}
	return out, err
}
