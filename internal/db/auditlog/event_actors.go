package auditlog

import (
	"context"
	"maps"
	"net/url"
	"slices"

	"sanad/internal/db/sqldb"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
)

// nameQuery selects the id, the text, the version and the state of things of one kind; the list of ids follows it.
type nameQuery struct{ kind, query string }

// nameQueries are sent once for each kind that a list of events names. The tenant is ?1. Of a webhook only the host is
// told, as its address may hold a secret, and of a view that is not shared nothing.
var nameQueries = []nameQuery{
	{"session", "SELECT id, title, 0, '' FROM sessions WHERE tenant_id = ? AND id IN "},
	{"document", `SELECT id, CASE filename WHEN '' THEN title ELSE filename END, 0,
		CASE WHEN status <> 'ready' THEN 'erased' WHEN withdrawn <> '' THEN 'withdrawn' ELSE '' END
		FROM documents WHERE tenant_id = ? AND id IN `},
	{"pack", "SELECT pack_id, title, version, '' FROM evidence_packs WHERE tenant_id = ? AND pack_id IN "},
	{"decision", "SELECT decision_id, title, 0, '' FROM decisions WHERE tenant_id = ? AND decision_id IN "},
	{"user", `SELECT u.id, u.name, 0, '' FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.tenant_id = ? AND m.user_id IN `},
	{"token", "SELECT id, name, 0, '' FROM api_tokens WHERE tenant_id = ? AND id IN "},
	{"webhook", "SELECT id, url, 0, '' FROM webhooks WHERE tenant_id = ? AND id IN "},
	{"model", "SELECT id, name, 0, '' FROM model_endpoints WHERE tenant_id = ? AND id IN "},
	{"job", "SELECT id, name, 0, '' FROM jobs WHERE tenant_id = ? AND id IN "},
	{"view", "SELECT id, name, 0, '' FROM saved_views WHERE shared = 1 AND tenant_id = ? AND id IN "},
	{"bundle", "SELECT bundle_id, bundle_id, 0, '' FROM evidence_bundles WHERE tenant_id = ? AND bundle_id IN "},
	{"library", "SELECT id, name, 0, '' FROM library_documents WHERE tenant_id = ? AND id IN "},
	{"artifact", "SELECT sha256, path, 0, '' FROM lake_artifacts WHERE tenant_id = ? AND sha256 IN "},
	{"invitation", `SELECT id, CASE login WHEN '' THEN name ELSE login END, 0, '' FROM invitations
		WHERE tenant_id = ? AND id IN `},
	{"key", "SELECT id, name, 0, '' FROM trusted_keys WHERE tenant_id = ? AND id IN "},
	{"tenant", "SELECT id, name, 0, '' FROM tenants WHERE id = ? AND id IN "},
}

// LogNames returns the names of what events speak of, as they are now, in a fixed number of queries. Reviews that are
// sealed from the reader say so (rule L-18).
func (store *Store) LogNames(ctx context.Context, reader access.Actor, events []audit.StoredEvent,
	facts []audit.Facts) (names audit.Names, err error) {
	refs := map[audit.Ref]bool{}
	people := make([]string, 0, len(events))
	for i := range events {
		people = append(people, events[i].Actor)
		for _, r := range events[i].Refs(&facts[i]) {
			refs[r] = true
		}
	}
	slices.Sort(people)
	err = store.Together(ctx, "LogNames", func(ctx context.Context) (err error) {
		names.People, err = store.Names.ActorNames(ctx, reader.Tenant, slices.Compact(people))
		return err
	}, func(ctx context.Context) error {
		return store.Read(ctx, "LogNames", func(t *sqldb.Tx) error {
			names.Things, names.Reviews = map[audit.Ref]audit.Name{}, map[string]audit.ReviewName{}
			n := &logNames{t: t, reader: reader, refs: byKind(refs), names: &names}
			if err := n.things(); err != nil {
				return err
			}
			if err := n.erased(); err != nil {
				return err
			}
			return n.claims()
		})
	})
	return names, err
}

// byKind sorts what is named by its kind.
func byKind(refs map[audit.Ref]bool) map[string][]audit.Ref {
	out := map[string][]audit.Ref{}
	for r := range refs {
		if r.ID != "" {
			out[r.Kind] = append(out[r.Kind], r)
		}
	}
	return out
}

// logNames looks up names in one transaction.
type logNames struct {
	t      *sqldb.Tx
	reader access.Actor
	refs   map[string][]audit.Ref
	names  *audit.Names
}

func idsOf(refs []audit.Ref) []any {
	out := make([]any, len(refs))
	for i, r := range refs {
		out[i] = r.ID
	}
	return out
}

// things looks up what has a row.
func (n *logNames) things() error {
	if err := n.requests(); err != nil {
		return err
	}
	for _, q := range nameQueries {
		if len(n.refs[q.kind]) == 0 {
			continue
		}
		list, args := sqldb.InList(idsOf(n.refs[q.kind]))
		err := n.t.Each(q.query+list, append([]any{n.reader.Tenant}, args...), func(r sqldb.Scanner) error {
			id, name := "", audit.Name{}
			if err := r.Scan(&id, &name.Text, &name.Version, &name.State); err != nil {
				return err
			}
			n.names.Things[audit.Ref{Kind: q.kind, ID: id}] = told(q.kind, name)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// told leaves out of a name what its readers are not told.
func told(kind string, name audit.Name) audit.Name {
	if name.State == "erased" {
		name.Text = ""
	}
	if kind == "webhook" {
		at, err := url.Parse(name.Text)
		if name.Text = ""; err == nil {
			name.Text = at.Host
		}
	}
	return name
}

// requests looks up what erasures are about, and adds it to what is looked up.
func (n *logNames) requests() error {
	if len(n.refs["erasure"]) == 0 {
		return nil
	}
	list, args := sqldb.InList(idsOf(n.refs["erasure"]))
	return n.t.Each("SELECT id, kind, object_id FROM erasures WHERE tenant_id = ? AND id IN "+list,
		append([]any{n.reader.Tenant}, args...), func(r sqldb.Scanner) error {
			id, of := "", audit.Ref{}
			if err := r.Scan(&id, &of.Kind, &of.ID); err != nil {
				return err
			}
			if of.Kind == "upload" {
				of.Kind = "job"
			}
			n.names.Things[audit.Ref{Kind: "erasure", ID: id}] = audit.Name{Of: of}
			if !slices.Contains(n.refs[of.Kind], of) {
				n.refs[of.Kind] = append(n.refs[of.Kind], of)
			}
			return nil
		})
}

// erased marks what is not stored any more because it was erased.
func (n *logNames) erased() error {
	var ids []any
	for _, kind := range []string{"session", "document", "pack", "bundle", "job", "library"} {
		for _, r := range n.refs[kind] {
			if _, stored := n.names.Things[r]; !stored {
				ids = append(ids, r.ID)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	list, args := sqldb.InList(ids)
	return n.t.Each(`SELECT kind, object_id FROM erasures WHERE tenant_id = ? AND state = 'done'
		AND kind IN ('session', 'document', 'pack', 'bundle', 'upload', 'library') AND object_id IN `+list,
		append([]any{n.reader.Tenant}, args...), func(r sqldb.Scanner) error {
			var of audit.Ref
			err := r.Scan(&of.Kind, &of.ID)
			if of.Kind == "upload" {
				of.Kind = "job"
			}
			n.names.Things[of] = audit.Name{State: "erased"}
			return err
		})
}

// claims looks up the claims that events name, with their reviews.
func (n *logNames) claims() error {
	refs := n.refs[audit.ClaimKind]
	if len(refs) == 0 {
		return nil
	}
	pairs := make([]any, 0, 2*len(refs))
	for _, r := range refs {
		pairs = append(pairs, r.ID, r.Claim-1)
	}
	list, args := sqldb.InPairs(pairs)
	found := map[[2]int]*namedClaim{}
	err := n.t.Each(`SELECT s.no, s.id, s.second_review, s.first_reviewer, s.second_reviewer, c.position, c.text,
			c.machine_verdict, c.stale_reviews, c.withheld_reviews
		FROM sessions s JOIN claims c ON c.tenant_id = s.tenant_id AND c.session_no = s.no
		WHERE s.tenant_id = ? AND (s.id, c.position) IN `+list, append([]any{n.reader.Tenant}, args...),
		func(r sqldb.Scanner) error {
			x := &namedClaim{}
			c := &x.claim
			err := r.Scan(&x.no, &x.session.ID, &x.session.Second, &x.session.Seats[0].ID, &x.session.Seats[1].ID,
				&c.Position, &c.Text, &x.machine, &c.Stale, &c.Withheld)
			found[[2]int{x.no, c.Position}] = x
			return err
		})
	if err != nil || len(found) == 0 {
		return err
	}
	if err := n.reviews(found); err != nil {
		return err
	}
	for _, x := range found {
		n.name(x)
	}
	return nil
}

// namedClaim is a claim that events name, with what decides which of its reviews are sealed.
type namedClaim struct {
	no      int
	session ledger.Session
	claim   ledger.Claim
	machine ledger.Verdict
}

// reviews reads the reviews of claims.
func (n *logNames) reviews(found map[[2]int]*namedClaim) error {
	pairs := make([]any, 0, 2*len(found))
	for at := range maps.Keys(found) {
		pairs = append(pairs, at[0], at[1])
	}
	list, args := sqldb.InPairs(pairs)
	return n.t.Each(`SELECT session_no, claim, id, actor, by_id, at, action, verdict, undoes, adjudicates FROM reviews
		WHERE (session_no, claim) IN `+list+" ORDER BY session_no, claim, n", args, func(row sqldb.Scanner) error {
		var at [2]int
		var r ledger.Review
		err := row.Scan(&at[0], &at[1], &r.ID, &r.Actor, &r.By, sqldb.TimeInto(&r.At), &r.Action, &r.Verdict, &r.Undoes,
			&r.Adjudicates)
		if x := found[at]; x != nil {
			x.claim.Reviews = append(x.claim.Reviews, r)
		}
		return err
	})
}

// name tells a claim's text, and what each of its reviews changed.
func (n *logNames) name(x *namedClaim) {
	c, open := &x.claim, len(x.session.Open(&x.claim))
	n.names.Things[audit.Ref{Kind: audit.ClaimKind, ID: x.session.ID, Claim: c.Number()}] = audit.Name{Text: c.Text}
	for i := range c.Reviews {
		r := &c.Reviews[i]
		n.names.Reviews[r.ID] = audit.ReviewName{From: x.before(i),
			Sealed: i >= open && (r.By == "" || r.By != n.reader.ID)}
	}
}

// before returns the verdict in force before the i-th review, "" if it is not known: before a stale review the machine
// said something else that is not kept here, and in a blind session nobody saw the others' reviews.
func (x *namedClaim) before(i int) string {
	if x.session.Second == ledger.SecondBlind && !x.claim.Reviews[i].Adjudicates {
		return ""
	}
	machine := x.machine
	if i < x.claim.Stale {
		machine = ""
	}
	return string(x.claim.VerdictBefore(i, machine))
}
