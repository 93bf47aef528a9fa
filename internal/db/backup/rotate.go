package backup

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/keys"
)

// MasterKeyRotation describes what RotateMasterKey did.
type MasterKeyRotation struct {
	Old, New string // fingerprints
	Before   bool   // the new key was in use already, so nothing was done
	Begun    bool   // after an error: which key is in use must be looked up
	Resealed []Resealed
	Forgot   int   // counts of wrong passwords: their keys were MACs
	Remains  error // why what was overwritten may still be in free pages of the file; nil if it is not
}

// Resealed is how many values of a table were sealed again.
type Resealed struct {
	Table string
	N     int
}

// errDry ends the transaction of a dry run.
var errDry = errors.New("a dry run")

// RotateMasterKey seals everything that the database of o.Dir holds sealed with the key fresh in the place of o.Keys,
// in one transaction, with an event in the log of each tenant (rule SEC-26). Killed, it leaves a database that either
// the old key opens or the new one. Nobody else may have the store open: it is refused then, and nobody can open it
// meanwhile. Every log and every recorded row is verified first. A dry run changes nothing.
func RotateMasterKey(ctx context.Context, o db.Options, fresh *keys.Box, dry bool) (MasterKeyRotation, error) {
	out := MasterKeyRotation{Old: o.Keys.Fingerprint(), New: fresh.Fingerprint()}
	if out.Old == out.New {
		return out, errors.New("the new master key is the old one")
	}
	if err := readyForRotation(ctx, o); err != nil {
		return out, err
	}
	o.Exclusive, o.Inspect = true, dry
	s, err := db.Open(ctx, o)
	var who sqldb.OpenElsewhere
	if errors.As(err, &who) {
		return out, inUse("the database", err)
	}
	if sqldb.IsFault(err, sqldb.LockedFault) {
		return out, fmt.Errorf("%s is open: stop the server, and every command that works on it, first", o.Dir)
	}
	if errors.Is(err, auditlog.ErrWrongMasterKey) {
		out.Before = opensWith(ctx, o, fresh) && retired(err)
		if out.Before {
			return out, nil
		}
	}
	if err != nil {
		return out, err
	}
	err = rotateMasterKey(ctx, s, fresh, dry, &out)
	if err := errors.Join(err, s.Close()); err != nil || dry {
		return out, err
	}
	return out, confirmRotation(ctx, o, fresh)
}

// readyForRotation checks, before anything is opened, that there is a database and that it need not be migrated.
func readyForRotation(ctx context.Context, o db.Options) error {
	dir := o.Dir
	o.Keys = nil
	e, err := Examine(ctx, o)
	switch {
	case err != nil:
		return sqldb.At(dir, err)
	case e.Missing:
		return fmt.Errorf("%s is no data folder: it has no %s", dir, db.DatabaseFile)
	case e.Damage != nil:
		return fmt.Errorf("%s: the database is damaged: %s", dir, e.Damage[0])
	case e.Refused != nil:
		return sqldb.At(dir, e.Refused)
	case e.Level < e.Known:
		return fmt.Errorf("%s has schema %d, this program knows %d: run sanad backup, then sanad migrate first", dir,
			e.Level,
			e.Known)
	}
	return nil
}

// retired reports whether an error says that the key was replaced.
func retired(err error) bool {
	var wrong *auditlog.WrongMasterKey
	return errors.As(err, &wrong) && wrong.Retired != ""
}

// opensWith reports whether the database's keys open with a key.
func opensWith(ctx context.Context, o db.Options, box *keys.Box) bool {
	o.Keys = box
	e, err := Examine(ctx, o)
	return err == nil && e.WrongKey == nil
}

// confirmRotation opens the store as the next server will.
func confirmRotation(ctx context.Context, o db.Options, fresh *keys.Box) error {
	o.Keys, o.Exclusive = fresh, false
	s, err := db.Open(ctx, o)
	if err != nil {
		return fmt.Errorf("the new master key is in use now, but: %w", err)
	}
	why := s.Frozen()
	if err := s.Close(); err != nil || why == "" {
		return err
	}
	return fmt.Errorf("the new master key is in use now, but: %s", why)
}

func rotateMasterKey(ctx context.Context, s *db.Store, fresh *keys.Box, dry bool, out *MasterKeyRotation) error {
	if err := soundBeforeRotation(ctx, s); err != nil {
		return err
	}
	old := s.Box
	out.Begun = true
	err := s.Write(ctx, sqldb.EveryTenant, "RotateMasterKey",
		func(t *sqldb.Tx) error { return resealAll(s, t, fresh, dry, out) })
	if dry && errors.Is(err, errDry) {
		return nil
	}
	if err != nil {
		s.Box = old
		return err
	}
	if out.Remains = s.Scrub(ctx); out.Remains != nil {
		return nil //nolint:nilerr // the rotation is done, and the caller tells the rest
	}
	return s.Write(ctx, sqldb.EveryTenant, "RotateMasterKey", func(t *sqldb.Tx) error {
		_, err := t.Exec("DELETE FROM scrub_due WHERE files = '[]'")
		return err
	})
}

// soundBeforeRotation verifies the logs and the recorded rows: what the rotation records anew must not be what somebody
// has changed.
func soundBeforeRotation(ctx context.Context, s *db.Store) error {
	if why := s.Frozen(); why != "" {
		return fmt.Errorf("a tenant only reads: %s; see sanad audit verify", why)
	}
	if _, err := checkedLogs(ctx, s); err != nil {
		return err
	}
	tenants, err := s.AllTenants(ctx)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		faults, err := s.VerifyRecords(ctx, tenant)
		if err != nil {
			return err
		}
		if len(faults) > 0 {
			return fmt.Errorf("tenant %s: %s %s is not what the log says; see sanad audit verify", tenant,
				faults[0].Table,
				faults[0].Object)
		}
	}
	return nil
}

// resealAll is the transaction of a rotation. From the events on, the store uses the new key.
func resealAll(s *db.Store, t *sqldb.Tx, fresh *keys.Box, dry bool, out *MasterKeyRotation) error {
	known := 0
	if err := t.Row("SELECT count(*) FROM master_keys WHERE fingerprint = ?", []any{out.New}, &known); err != nil {
		return err
	}
	if known > 0 {
		return errors.New("this database was sealed with the new master key before; make another one")
	}
	if _, err := t.Exec("INSERT INTO resealing (one) VALUES (1)"); err != nil {
		return err
	}
	for i := range sealedTables {
		x := &sealedTables[i]
		n, err := x.reseal(t, s.Box, fresh)
		if err != nil {
			return fmt.Errorf("%w: it is damaged, or was sealed with another master key; nothing was changed", err)
		}
		out.Resealed = append(out.Resealed, Resealed{x.name, n})
	}
	forgot, err := t.Exec("DELETE FROM login_failures")
	if err != nil {
		return err
	}
	if out.Forgot = int(forgot); dry {
		return errDry
	}
	if err := s.RetireMasterKey(t, fresh, s.Now(), receipts.KeptFor); err != nil {
		return err
	}
	if err := s.OweScrub(t, nil); err != nil {
		return err
	}
	s.Box = fresh
	if err := logRotation(s, t, out); err != nil {
		return err
	}
	_, err = t.Exec("DELETE FROM resealing")
	return err
}

// sealBatch is how many rows one event of a rotation records at most.
const sealBatch = 500

// logRotation appends the event to every tenant's log, with the digests of the recorded rows whose seal has changed.
func logRotation(s *db.Store, t *sqldb.Tx, out *MasterKeyRotation) error {
	tenants, err := sqldb.Collect(t, "SELECT id FROM tenants ORDER BY id", nil, sqldb.ScanText)
	if err != nil {
		return err
	}
	for _, tenant := range tenants {
		refs, err := resealedRecords(t, tenant)
		if err != nil {
			return err
		}
		batches := slices.Collect(slices.Chunk(refs, sealBatch))
		if len(batches) == 0 {
			batches = [][]auditlog.RecordRef{nil}
		}
		for _, batch := range batches {
			auditlog.Record(t, tenant, batch...)
			if err := s.AppendEvent(t, auditlog.SystemActor(tenant),
				auditlog.Event{Action: "key.master_rotated", Kind: "key", ObjectID: out.New,
					Details: map[string]any{"old": out.Old, "new": out.New}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// resealedRecords returns the rows of a tenant with a recorded column that is sealed.
func resealedRecords(t *sqldb.Tx, tenant string) (refs []auditlog.RecordRef, err error) {
	if tenant == reads.SystemTenant {
		return nil, nil // nothing of it is recorded
	}
	for i := range sealedTables {
		x := recordTableOf(auditlog.ContentsOf(t), &sealedTables[i])
		if x == nil {
			continue
		}
		column := sealedTables[i].column
		err := t.Each(x.Query([]string{column}), []any{tenant}, func(r sqldb.Scanner) error {
			row := auditlog.RecordRow{Table: x, Columns: []string{column}}
			if err := r.Scan(row.Fields()...); err != nil {
				return err
			}
			if row.Values[len(x.Keys)] != nil {
				refs = append(refs, auditlog.Wrote(x.Name, row.Keys(), column))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return refs, nil
}

// recordTableOf returns the table of recorded rows in which a sealed column is recorded, nil if it is in none.
func recordTableOf(of *auditlog.Contents, sealed *sealedTable) *auditlog.RecordTable {
	if x := of.FindTable(sealed.name); x != nil && slices.Contains(x.Columns, sealed.column) {
		return x
	}
	return nil
}
