package auditlog

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/audit"
)

// VerifyRecords compares the rows of the recorded tables of a tenant with what the events of its log recorded. It
// relies on the events, which VerifyLog checks.
func (store *Store) VerifyRecords(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
	if tenant == reads.SystemTenant {
		return nil, nil // it has none of these rows
	}
	var known audit.Records
	done := int64(0) // events that known has
	for more := true; more && err == nil; {
		err = store.Read(ctx, "VerifyContents", func(t *sqldb.Tx) error {
			last := int64(0)
			if err := t.Row("SELECT coalesce(max(seq), 0) FROM events WHERE tenant_id = ?", []any{tenant},
				&last); err != nil {
				return err
			}
			if more = last-done > verifyBatch; more {
				last = done + verifyBatch
			}
			if err := addRecords(t, tenant, done, last, &known); err != nil || more {
				done = last
				return err
			}
			faults, err = compareRecords(t, store.Contents, tenant, &known) // at the same moment as the newest event
			return err
		})
	}
	return faults, err
}

// addRecords reads what the events after one, up to another, recorded.
func addRecords(t *sqldb.Tx, tenant string, after, last int64, known *audit.Records) error {
	return t.Each(`SELECT bytes FROM events WHERE tenant_id = ? AND seq > ? AND seq <= ? AND instr(bytes, ?) > 0 ORDER BY seq`,
		[]any{tenant, after, last, []byte(strconv.Quote(audit.RecordsKey) + ":[")}, func(r sqldb.Scanner) error {
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
func compareRecords(t *sqldb.Tx, of *Contents, tenant string,
	known *audit.Records) (faults []audit.ContentFault, err error) {
	salts := map[[2]string][]byte{}
	names := map[[2]string]string{} // the keys of the rows that events do not name
	err = t.Each("SELECT tbl, id, salt FROM record_salts WHERE tenant_id = ?", []any{tenant},
		func(r sqldb.Scanner) error {
			var table, id string
			var salt []byte
			err := r.Scan(&table, &id, &salt)
			salts[[2]string{table, id}] = salt
			if x := of.FindTable(table); x != nil && x.Chosen {
				names[[2]string{table, x.chosenID(id, salt)}] = id
			}
			return err
		})
	if err != nil {
		return nil, err
	}
	add := func(kind, table, object, field string) {
		faults = append(faults, audit.ContentFault{Tenant: tenant, Table: table, Object: object, Kind: kind,
			Field: field})
	}
	for i := range of.Tables {
		x := &of.Tables[i]
		salt := func(keys []any) []byte { return salts[[2]string{x.Name, x.owner(keys)}] }
		compare := func(keys []any, differ func(want map[string]string, salt []byte) []string) {
			id := x.id(keys, salt(keys))
			object := id
			if x.Chosen {
				object = x.owner(keys)
			}
			want := known.Take(x.Name, id)
			if want == nil && x.Initial == nil {
				add(audit.FaultNew, x.Name, object, "")
				return
			}
			for _, column := range differ(want, salt(keys)) {
				add(audit.FaultRecord, x.Name, object, column)
			}
		}
		if x.Order != "" {
			err = x.together(t, "", []any{tenant}, salt, func(keys []any, digest string) {
				compare(keys, func(want map[string]string, _ []byte) []string {
					if want[allRows] == digest {
						return nil
					}
					return []string{allRows}
				})
			})
		} else {
			err = t.Each(x.Query(x.Columns), []any{tenant}, func(r sqldb.Scanner) error {
				row := RecordRow{Table: x, Columns: x.Columns}
				err := r.Scan(row.Fields()...)
				compare(row.Keys(), row.differ)
				return err
			})
		}
		if err != nil {
			return nil, err
		}
	}
	for _, gone := range known.Rest() {
		object := gone.ID
		if name := names[[2]string{gone.Table, gone.ID}]; name != "" {
			object = name
		}
		add(audit.FaultMissing, gone.Table, object, "")
	}
	return faults, nil
}

// differ returns the columns of a row that are not what was recorded, in the order of their names. A column that no
// event recorded is as it was made.
func (recordRow *RecordRow) differ(recorded map[string]string, salt []byte) (columns []string) {
	have := recordRow.digests(salt)
	for _, column := range slices.Sorted(maps.Keys(have)) {
		want, ok := recorded[column]
		if !ok {
			first, there := recordRow.Table.Initial[column]
			if !there {
				first, there = recordRow.Table.Made[column]
			}
			if !there {
				continue
			}
			want = audit.ColumnDigest(recordRow.Table.Name, column, salt, first)
		}
		if have[column] != want {
			columns = append(columns, column)
		}
	}
	return columns
}
