package packs

import (
	"context"
	"errors"
	"strconv"
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/due"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
)

// Waits returns for whom a pack in review waits, and since when (rule P-31).
func (store *Store) Waits(ctx context.Context, tenant string, v *PackView) (out pack.Waits, err error) {
	err = store.Read(ctx, "Waits", func(t *sqldb.Tx) error {
		out, err = store.waits(t, tenant, v)
		return err
	})
	return out, err
}

func (store *Store) waits(t *sqldb.Tx, tenant string, v *PackView) (pack.Waits, error) {
	people, err := reads.Members(t, tenant)
	if err != nil {
		return pack.Waits{}, err
	}
	return v.Content.WaitsFor(v.Chain, tenant, people, v.Deputies, store.Now()), nil
}

// remindBatch is how many packs are looked at in one go.
const remindBatch = 200

// RemindApprovers reminds those for whom packs wait, of all tenants, each step of each pack once: that it is told is
// stored in the transaction that tells it (rule N-7). What was missed while no server ran is told once, as the newest
// step. It returns how many packs it reminded of. One that fails does not keep the others waiting.
func (store *Store) RemindApprovers(ctx context.Context) (reminded int, err error) {
	var tenants []string
	var settings []due.Reminders
	err = store.Read(ctx, "RemindApprovers", func(t *sqldb.Tx) error {
		tenants, settings = nil, nil
		return t.Each(`SELECT id, remind_after, remind_every, remind_most FROM tenants
			WHERE remind_after > 0 AND remind_most > 0 ORDER BY slug`, nil, func(r sqldb.Scanner) error {
			var id string
			var s due.Reminders
			err := r.Scan(&id, &s.After, &s.Every, &s.Most)
			tenants, settings = append(tenants, id), append(settings, s)
			return err
		})
	})
	var failed error
	for i, tenant := range tenants {
		for step := settings[i].Steps(); step > 0; step-- {
			n, err := store.remindStep(ctx, tenant, step, settings[i].Wait(step))
			reminded, failed = reminded+n, errors.Join(failed, err)
		}
	}
	return reminded, errors.Join(err, failed)
}

// remindStep reminds of the packs of a tenant that have waited so long, and of which no later step was told either.
func (store *Store) remindStep(ctx context.Context, tenant string, step int, wait time.Duration) (n int, failed error) {
	for {
		var list []string
		err := store.Read(ctx, "RemindApprovers", func(t *sqldb.Tx) (err error) {
			list, err = sqldb.Collect(t, `SELECT p.pack_id FROM evidence_packs p WHERE p.tenant_id = ?
				AND p.state = 'in_review' AND p.submitted_at <= ? AND NOT EXISTS (SELECT 1 FROM pack_reminders r
				WHERE r.tenant_id = p.tenant_id AND r.pack_id = p.pack_id AND r.step >= ?)
				ORDER BY p.submitted_at, p.no LIMIT ?`,
				[]any{tenant, sqldb.Stamp(store.Now().Add(-wait)), step, remindBatch}, sqldb.ScanText)
			return err
		})
		if err != nil {
			return n, err
		}
		for _, id := range list {
			told := false
			err := store.Write(ctx, sqldb.OfTenant(tenant), "RemindApprovers", func(t *sqldb.Tx) (err error) {
				told, err = store.remind(t, tenant, id, step)
				return err
			})
			if failed = errors.Join(failed, err); told && err == nil {
				n++
			}
		}
		if len(list) < remindBatch || failed != nil {
			return n, failed
		}
	}
}

// remind tells those for whom a pack waits that it still does, unless another server has done so, or it waits no more.
// Their reminders before count as read.
func (store *Store) remind(t *sqldb.Tx, tenant, packID string, step int) (told bool, err error) {
	n, err := t.Exec(`INSERT INTO pack_reminders (tenant_id, pack_id, step, at)
		SELECT tenant_id, pack_id, ?, ? FROM evidence_packs WHERE tenant_id = ? AND pack_id = ? AND state = 'in_review'
		ON CONFLICT (tenant_id, pack_id, step) DO NOTHING`, step, sqldb.Stamp(store.Now()), tenant, packID)
	if err != nil || n == 0 {
		return false, err
	}
	p, err := store.loadPack(t, tenant, packID)
	if err != nil {
		return false, err
	}
	waits, err := store.waits(t, tenant, p.view)
	if err != nil {
		return false, err
	}
	err = store.Needs.Notices.Settled(t, tenant, notify.Waits, notify.Pack, packID, "")
	for _, id := range waits.IDs() {
		err = errors.Join(err, store.Needs.Notices.Notify(t, tenant, &notify.Message{To: id, Kind: notify.Waits,
			ObjectKind: notify.Pack, ObjectID: packID, Key: "waits/" + packID + "/" + strconv.Itoa(step)}))
	}
	return true, err
}

// deputiesToldFor is how long after a deputy's time has begun or ended people are told of it: what was missed while no
// server ran is told within that time.
const deputiesToldFor = 3 * 24 * time.Hour

// TellDeputies tells deputies whose time has begun that it has, and people whose deputy's time is over how many packs
// that were submitted meanwhile wait for them, each once (rule P-31). Their notifications tell that it was done: whoever
// had more than notify.KeptMax newer ones within deputiesToldFor is told again.
func (store *Store) TellDeputies(ctx context.Context) (told int, failed error) {
	var list []reads.Turn
	now := store.Now()
	err := store.Read(ctx, "TellDeputies", func(t *sqldb.Tx) (err error) {
		all, err := reads.DeputyTurns(t, now.Add(-deputiesToldFor), now)
		list = nil
		for i := range all {
			d, to, what := &all[i].Deputy, all[i].Deputy.By.ID, notify.DeputyBegun
			if all[i].Over {
				to, what = d.For.ID, notify.DeputyBack
			}
			was, e := store.Needs.Notices.Told(t, all[i].Tenant, to, deputyKey(d, what))
			if err = errors.Join(err, e); !was && !d.Lapsed() {
				list = append(list, all[i])
			}
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	for i := range list {
		x := &list[i]
		err := store.Write(ctx, sqldb.OfTenant(x.Tenant), "TellDeputies", func(t *sqldb.Tx) error {
			d, err := reads.Deputy(t, x.Tenant, x.Deputy.ID)
			switch {
			case err != nil || !d.EndedAt.IsZero():
				return err
			case x.Over:
				return store.tellOver(t, x.Tenant, "", &d)
			}
			return store.tellBegun(t, x.Tenant, "", &d)
		})
		if failed = errors.Join(failed, err); err == nil {
			told++
		}
	}
	return told, failed
}
