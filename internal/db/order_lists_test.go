package db_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/job"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/webhook"
)

// ofOneMoment is how many objects of each list are made at the same nanosecond.
const ofOneMoment = 24

// numbered are the names of the objects in the order in which they were made.
func numbered(backwards bool) (out []string) {
	for i := range ofOneMoment {
		out = append(out, fmt.Sprintf("object %02d", i))
	}
	if backwards {
		slices.Reverse(out)
	}
	return out
}

// Objects of one moment are listed in the order in which they were made, whatever their random ids are; lists that show
// the newest first have the reverse order. A VACUUM, which may renumber rows, changes neither.
func TestListsOfOneMomentAreInTheOrderOfMaking(t *testing.T) {
	b := moment{dbtest.NewBoard(t), map[string]string{}, map[string]string{}}
	b.make(t)
	check := func(when string) {
		for name, list := range b.lists(t) {
			want := numbered(list.newestFirst)
			if list.most > 0 {
				want = want[:list.most]
			}
			t.Run(name+", "+when, func(t *testing.T) { require.Equal(t, want, list.names()) })
		}
	}
	check("as made")
	d := dbtest.Raw(t, b.Dir)
	_, err := d.Exec("DELETE FROM jobs WHERE name LIKE 'between%'") // leaves gaps between the rows
	require.NoError(t, err)
	_, err = d.Exec("VACUUM")
	require.NoError(t, err)
	check("after a VACUUM")
}

// moment is a board with objects of one moment.
type moment struct {
	*dbtest.Board
	bundles, keys map[string]string // names, by id
}

func (b *moment) make(t *testing.T) {
	t.Helper()
	h := &dbtest.Fixture{Store: b.Store, Dir: b.Dir, Tenant: b.Tenant, Actor: b.Drafter}
	for i, name := range numbered(false) {
		s := dbtest.SizedSession(3)
		s.Title, s.CreatedAt, s.UpdatedAt = name, dbtest.Now, dbtest.Now
		s.Seats[0] = ledger.Seat{ID: b.Drafter.ID}
		h.AddSession(t, s)
		require.NoError(t, b.SaveView(b.Ctx, access.Actor{Tenant: b.Tenant.ID, ID: uuid.NewString()},
			ledger.SavedView{Page: ledger.SavedSessions, Name: "the same", Query: name, Shared: true}))

		d := dbtest.DecisionOf(fmt.Sprintf("dec_%s", uuid.NewString()), "A2", 1)
		d.Title = name
		b.Decide(t, d)
		d = dbtest.DecisionOf(fmt.Sprintf("dec_%s", uuid.NewString()), "A2", 1)
		d.Title = name
		b.Decide(t, d)
		v, err := b.CreatePack(b.Ctx, b.Drafter, d.DecisionID, db.Answering{})
		require.NoError(t, err)
		v = b.Approve(t, b.Approver, b.Submit(t, v))
		_, err = b.RequestExport(b.Ctx, b.Viewer, v.Life.PackID, "pdf", "because")
		require.NoError(t, err)

		for _, work := range []string{name, "between " + name} {
			in, err := b.PutJobInput(b.Ctx, strings.NewReader(work))
			require.NoError(t, err)
			in.At = dbtest.Now
			added, _, err := b.AddJob(b.Ctx, b.Drafter, in, job.File, work, nil)
			require.NoError(t, err)
			_, err = b.CancelJob(b.Ctx, b.Drafter, added.ID) // few may be open
			require.NoError(t, err)
		}
		if i < webhook.MaxEndpoints { // a tenant may have no more
			address := "https://example.test/" + strings.ReplaceAll(name, " ", "-")
			_, _, err = b.AddWebhook(b.Ctx, b.Admin, address, []string{"session.imported"})
			require.NoError(t, err)
		}
		in := dbtest.Built(t, "", name)
		h.AddBundle(t, in)
		b.bundles[in.Bundle.BundleID] = name
		k, err := b.AddToken(b.Ctx, access.AtCommandLine(b.Tenant.ID), access.Token{Name: name, Role: access.Viewer,
			Hash: name, ExpiresAt: dbtest.Now.AddDate(0, 1, 0)})
		require.NoError(t, err)
		require.NotEmpty(t, k.ID)
		key, err := b.RotateKey(b.Ctx, access.AtCommandLine(b.Tenant.ID), "sign")
		require.NoError(t, err)
		b.keys[key.ID] = name
		require.NoError(t, b.CreateLogin(b.Ctx, b.Drafter, access.Login{TokenHash: name, UserID: b.Drafter.ID,
			TenantID: b.Tenant.ID, FreshAt: dbtest.Now, Agent: name}))
	}
}

// aList is how a list names what is in it.
type aList struct {
	newestFirst bool
	most        int // that it shows, 0 for all
	names       func() []string
}

// pages reads a list to its end, seven at a time, and returns the names.
func pages[T any](t *testing.T, page func(after string) ([]T, string, error), name func(T) string) func() []string {
	return func() (out []string) {
		for after, more := "", true; more; more = after != "" {
			rows, next, err := page(after)
			require.NoError(t, err)
			require.LessOrEqual(t, len(rows), 7)
			for _, r := range rows {
				out = append(out, name(r))
			}
			after = next
		}
		return out
	}
}

// whole reads a list that has no pages.
func whole[T any](t *testing.T, list func() ([]T, error), name func(T) string) func() []string {
	return func() (out []string) {
		rows, err := list()
		require.NoError(t, err)
		for _, r := range rows {
			out = append(out, name(r))
		}
		return out
	}
}

func (b *moment) lists(t *testing.T) map[string]aList {
	tenant := b.Tenant.ID
	sessions := func(q ledger.SessionQuery) func() []string {
		q.Limit = 7
		return pages(t, func(after string) ([]ledger.SessionRow, string, error) {
			q.After = after
			return b.Sessions(b.Ctx, tenant, q)
		}, func(r ledger.SessionRow) string { return r.Title })
	}
	titleOfSession := func(r ledger.SessionRow) string { return r.Title }
	titleOfDecision := func(r pack.DecisionRow) string { return r.Title }
	titleOfExport := func(r pack.ExportRequest) string { return r.Title }
	packs := func(q pack.Query) func() []string {
		q.Limit = 7
		return pages(t, func(after string) ([]pack.Row, string, error) {
			q.After = after
			return b.Packs(b.Ctx, tenant, q)
		}, func(r pack.Row) string { return r.Title })
	}
	queue := func() *pack.Queue {
		q, err := b.PackQueue(b.Ctx, b.Second, 100)
		require.NoError(t, err)
		return q
	}
	return map[string]aList{
		"sessions":           {names: sessions(ledger.SessionQuery{Dir: "asc"})},
		"sessions, newest":   {newestFirst: true, names: sessions(ledger.SessionQuery{})},
		"sessions, open":     {newestFirst: true, names: sessions(ledger.SessionQuery{State: ledger.StateOpen})},
		"sessions, new":      {newestFirst: true, names: sessions(ledger.SessionQuery{State: "new"})},
		"sessions, coverage": {names: sessions(ledger.SessionQuery{Sort: "coverage"})},
		"sessions, claims":   {newestFirst: true, names: sessions(ledger.SessionQuery{Sort: "claims", Dir: "desc"})},
		"sessions, mine": {names: sessions(ledger.SessionQuery{Dir: "asc", Assigned: ledger.AssignedMe,
			Reader: b.Drafter.ID})},
		"sessions, words": {newestFirst: true, names: sessions(ledger.SessionQuery{Text: "object"})},
		"home": {most: 10, names: whole(t, func() ([]ledger.SessionRow, error) {
			home, err := b.Home(b.Ctx, access.Actor{Tenant: tenant})
			return home.Queue, err
		}, titleOfSession)},
		"my queue": {names: whole(t, func() ([]ledger.SessionRow, error) {
			queue, err := b.MyQueue(b.Ctx, tenant, b.Drafter.ID, 100)
			return queue.Rows, err
		}, titleOfSession)},
		"oldest open": {most: 1, names: whole(t, func() ([]ledger.AgeBand, error) {
			st, err := b.Stats(b.Ctx, tenant, b.At, 7)
			return st.Ages[:1], err
		}, func(a ledger.AgeBand) string { return a.Oldest.Title })},
		"found": {newestFirst: true, names: pages(t, func(after string) ([]ledger.Found, string, error) {
			return b.Find(b.Ctx, b.Drafter,
				ledger.FindQuery{Text: "Claim 1", Kind: ledger.FindAnswers, Limit: 7, After: after})
		}, func(f ledger.Found) string { return f.SessionTitle })},
		"views of others": {names: whole(t, func() ([]ledger.SavedView, error) {
			return b.SavedViews(b.Ctx, b.Drafter, "")
		}, func(v ledger.SavedView) string { return v.Query })},
		"decisions": {newestFirst: true, names: pages(t, func(after string) ([]pack.DecisionRow, string, error) {
			return b.Decisions(b.Ctx, tenant, pack.DecisionQuery{Missing: true, Limit: 7, After: after})
		}, titleOfDecision)},
		"packs":         {newestFirst: true, names: packs(pack.Query{})},
		"packs, signed": {newestFirst: true, names: packs(pack.Query{State: pack.SignedOff})},
		"queue, missing": {names: whole(t, func() ([]pack.DecisionRow, error) {
			return queue().Missing, nil
		}, titleOfDecision)},
		"queue, exports": {names: whole(t, func() ([]pack.ExportRequest, error) {
			return queue().Exports, nil
		}, titleOfExport)},
		"exports": {newestFirst: true, names: whole(t, func() ([]pack.ExportRequest, error) {
			return b.PackExports(b.Ctx, b.Viewer, false, 100)
		}, titleOfExport)},
		"exports that wait": {newestFirst: true, names: whole(t, func() ([]pack.ExportRequest, error) {
			return b.PackExports(b.Ctx, b.Second, true, 100)
		}, titleOfExport)},
		"bundles": {newestFirst: true, names: pages(t, func(after string) ([]bundle.Row, string, error) {
			return b.Bundles(b.Ctx, tenant, bundle.Query{Limit: 7, After: after})
		}, func(r bundle.Row) string { return b.bundles[r.BundleID] })},
		"jobs": {newestFirst: true, names: withoutBetween(pages(t, func(after string) ([]job.Job, string, error) {
			return b.Jobs(b.Ctx, tenant, db.JobQuery{Limit: 7, After: after})
		}, func(j job.Job) string { return j.Name }))},
		"webhooks": {newestFirst: true, names: fourMore(whole(t, func() ([]webhook.Endpoint, error) {
			return b.Webhooks(b.Ctx, tenant)
		}, func(w webhook.Endpoint) string { return strings.ReplaceAll(path.Base(w.URL), "-", " ") }))},
		"tokens": {newestFirst: true, names: whole(t, func() ([]access.Token, error) {
			return b.Tokens(b.Ctx, tenant)
		}, func(k access.Token) string { return k.Name })},
		"tokens, in pages": {newestFirst: true, names: pages(t, func(after string) ([]access.Token, string, error) {
			return b.TokensPage(b.Ctx, tenant, after, 7)
		}, func(k access.Token) string { return k.Name })},
		"keys": {newestFirst: true, names: whole(t, func() ([]audit.PublicKey, error) {
			list, err := b.Keys(b.Ctx, tenant)
			return slices.DeleteFunc(list, func(k audit.PublicKey) bool { return b.keys[k.ID] == "" }), err
		}, func(k audit.PublicKey) string { return b.keys[k.ID] })},
		"logins": {newestFirst: true, names: whole(t, func() ([]access.Login, error) {
			return b.Logins(b.Ctx, b.Drafter.ID)
		}, func(l access.Login) string { return l.Agent })},
	}
}

func withoutBetween(names func() []string) func() []string {
	return func() []string {
		return slices.DeleteFunc(names(), func(name string) bool { return strings.HasPrefix(name, "between") })
	}
}

// fourMore puts the names in front that a list of webhooks has no room for.
func fourMore(names func() []string) func() []string {
	return func() []string { return append(numbered(true)[:ofOneMoment-webhook.MaxEndpoints], names()...) }
}

// Behind a row that is gone, or is another tenant's, those of its moment are shown again.
func TestAPlaceBehindARowThatIsGone(t *testing.T) {
	h, ctx := dbtest.New(t), context.Background()
	const sessions = 9
	for range sessions {
		h.AddSession(t, dbtest.SizedSession(0))
	}
	_, next, err := h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{Dir: "asc", Limit: 5})
	require.NoError(t, err)
	other, _ := h.NewTenant(t, "other")
	rows, _, err := h.Sessions(ctx, other.ID, ledger.SessionQuery{Dir: "asc", Limit: 5, After: next})
	require.NoError(t, err)
	require.Empty(t, rows)
	gone := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil,
		`{"s":"created","v":"2026-03-01T12:30:45.123456789Z","i":"%s"}`, uuid.NewString()))
	rows, _, err = h.Sessions(ctx, h.Tenant.ID, ledger.SessionQuery{Dir: "asc", Limit: 50, After: gone})
	require.NoError(t, err)
	require.Len(t, rows, sessions)
}
