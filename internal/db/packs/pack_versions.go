package packs

import (
	"time"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
)

// packVersions is a pack with all earlier and later versions.
type packVersions struct {
	rows  []pack.Row // the oldest first
	lives map[string]*pack.Life
	holds map[string][]pack.HoldChange

	machines []access.Made // the authors that are machines, with who made their tokens
}

// loadVersions reads all versions of a pack, with one query per table.
func loadVersions(t *sqldb.Tx, tenant, packID string) (*packVersions, error) {
	f := &packVersions{lives: map[string]*pack.Life{}, holds: map[string][]pack.HoldChange{}}
	err := t.Each("SELECT "+packColumns+
		`, p.returned_at, p.returned_by, p.returned_name, p.return_reason, p.discarded_at, p.discarded_by, p.discarded_name,
		p.discard_reason FROM evidence_packs p
		WHERE p.tenant_id = ? AND p.family = (SELECT family FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?)
		ORDER BY p.no`,
		[]any{tenant, tenant, packID}, f.add)
	if err != nil {
		return nil, err
	}
	if f.lives[packID] == nil {
		return nil, sqldb.NotFound()
	}
	for _, read := range []func(t *sqldb.Tx, tenant, packID string) error{f.authors, f.approvals, f.heldBy, f.makers} {
		if err := read(t, tenant, packID); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// add adds one version.
func (versions *packVersions) add(r sqldb.Scanner) error {
	var row pack.Row
	var returned, discarded pack.Return
	var at, gone time.Time
	if err := scanPack(r, &row, sqldb.TimeOrNoneInto(&at), &returned.Actor, &returned.Name, &returned.Reason,
		sqldb.TimeOrNoneInto(&gone), &discarded.Actor, &discarded.Name, &discarded.Reason); err != nil {
		return err
	}
	l := &pack.Life{
		PackID: row.PackID, Supersedes: row.Supersedes, SupersededBy: row.SupersededBy, State: row.State,
		Revision: row.Revision,
		Need:     row.Need, Mandatory: row.Level == pack.Mandatory, Digest: row.Digest,
		SubmittedAt: lifeTime(row.SubmittedAt),
	}
	if !at.IsZero() {
		returned.At = lifeTime(at)
		l.Return = &returned
	}
	if !gone.IsZero() {
		discarded.At = lifeTime(gone)
		l.Discard = &discarded
	}
	versions.rows, versions.lives[row.PackID] = append(versions.rows, row), l
	return nil
}

// ofVersions restricts a table x of packs' parts to the versions of a pack.
const ofVersions = ` JOIN evidence_packs p ON p.pack_id = x.pack_id AND p.tenant_id = x.tenant_id
	WHERE p.tenant_id = ? AND p.family = (SELECT family FROM evidence_packs WHERE tenant_id = ? AND pack_id = ?)`

func (versions *packVersions) authors(t *sqldb.Tx, tenant, packID string) error {
	return t.Each("SELECT x.pack_id, x.actor, x.own, "+reads.IssuerOf("x.actor")+" FROM pack_makers x"+ofVersions+
		" ORDER BY x.pack_id, x.n", []any{tenant, tenant, packID},
		func(r sqldb.Scanner) error {
			var id, actor, issuer string
			var own bool
			if err := r.Scan(&id, &actor, &own, &issuer); err != nil {
				return err
			}
			l := versions.lives[id]
			if !own {
				l.Before = append(l.Before, actor)
				return nil
			}
			l.Authors = append(l.Authors, actor)
			if issuer != "" {
				l.TokenIssuers = append(l.TokenIssuers, issuer)
				versions.machines = append(versions.machines, access.Made{Person: actor, By: issuer})
			}
			return nil
		})
}

func (versions *packVersions) approvals(t *sqldb.Tx, tenant, packID string) error {
	return t.Each(`SELECT x.pack_id, x.actor, x.name, x.title, x.role, x.at, x.digest, x.comment, x.log_index,
		x.for_id, x.for_name, x.for_from, x.for_until, x.for_log, x.acknowledged, x.since
		FROM pack_approvals x`+ofVersions+
		" ORDER BY x.pack_id, x.n", []any{tenant, tenant, packID}, func(r sqldb.Scanner) error {
		var id string
		var a pack.Approval
		var at, from, until time.Time
		var stood pack.Behalf
		err := r.Scan(&id, &a.Actor, &a.Name, &a.Title, &a.Role, sqldb.TimeInto(&at), &a.Digest, &a.Comment, &a.LogIndex,
			&stood.Actor, &stood.Name, sqldb.TimeOrNoneInto(&from), sqldb.TimeOrNoneInto(&until), &stood.LogIndex,
			sqldb.JSONInto(&a.Acknowledged), sqldb.JSONInto(&a.Since))
		if err == nil {
			if a.At = lifeTime(at); stood.Actor != "" {
				stood.From, stood.Until = lifeTime(from), lifeTime(until)
				a.For = &stood
			}
			versions.lives[id].Approvals = append(versions.lives[id].Approvals, a)
		}
		return err
	})
}

func (versions *packVersions) heldBy(t *sqldb.Tx, tenant, packID string) error {
	return t.Each("SELECT x.pack_id, x.held, x.actor, x.at, x.reason FROM pack_holds x"+ofVersions+
		" ORDER BY x.pack_id, x.n", []any{tenant, tenant, packID},
		func(r sqldb.Scanner) error {
			var id string
			var h pack.HoldChange
			if err := r.Scan(&id, &h.Set, &h.Actor, sqldb.TimeInto(&h.At), &h.Reason); err != nil {
				return err
			}
			versions.holds[id] = append(versions.holds[id], h)
			versions.lives[id].Hold = nil
			if h.Set {
				versions.lives[id].Hold = &pack.Hold{Actor: h.Actor, At: lifeTime(h.At), Reason: h.Reason}
			}
			return nil
		})
}

// chain returns a pack and the packs it supersedes, newest first.
func (versions *packVersions) chain(packID string) pack.Chain {
	var out pack.Chain
	for l := versions.lives[packID]; l != nil; l = versions.lives[l.Supersedes] {
		out = append(out, l)
	}
	return out
}

// makers adds who made whom, with the machines among the authors.
func (versions *packVersions) makers(t *sqldb.Tx, tenant, packID string) error {
	made, err := reads.Made(t, tenant)
	versions.lives[packID].Makers = access.MakersOf(append(made, versions.machines...))
	return err
}
