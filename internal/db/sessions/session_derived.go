package sessions

import (
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/ledger"
)

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
	want, err := sessionArgs(l)
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
