package db

import (
	"encoding/json"
	"slices"
	"strings"

	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// derived compares the stored derived values of a session, whose rows are those of the log, with what the rules compute
// from its content. It finds what the digests can't: values that were wrong when they were stored.
func (c *contentCheck) derived() error {
	ruleSet := 0
	if err := c.t.row("SELECT rule_set FROM sessions WHERE tenant_id = ? "+
		"AND no = ?", []any{c.tenant, c.no}, &ruleSet); err != nil {
		return err
	}
	if !ledger.KnownRuleSet(ruleSet) {
		return nil // a newer version assessed it, by rules that this program does not have
	}
	months, err := freshnessEver(c.t, c.tenant)
	if err != nil {
		return err
	}
	h, stored, err := loadSession(c.t, c.tenant, c.session)
	if err != nil {
		return err
	}
	var at []ledger.Ledger // as computed under each setting
	for _, m := range months {
		at = append(at, ledger.Assess(&h.session, m))
	}
	for i := range stored {
		field := ""
		for j := range at {
			want := derivedOf(&at[j].Entries[i])
			if field = firstDifferent(derivedColumns, want.values(), stored[i].values()); field == "" {
				break
			}
		}
		if field != "" {
			f := c.fault(audit.FaultDerived, "claims", "")
			f.Claim, f.Field = i+1, field
			break
		}
	}
	field := ""
	for j := range at {
		if field, err = c.derivedOfSession(&at[j], len(at) > 1); err != nil || field == "" {
			break
		}
	}
	if field != "" {
		c.fault(audit.FaultDerived, "session", "").Field = field
	}
	return err
}

// sums that differ between the settings of freshness are those of flags.
var freshnessColumns = []string{"flags", "flag_count", "severity", "urgency", "overview"}

// derivedOfSession returns the first derived column of the session's own row that is not what the rules compute.
// Where the tenant had several settings of freshness, what depends on it is left out: some claims may have been
// assessed under an older one.
func (c *contentCheck) derivedOfSession(l *ledger.Ledger, several bool) (string, error) {
	want, err := sessionArgs(l)
	if err != nil {
		return "", err
	}
	have := make([]any, len(want))
	fields := make([]any, len(want))
	for i := range have {
		fields[i] = &have[i]
	}
	closed := false // an opened session keeps when it was closed
	if err := c.t.row("SELECT "+sessionColumns+", closed_at <> '' AND state = ? FROM sessions WHERE tenant_id = ? "+
		"AND no = ?",
		[]any{string(ledger.Closed), c.tenant, c.no}, append(fields, &closed)...); err != nil {
		return "", err
	}
	for i, column := range strings.Split(sessionColumns, ",") {
		column = strings.TrimSpace(column)
		switch {
		case closed && column == "state":
			want[i] = string(ledger.Closed)
		case closed && column == "status":
			want[i] = statusOf(ledger.Closed)
		}
		if column == "reviewer" {
			continue // of reviews of one moment, any may be the last
		}
		if !several || !slices.Contains(freshnessColumns, column) {
			if firstDifferent(column, want[i:i+1], have[i:i+1]) != "" {
				return column, nil
			}
		}
	}
	return "", nil
}

// freshnessEver lists the settings of freshness that a tenant has had, the present one first.
func freshnessEver(t *tx, tenant string) (out []int, err error) {
	now := 0
	if err := t.row("SELECT freshness_months FROM tenants WHERE id = ?", []any{tenant}, &now); err != nil {
		return nil, err
	}
	out = []int{now}
	add := func(months int) {
		if months > 0 && !slices.Contains(out, months) {
			out = append(out, months)
		}
	}
	changes := 0
	err = t.each("SELECT bytes FROM events WHERE tenant_id = ? AND action = 'tenant.changed' ORDER BY seq", []any{tenant},
		func(r scanner) error {
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
