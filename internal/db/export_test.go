package db

import (
	"context"
	"fmt"
	"maps"
	"testing"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/models"
	"sanad/internal/db/sessions"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
)

// ReadLeaves sets how many leaves of a section are verified in one transaction until the test ends.
func ReadLeaves(t testing.TB, n int) {
	before := auditlog.LeavesAtOnce
	auditlog.LeavesAtOnce = n
	t.Cleanup(func() { auditlog.LeavesAtOnce = before })
}

// ReadReviewed sets how many sessions and claims are read to measure models until the test ends.
func ReadReviewed(t testing.TB, sessions, claims int) {
	a, b := models.MaxReviewedSessions, models.MaxReviewedClaims
	models.MaxReviewedSessions, models.MaxReviewedClaims = sessions, claims
	t.Cleanup(func() { models.MaxReviewedSessions, models.MaxReviewedClaims = a, b })
}

// AppendMany appends n events in one transaction.
func (s *Store) AppendMany(ctx context.Context, a access.Actor, n int) error {
	return s.Write(ctx, sqldb.EveryTenant, "AppendMany", func(t *sqldb.Tx) error {
		for range n {
			if err := s.AppendEvent(t, a, auditlog.Event{Action: "many"}); err != nil {
				return err
			}
		}
		return nil
	})
}

// InsertUndigested and ReviewUndigested do what InsertSession and Review do in their transaction, with or without
// the content digests.
func (s *Store) InsertUndigested(ctx context.Context, a access.Actor, l *ledger.Ledger, undigested bool) error {
	return s.Write(ctx, sqldb.EveryTenant, "InsertUndigested", func(t *sqldb.Tx) error {
		auditlog.LogOf.Of(t).Undigested = undigested
		if err := s.Insert(t, a.Tenant, l, nil); err != nil {
			return err
		}
		return s.AppendEvent(t, a, auditlog.SessionImported(l.Session))
	})
}

func (s *Store) ReviewUndigested(ctx context.Context, a access.Actor, id string, undigested bool,
	r ReviewRequest) error {
	return s.Write(ctx, sqldb.EveryTenant, "ReviewUndigested", func(t *sqldb.Tx) error {
		auditlog.LogOf.Of(t).Undigested = undigested
		_, events, err := s.ReviewIn(t, a.Tenant, id, &r)
		if err != nil {
			return err
		}
		return s.AppendEvents(t, a, events)
	})
}

// Assessed returns the whole ledger of a session with its sealed reviews, after checking that the stored values of each
// claim equal the ledger's.
func Assessed(t *testing.T, s *Store, tenant, id string) *ledger.Ledger {
	t.Helper()
	var l ledger.Ledger
	err := s.Read(context.Background(), "Assessed", func(t *sqldb.Tx) error {
		h, stored, err := sessions.LoadSession(t, tenant, id)
		if err != nil {
			return err
		}
		l = ledger.Assess(&h.Session, ledger.DefaultFreshness)
		if !maps.Equal(h.Overview.Sealed, l.Sealed) {
			return fmt.Errorf("sealed reviews are stored as %v and assessed as %v", h.Overview.Sealed, l.Sealed)
		}
		for i := range l.Entries {
			if now := sessions.DerivedOf(&l.Entries[i]); now != stored[i] {
				return fmt.Errorf("claim %d is stored as %+v and assessed as %+v", i, stored[i], now)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// Urgency exports the stored order of the queue.
var Urgency = sessions.Urgency

// FlagMask exports the stored form of flags.
func FlagMask(types ...ledger.RiskType) int { return sessions.FlagMask(types) }

// DigestedColumns lists the columns that are digested, by table, each with whether it can be NULL.
func DigestedColumns() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for i := range sessions.SessionSections {
		table := &sessions.SessionSections[i].Table
		if out[table.Name] == nil {
			out[table.Name] = map[string]bool{}
		}
		for _, c := range table.Columns {
			out[table.Name][c.Name] = c.Nullable
		}
	}
	return out
}

// RecordedColumns lists the columns that events record of rows outside of sessions, by table.
func RecordedColumns() map[string][]string {
	out := map[string][]string{}
	for _, x := range recordTables() {
		out[x.Name] = x.Columns
	}
	return out
}

// RecordedTogether lists the tables whose rows of one key are recorded together.
func RecordedTogether() (out []string) {
	for _, x := range recordTables() {
		if x.Order != "" {
			out = append(out, x.Name)
		}
	}
	return out
}

// VerifyParts are the parts of VerifyContents, the quickest first.
func (s *Store) VerifyParts() []func(context.Context, string) ([]audit.ContentFault, error) {
	return []func(context.Context, string) ([]audit.ContentFault, error){s.VerifyRecords, s.VerifyNames, s.VerifySums,
		s.VerifyPacks, func(ctx context.Context, tenant string) (faults []audit.ContentFault, err error) {
			ids, err := s.ContentIDs(ctx, tenant)
			for _, id := range ids {
				found, err := s.VerifyAlone(ctx, tenant, id, true)
				if err != nil {
					return nil, err
				}
				faults = append(faults, found...)
			}
			return faults, err
		}}
}

// FillNotices tells a person of many things at once.
func FillNotices(t testing.TB, s *Store, tenant, user, pack string, n int) {
	t.Helper()
	err := s.Write(context.Background(), sqldb.EveryTenant, "FillNotices", func(t *sqldb.Tx) error {
		for i := range n {
			_, err := t.Exec(`INSERT INTO notifications (tenant_id, user_id, key, kind, object_kind, object_id, claim, place, by_id,
				at, read_at) VALUES (?, ?, ?, 'to_sign', 'pack', ?, 0, '', '', ?, '')`, tenant, user, fmt.Sprint("filled/", i),
				pack, sqldb.Stamp(s.Now()))
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// HoldTenant runs do in a transaction that holds a tenant's lock; HoldStore in one that holds the lock of all.
func HoldTenant(ctx context.Context, s *Store, tenant string, do func()) error {
	return s.Write(ctx, sqldb.OfTenant(tenant), "HoldTenant", func(*sqldb.Tx) error { do(); return nil })
}

func HoldStore(ctx context.Context, s *Store, do func()) error {
	return s.Write(ctx, sqldb.EveryTenant, "HoldStore", func(*sqldb.Tx) error { do(); return nil })
}

// WriteAs runs do in a transaction with the lock of a tenant.
func (s *Store) WriteAs(ctx context.Context, tenant string,
	do func(exec func(query string, args ...any) (int64, error), log func(access.Actor) error) error) error {
	return s.Write(ctx, sqldb.OfTenant(tenant), "WriteAs", func(t *sqldb.Tx) error {
		return do(t.Exec, func(a access.Actor) error { return s.AppendEvent(t, a, auditlog.Event{Action: "x"}) })
	})
}

// StoppedListening waits until the store knows that it cannot listen.
func (s *Store) StoppedListening(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		s.JobSignal.Ended.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WithLater returns options for a program of a later version, with the text of one more step for each level after the
// newest one of this program.
func WithLater(o Options, texts ...string) Options {
	for i, text := range texts {
		level := NewestLevel() + 1 + i
		o.later = append(o.later, sqldb.Step{Version: level, Name: fmt.Sprintf("%04d_later.sql", level),
			Text: []byte(text)})
	}
	return o
}

// NewestLevel is the level of the schema that this program knows.
func NewestLevel() int {
	known, err := sqldb.KnownMigrations(sqldb.SQLiteFile("", Schema))
	if err != nil {
		panic(err)
	}
	return known[len(known)-1].Version
}

// MigrationTexts returns the texts of the steps of both engines, by engine and file.
func MigrationTexts() (map[string]string, error) {
	out := map[string]string{}
	for name, address := range map[string]string{"sqlite": "", "postgres": "postgres://somebody@localhost/sanad"} {
		e, err := sqldb.EngineOf(address, "", Schema)
		if err != nil {
			return nil, err
		}
		files, err := e.Migrations()
		if err != nil {
			return nil, err
		}
		for i := range files {
			out[name+"/"+files[i].Name] = string(files[i].Text)
		}
	}
	return out, nil
}

// ServesFrom returns the lowest level of a program that may serve once a step is applied.
func ServesFrom(version int, text string) int {
	f := sqldb.Step{Version: version, Text: []byte(text)}
	return f.Serves()
}

// SpareCondition is what a bulk step spares, as a condition on a claim c.
func SpareCondition(p *pack.Policy) string { return sessions.SpareCondition(p) }

// ErasureClaims returns what each room says that erasures do to its tables and files.
func ErasureClaims() map[string][]auditlog.Claim { return erasureClaims() }
