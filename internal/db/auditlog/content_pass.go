package auditlog

import (
	"context"
	"slices"
	"time"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/words"
)

func (p *contentPass) finish(at time.Time, sessions int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = ContentPass{Finished: at, Sessions: sessions, Faults: p.now}
	p.now = nil
}

// LastPass returns the newest complete pass since the store was opened, with what the running one has found as well.
func (store *Store) LastPass() ContentPass {
	p := &store.pass
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.last
	out.Faults = slices.Clone(p.last.Faults)
	for _, f := range p.now {
		if !slices.Contains(out.Faults, f) {
			out.Faults = append(out.Faults, f)
		}
	}
	return out
}

// Of returns what the pass found wrong in one tenant.
func (contentPass *ContentPass) Of(tenant string) (texts []string) {
	for _, f := range contentPass.Faults {
		if f.Tenant == tenant {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

// WatchContents makes one pass after the other until ctx ends, and works at most budget of each minute.
func (store *Store) WatchContents(ctx context.Context, budget time.Duration) {
	pause := func(worked time.Duration) error {
		return sqldb.Wait(ctx, time.Duration(float64(worked)*(float64(time.Minute)/float64(budget)-1)))
	}
	for ctx.Err() == nil {
		if err := store.PassContents(ctx, pause); err != nil && ctx.Err() == nil {
			store.Logger.Error("the check of all content broke off", "err", err)
		}
		_ = sqldb.Wait(ctx, time.Minute) // only ctx ends it, and then the loop ends too
	}
}

// PassContents verifies every log and every session of all tenants, and remembers what it found. It calls pause after
// each log and each session with how long that took.
func (store *Store) PassContents(ctx context.Context, pause func(worked time.Duration) error) error {
	tenants, err := store.AllTenants(ctx)
	if err != nil {
		return err
	}
	sessions := 0
	for _, tenant := range tenants {
		began := time.Now()
		report, err := store.VerifyLog(ctx, tenant)
		if err != nil {
			return err
		}
		if !report.OK() {
			store.passFault(tenant, "the audit log: "+report.Words())
		}
		ids, err := store.ContentIDs(ctx, tenant)
		if err != nil {
			return err
		}
		if err := pause(time.Since(began)); err != nil {
			return err
		}
		for _, id := range ids {
			began := time.Now()
			faults, err := store.VerifySession(ctx, tenant, id)
			if noSession(err) {
				continue // it was erased meanwhile
			}
			if err != nil {
				return err
			}
			sessions++
			for i := range faults {
				store.passFault(tenant, faults[i].String())
			}
			if err := pause(time.Since(began)); err != nil {
				return err
			}
		}
		for _, verify := range store.Checks {
			began := time.Now()
			faults, err := verify(ctx, tenant)
			if err != nil {
				return err
			}
			for i := range faults {
				store.passFault(tenant, faults[i].String())
			}
			if err := pause(time.Since(began)); err != nil {
				return err
			}
		}
	}
	store.pass.finish(store.Now(), sessions)
	return nil
}

func (store *Store) passFault(tenant, text string) {
	store.Logger.Error("stored content is not what the log recorded", "tenant", tenant, "fault", text)
	store.pass.found(PassFault{tenant, text})
}

// ContentUnready returns why the content makes the server not ready, nothing if it doesn't.
func (store *Store) ContentUnready() domain.Message {
	p := store.LastPass()
	if len(p.Faults) == 0 {
		return domain.Message{}
	}
	return words.Msg("refused_content_faults", "N", len(p.Faults), "Name", p.Faults[0].Tenant,
		"What", p.Faults[0].Text)
}
