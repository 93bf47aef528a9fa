package db

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"sanad/internal/domain/audit"
)

// verifyRecords compares the rows of recordTables of a tenant with what the events of its log recorded. It relies on
// the events, which VerifyLog checks.
func (s *Store) verifyRecords(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	if tenant == SystemTenant {
		return nil, nil // it has none of these rows
	}
	var known audit.Records
	done := int64(0) // events that known has
	for more := true; more && err == nil; {
		err = s.read(ctx, "VerifyContents", func(t *tx) error {
			last := int64(0)
			if err := t.row("SELECT coalesce(max(seq), 0) FROM events WHERE tenant_id = ?", []any{tenant}, &last); err != nil {
				return err
			}
			if more = last-done > verifyBatch; more {
				last = done + verifyBatch
			}
			if err := addRecords(t, tenant, done, last, &known); err != nil || more {
				done = last
				return err
			}
			faults, err = compareRecords(t, tenant, &known) // at the same moment as the newest event
			return err
		})
	}
	return faults, err
}

// addRecords reads what the events after one, up to another, recorded.
func addRecords(t *tx, tenant string, after, last int64, known *audit.Records) error {
	return t.each(`SELECT bytes FROM events WHERE tenant_id = ? AND seq > ? AND seq <= ? AND instr(bytes, ?) > 0 ORDER BY seq`,
		[]any{tenant, after, last, []byte(strconv.Quote(audit.RecordsKey) + ":[")}, func(r scanner) error {
			var data []byte
			if err := r.Scan(&data); err != nil {
				return err
			}
			e, err := audit.ParseEvent(data)
			if err != nil {
				return nil //nolint:nilerr // VerifyLog names this event
			}
			list, err := audit.RecordsOf(e.Details)
			if err == nil {
				known.Add(list)
			}
			return nil
		})
}

// compareRecords compares the rows with what is known of them.
func compareRecords(t *tx, tenant string, known *audit.Records) (faults []audit.ContentFault, err error) {
	salts := map[[2]string][]byte{}
	err = t.each("SELECT tbl, id, salt FROM record_salts WHERE tenant_id = ?", []any{tenant}, func(r scanner) error {
		var table, id string
		var salt []byte
		err := r.Scan(&table, &id, &salt)
		salts[[2]string{table, id}] = salt
		return err
	})
	if err != nil {
		return nil, err
	}
	add := func(kind, table, object, field string) {
		faults = append(faults, audit.ContentFault{Tenant: tenant, Table: table, Object: object, Kind: kind, Field: field})
	}
	for i := range recordTables {
		x := &recordTables[i]
		err := t.each(x.query(x.columns), []any{tenant}, func(r scanner) error {
			row := recordRow{table: x, columns: x.columns}
			if err := r.Scan(row.fields()...); err != nil {
				return err
			}
			salt := salts[[2]string{x.name, x.owner(row.keys())}]
			id := x.id(row.keys(), salt)
			want := known.Take(x.name, id)
			if want == nil && x.initial == nil {
				add(audit.FaultNew, x.name, id, "")
				return nil
			}
			for _, column := range row.differ(want, salt) {
				add(audit.FaultRecord, x.name, id, column)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, gone := range known.Rest() {
		add(audit.FaultMissing, gone.Table, gone.ID, "")
	}
	return faults, nil
}

// differ returns the columns of a row that are not what was recorded, in the order of their names. A column that no
// event recorded is as it was made.
func (r *recordRow) differ(recorded map[string]string, salt []byte) (columns []string) {
	have := r.digests(salt)
	for _, column := range slices.Sorted(maps.Keys(have)) {
		want, ok := recorded[column]
		if !ok {
			first, there := r.table.initial[column]
			if !there {
				first, there = r.table.made[column]
			}
			if !there {
				continue
			}
			want = audit.ColumnDigest(r.table.name, column, salt, first)
		}
		if have[column] != want {
			columns = append(columns, column)
		}
	}
	return columns
}
