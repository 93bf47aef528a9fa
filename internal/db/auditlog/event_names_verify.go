package auditlog

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// VerifyNames compares the addresses and the chosen ids that are stored beside a tenant's events with the commitments
// in them (rule LOG-14). It relies on the events, which VerifyLog checks. Both may be forgotten: an address with the
// salt of its month, an id with its decision.
func (store *Store) VerifyNames(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	c := nameCheck{tenant: tenant, nameless: map[string][]int64{}}
	for more := true; more && err == nil; {
		err = store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) (err error) {
			more, err = c.batch(t)
			return err
		})
	}
	if err == nil {
		err = store.Read(ctx, "VerifyContents", c.finish)
	}
	return c.faults, err
}

// nameCheck is the check of one tenant's names.
type nameCheck struct {
	tenant   string
	done     int64              // the last event that was checked
	nameless map[string][]int64 // the events whose object's id is not stored, by the commitment to it
	faults   []audit.ContentFault
}

func (c *nameCheck) fault(kind string, seq int64, field string) {
	c.faults = append(c.faults, audit.ContentFault{Tenant: c.tenant, Table: "event_names",
		Object: strconv.FormatInt(seq, 10), Kind: kind, Field: field})
}

// batch checks the next events; more is false behind the last one.
func (c *nameCheck) batch(t *sqldb.Tx) (more bool, err error) {
	salts := map[string][]byte{}
	err = t.Each("SELECT kind, object_id, salt FROM text_salts WHERE tenant_id = ? AND kind IN (?, ?)",
		[]any{c.tenant, addressKind, tenantKind}, func(r sqldb.Scanner) error {
			var kind, id string
			var salt []byte
			err := r.Scan(&kind, &id, &salt)
			salts[kind+"/"+id] = salt
			return err
		})
	if err != nil {
		return false, err
	}
	n := 0
	err = t.Each("SELECT "+NamedColumns+" FROM events WHERE tenant_id = ? AND seq > ? ORDER BY seq LIMIT ?",
		[]any{c.tenant, c.done, verifyBatch}, func(r sqldb.Scanner) error {
			var row audit.StoredEvent
			if err := ScanNamed(r, &row); err != nil {
				return err
			}
			n, c.done = n+1, row.Seq
			e, err := audit.ParseEvent(row.Bytes)
			if err != nil {
				return nil //nolint:nilerr // VerifyLog names this event
			}
			month, _, _ := strings.Cut(e.At, "T")
			month = month[:min(len(month), len("2026-11"))]
			if salt := salts[addressKind+"/"+month]; !isNamed(salt, e.From, row.Address) {
				c.fault(audit.FaultRecord, row.Seq, "address")
			}
			switch salt := salts[tenantKind+"/"+c.tenant]; {
			case row.Named == "" && slices.Contains(namedKinds, e.Object.Kind):
				c.nameless[e.Object.ID] = append(c.nameless[e.Object.ID], row.Seq)
			case row.Named != "" && !isNamed(salt, e.Object.ID, row.Named):
				c.fault(audit.FaultRecord, row.Seq, "object_id")
			}
			return nil
		})
	return n == verifyBatch, err
}

// isNamed reports whether a stored text is what an event's commitment says. Without the salt there must be none.
func isNamed(salt []byte, said, text string) bool {
	if salt == nil || !strings.HasPrefix(said, committedMark) {
		return text == ""
	}
	return text != "" && said == committedMark+hmacHex(salt, text)
}

// finish finds names that lack their event, and decisions that are stored although events about them lack their id.
func (c *nameCheck) finish(t *sqldb.Tx) error {
	err := t.Each(`SELECT n.seq FROM event_names n WHERE n.tenant_id = ? AND NOT EXISTS (SELECT 1 FROM events e
		WHERE e.tenant_id = n.tenant_id AND e.seq = n.seq) ORDER BY n.seq`, []any{c.tenant}, func(r sqldb.Scanner) error {
		seq := int64(0)
		err := r.Scan(&seq)
		c.fault(audit.FaultNew, seq, "")
		return err
	})
	if err != nil || len(c.nameless) == 0 {
		return err
	}
	var salt []byte
	err = t.Row("SELECT salt FROM text_salts WHERE tenant_id = ? AND kind = ? AND object_id = ?",
		[]any{c.tenant, tenantKind, c.tenant}, &salt)
	if sqldb.NoRow(err) {
		return nil
	}
	if err != nil {
		return err
	}
	ids, err := sqldb.Collect(t, "SELECT decision_id FROM decisions WHERE tenant_id = ? ORDER BY no", []any{c.tenant},
		sqldb.ScanText)
	if err != nil {
		return err
	}
	for _, id := range ids {
		for _, seq := range c.nameless[committedMark+hmacHex(salt, id)] {
			c.fault(audit.FaultRecord, seq, "object_id")
		}
	}
	return nil
}
