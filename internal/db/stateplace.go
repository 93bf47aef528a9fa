package db

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// place says in a fault which claim or document a leaf is of.
func (c *contentCheck) place(f *audit.ContentFault, x *section, leaf int) {
	if leaf < 0 && x.owner != "" {
		f.Detail = "together with their hashes"
		return
	}
	switch x.name {
	case "claims", "matches", "citations", "reviews":
		f.Claim = leaf + 1
	case "upstream", "imported reviews":
		f.Claim = max(leaf, 0)
	case "documents", "chunks":
		f.Document = strconv.Itoa(leaf + 1)
		var id string
		if c.t.Row("SELECT id FROM documents WHERE tenant_id = ? AND session_no = ? AND position = ?",
			[]any{c.tenant, c.no, leaf}, &id) == nil {
			f.Document = id
		}
	case "runs", "run marks", "run changes", "run claims":
		f.Field = fmt.Sprintf("run %d", leaf+1)
	}
}

// name adds the field to the faults where it can be told: a derived value that is not what the rules compute, a text
// that has not its stored hash, a review whose row is not the one that its event recorded.
func (c *contentCheck) name() {
	for i := range c.faults {
		f := &c.faults[i]
		if f.Kind != audit.FaultRows || f.Field != "" {
			continue
		}
		switch f.Part {
		case "claims":
			f.Field = c.claimField(f.Claim - 1)
		case "session":
			f.Field = c.sessionField()
		case "chunks":
			f.Field = c.chunkField(f.Document)
		case "reviews":
			f.Field = c.reviewField(f.Claim - 1)
		}
	}
}

// assessed returns the session's ledger as the rules compute it, with the derived values that are stored; ok is false
// if the rows don't allow it.
func (c *contentCheck) assessed() (l ledger.Ledger, stored []derived, ok bool) {
	defer func() {
		if recover() != nil { // rows that were changed may lack what the rules require
			ok = false
		}
	}()
	months := 0
	if c.t.Row("SELECT freshness_months FROM tenants WHERE id = ?", []any{c.tenant}, &months) != nil {
		return l, nil, false
	}
	h, stored, err := loadSession(c.t, c.tenant, c.session)
	if err != nil {
		return l, nil, false
	}
	return ledger.Assess(&h.session, months), stored, true
}

// claimField returns the first column of a claim's derived values that is not what the rules compute.
func (c *contentCheck) claimField(position int) string {
	l, stored, ok := c.assessed()
	if !ok || position < 0 || position >= len(stored) {
		return ""
	}
	want, have := derivedOf(&l.Entries[position]), stored[position]
	return firstDifferent(derivedColumns, want.values(), have.values())
}

// sessionField is claimField for the session's own row.
func (c *contentCheck) sessionField() string {
	l, _, ok := c.assessed()
	if !ok {
		return ""
	}
	want, err := sessionArgs(&l)
	if err != nil {
		return ""
	}
	have := make([]any, len(want))
	fields := make([]any, len(want))
	for i := range have {
		fields[i] = &have[i]
	}
	if c.t.Row("SELECT "+sessionColumns+" FROM sessions WHERE tenant_id = ? "+
		"AND no = ?", []any{c.tenant, c.no}, fields...) != nil {
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
func (c *contentCheck) chunkField(document string) (field string) {
	_ = c.t.Each(`SELECT k.position, k.hash, k.text FROM chunks k JOIN documents d ON d.tenant_id = k.tenant_id
		AND d.session_no = k.session_no
		AND d.position = k.document
		WHERE k.tenant_id = ? AND k.session_no = ?
		AND d.id = ? ORDER BY k.position`, []any{c.tenant, c.no, document}, func(r sqldb.Scanner) error {
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
func (c *contentCheck) reviewField(position int) string {
	recorded := map[string]string{}
	err := c.t.Each("SELECT bytes FROM events WHERE tenant_id = ? AND object_kind = 'session' AND object_id = ? AND action = ?",
		[]any{c.tenant, c.session, claimReviewed}, func(r sqldb.Scanner) error {
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
	reviews, err := sqldb.Collect(c.t, "SELECT n, id FROM reviews WHERE tenant_id = ? AND session_no = ? "+
		"AND claim = ? ORDER BY n",
		[]any{c.tenant, c.no, position}, func(r sqldb.Scanner, x *row) error { return r.Scan(&x.n, &x.id) })
	if err != nil {
		return ""
	}
	for _, r := range reviews {
		digest, err := reviewDigest(c.t, c.tenant, c.session, rowOf{position, r.n})
		if want := recorded[r.id]; err == nil && want != "" && want != audit.Hex(digest) {
			return fmt.Sprintf("review %d", r.n+1)
		}
	}
	return ""
}
