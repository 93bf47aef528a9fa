package sessions

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/receipts"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
)

// InsertSession stores an assessed session with its originals, once per content: if the tenant has a session with this
// digest already, it returns that session's id with created false and stores nothing, not even the receipt, except the
// link of its first run to the bundle that l names. The caller then answers with that id and stores the answer with
// SaveReceipt. If r's key has been answered already, it returns a *ReplayError and stores nothing. Originals are in the
// bucket before the session is committed, and are removed if it is not. l.Session must have its ids, digest, times and
// revision. InsertSession sets Blob and MediaType of documents with originals.
func (store *Store) InsertSession(ctx context.Context, a access.Actor, l *ledger.Ledger, originals []Original,
	r *receipts.Receipt) (id string, created bool, err error) {
	return store.insertSession(ctx, a, l, originals, r, nil)
}

// FinishJob stores a session as InsertSession does and ends the job as done, in one transaction. warnings is called
// with whether the session is new. If the worker has lost the job, it stores nothing and returns job.ErrLost.
func (store *Store) FinishJob(ctx context.Context, job Job, l *ledger.Ledger, originals []Original,
	warnings func(created bool) []domain.Warning) (id string, created bool, err error) {
	id, created, err = store.insertSession(ctx, job.Asker(), l, originals, nil,
		func(t *sqldb.Tx, id string, created bool) error {
			return job.Imported(t, id, created, len(l.Session.Claims), warnings(created))
		})
	if err == nil {
		job.Drop(ctx)
	}
	return id, created, err
}

// insertSession is InsertSession; end, unless nil, runs in the same transaction, even if the session exists already.
func (store *Store) insertSession(ctx context.Context, a access.Actor, l *ledger.Ledger, originals []Original,
	r *receipts.Receipt,
	end func(t *sqldb.Tx, id string, created bool) error) (id string, created bool, err error) {
	err = store.Read(ctx, "InsertSession", func(t *sqldb.Tx) (err error) {
		if err := store.Unanswered(t, a.Tenant, r); err != nil {
			return err
		}
		id, err = sessionByDigest(t, a.Tenant, l.Session.Digest)
		return err
	})
	if err != nil || id != "" && end == nil && l.Session.BundleID == "" {
		return id, false, err
	}
	keys, err := store.putOriginals(ctx, a.Tenant, l.Session, originals)
	if err != nil {
		store.Needs.Files.Drop(ctx, keys...)
		return "", false, sqldb.Fail("InsertSession", err)
	}
	err = store.Write(ctx, sqldb.OfTenant(a.Tenant), "InsertSession", func(t *sqldb.Tx) (err error) {
		if err := store.Unanswered(t, a.Tenant, r); err != nil {
			return err
		}
		if id, err = sessionByDigest(t, a.Tenant, l.Session.Digest); err != nil {
			return err
		}
		if id == "" {
			id, created = l.Session.ID, true
			if err := store.stillInLibrary(t, a.Tenant, documentsOf(l.Session, originals)); err != nil {
				return err
			}
			if err := store.Insert(t, a.Tenant, l, r); err != nil {
				return err
			}
			if err := store.AppendEvent(t, a, auditlog.SessionImported(l.Session)); err != nil {
				return err
			}
			if err := store.appendRevised(t, a, l.Session); err != nil {
				return err
			}
		}
		if err := store.linkFirstRun(t, a, id, l.Session.BundleID); err != nil {
			return err
		}
		if end == nil {
			return nil
		}
		return end(t, id, created)
	})
	if err != nil {
		id, created = "", false
	}
	if !created {
		store.Needs.Files.DropUnstored(ctx, err, keys...)
	}
	return id, created, err
}

// sessionByDigest returns the id of the session with this content, "" if none.
func sessionByDigest(t *sqldb.Tx, tenant, digest string) (id string, err error) {
	err = t.Row("SELECT id FROM sessions WHERE tenant_id = ? AND digest = ?", []any{tenant, digest}, &id)
	if sqldb.NoRow(err) {
		return "", reads.TenantExists(t, tenant)
	}
	return id, err
}

// Insert writes all rows of a new session.
func (store *Store) Insert(t *sqldb.Tx, tenant string, l *ledger.Ledger, r *receipts.Receipt) error {
	firstClaim, _, err := t.Engine.Reserve(t, claimNumbers, ledger.MaxNewClaims+max(1, len(l.Session.Claims)))
	if err != nil {
		return err
	}
	firstClaim += ledger.MaxNewClaims // the session before may take these
	no, err := insertHead(t, tenant, l, firstClaim)
	if err != nil {
		return err
	}
	auditlog.BeginState(t, no, tenant, l.Session.ID)
	in := &inserter{t: t, tenant: tenant, no: no, firstClaim: firstClaim, words: WordsBeside(l.Session.Claims),
		makeRoom: store.Needs.MakeRoom}
	defer in.words() // waits: nothing reads the session after this returns
	for _, part := range []func(*ledger.Ledger) error{in.run, in.answer, in.documents, in.chunks, in.claims,
		in.search, in.evidence, in.reviews, in.imported, in.upstream, in.comparisons, in.find} {
		if err := part(l); err != nil {
			return err
		}
	}
	if err := count(t, tenant, l.Session.CreatedAt, countsOf(&l.Summary)); err != nil {
		return err
	}
	return store.KeepReceipt(t, tenant, r, store.Now())
}

var claimNumbers = sqldb.NumberSpace{Table: "claims", Column: "no", Counter: "claims", Number: "no"}
