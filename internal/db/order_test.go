package db_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/bundle"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/domain/webhook"
)

// lastKeys are the columns that an ORDER BY may end with: no two rows of the list have the same value, and none is a
// random id.
var lastKeys = map[string]string{
	"no": "numbers the rows of a table", "rowid": "numbers the rows of a table", "seq": "numbers the log of a tenant",
	"n": "numbers the rows of one object", "position": "of a claim, document or chunk in its session",
	"claim": "position of the claim", "chunk": "position of the chunk", "rank": "of a match among those of its claim",
	"start": "of a part in its answer", "day": "one row a day", "version": "one row a version",
	"login": "no two users have the same", "slug": "no two tenants have the same",
	"name_key": "one person has no two views of a page with the same", "name": "of a file in its pack",
	"bundle_id": "a digest of the content",
	"run_id":    "behind the number of the run: what is left are names that callers gave",
}

// otherKeys are the queries that end with something else: their order is no list's.
var otherKeys = map[string]string{
	"SELECT id FROM tenants ORDER BY id":                          "walks all tenants",
	"SELECT id FROM tenants WHERE id > ? ORDER BY id LIMIT":       "walks all tenants",
	"ORDER BY m.user_id LIMIT":                                    "walks all users",
	"expires_at > ? ORDER BY id LIMIT":                            "walks all tokens",
	") ORDER BY id LIMIT":                                         "walks all users and tokens",
	"blob <> '' AND status = 'ready' ORDER BY id LIMIT":           "walks all documents",
	"ORDER BY tenant_id LIMIT":                                    "the tenants of a user, each with a log of its own",
	"w.disabled_at = '' ORDER BY w.id":                            "each endpoint has a list of its own",
	"ORDER BY login <> ?1 LIMIT":                                  "two that fit are as good as none",
	"(SELECT key FROM login_failures WHERE last_at <= ? ORDER BY": "what is deleted",
	"(SELECT id FROM logins WHERE seen_at <= ? ORDER BY":          "what is deleted",
	"SELECT key FROM receipts WHERE":                              "what is deleted",
	"SELECT token_hash FROM exports WHERE":                        "what is deleted",
	"ended_at < ?\n\t\tORDER BY ended_at LIMIT":                   "what is deleted",
	" ORDER BY {column}":                                          "claimQuery.order: the position, or the number",
	" ORDER BY {order} LIMIT":                                     "exportsFor: callers end it with rowid",
	" ORDER BY claim, ":                                           "loadClaims: callers end it with n or rank",
	" ORDER BY {o.column}{direction}, {o.tie}{direction}":         "listOrder: the number, or the id where it says why",
	"{logged}": "the place in the log",
}

// ordered finds what stands behind ORDER BY; it may begin with a subquery.
var ordered = regexp.MustCompile(`(?s)ORDER BY\s+(\(SELECT [^)]*\([^)]*\)[^)]*\)[^)]*?|.*?)(?:\s+LIMIT\b|\)|$)`)

// Every query says in which order its rows come, down to the last of them, and no order is that of random ids.
func TestEveryOrderIsTotalAndNotRandom(t *testing.T) {
	used, clauses := map[string]bool{}, 0
	for _, query := range queries(t) {
		for _, found := range ordered.FindAllStringSubmatchIndex(query, -1) {
			clauses++
			keys := strings.Split(query[found[2]:found[3]], ",")
			last := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(keys[len(keys)-1]), " DESC"))
			last = strings.TrimSuffix(last, " {direction}")
			if _, plain, ok := strings.Cut(last, "."); ok {
				last = plain
			}
			if lastKeys[last] != "" {
				used[last] = true
				continue
			}
			known, near := false, query[max(0, found[0]-90):found[1]]
			for part := range otherKeys {
				if strings.Contains(near, part) {
					known, used[part] = true, true
				}
			}
			if !known {
				t.Errorf("ends with %q, which is neither in lastKeys nor in otherKeys:\n%s", last, query)
			}
		}
	}
	require.Greater(t, clauses, 80)
	for _, list := range []map[string]string{lastKeys, otherKeys} {
		for key := range list {
			if !used[key] {
				t.Errorf("no query needs %q any more", key)
			}
		}
	}
}

// queries returns the strings of the package that have an ORDER BY, each with what is put together with it; what is not
// a constant stands in braces.
func queries(t *testing.T) (out []string) {
	t.Helper()
	files, err := os.ReadDir(".")
	require.NoError(t, err)
	set := token.NewFileSet()
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, f.Name(), nil, 0)
		require.NoError(t, err)
		var visit func(ast.Node) bool
		visit = func(n ast.Node) bool {
			x, _ := n.(ast.Expr)
			text, ok := flat(x)
			if !ok {
				return true
			}
			if strings.Contains(text, "ORDER BY") {
				out = append(out, text)
			}
			ast.Inspect(x, func(part ast.Node) bool { // what a call in between takes is no part of this string
				call, ok := part.(*ast.CallExpr)
				if ok {
					for _, arg := range call.Args {
						ast.Inspect(arg, visit)
					}
				}
				return !ok
			})
			return false
		}
		ast.Inspect(file, visit)
	}
	return out
}

// flat writes an expression of strings and + as one string.
func flat(x ast.Expr) (text string, ok bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, err == nil && x.Kind == token.STRING
	case *ast.BinaryExpr:
		if x.Op != token.ADD {
			return "", false
		}
		a, before := flat(x.X)
		b, behind := flat(x.Y)
		if !before {
			a = "{" + named(x.X) + "}"
		}
		if !behind {
			b = "{" + named(x.Y) + "}"
		}
		return a + b, before || behind
	}
	return "", false
}

func named(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return named(x.X) + "." + x.Sel.Name
	case *ast.CallExpr:
		return named(x.Fun)
	}
	return "?"
}

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

// Objects of one moment are listed in the order in which they were made, newest-first lists the other way round,
// whatever their random ids are; also after a VACUUM, which may number rows anew.
func TestListsOfOneMomentAreInTheOrderOfMaking(t *testing.T) {
	b := moment{newBoard(t), map[string]string{}, map[string]string{}}
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
	d := raw(t, b.dir)
	_, err := d.Exec("DELETE FROM jobs WHERE name LIKE 'between%'") // leaves gaps between the rows
	require.NoError(t, err)
	_, err = d.Exec("VACUUM")
	require.NoError(t, err)
	check("after a VACUUM")
}

// moment is a board with objects of one moment.
type moment struct {
	*board
	bundles, keys map[string]string // names, by id
}

func (b *moment) make(t *testing.T) {
	t.Helper()
	h := &fixture{Store: b.Store, dir: b.dir, tenant: b.tenant, actor: b.drafter}
	for i, name := range numbered(false) {
		s := sizedSession(3)
		s.Title, s.CreatedAt, s.UpdatedAt = name, now, now
		s.Seats[0] = ledger.Seat{ID: b.drafter.ID}
		h.insert(t, s)
		require.NoError(t, b.SaveView(b.ctx, domain.Actor{Tenant: b.tenant.ID, ID: uuid.NewString()},
			ledger.SavedView{Page: ledger.SavedSessions, Name: "the same", Query: name, Shared: true}))

		d := decisionOf(fmt.Sprintf("dec_%s", uuid.NewString()), "A2", 1)
		d.Title = name
		b.decide(t, d)
		d = decisionOf(fmt.Sprintf("dec_%s", uuid.NewString()), "A2", 1)
		d.Title = name
		b.decide(t, d)
		v, err := b.CreatePack(b.ctx, b.drafter, d.DecisionID, db.Answering{})
		require.NoError(t, err)
		v = b.approve(t, b.approver, b.submit(t, v))
		_, err = b.RequestExport(b.ctx, b.viewer, v.Life.PackID, "pdf", "because")
		require.NoError(t, err)

		for _, job := range []string{name, "between " + name} {
			in, err := b.PutJobInput(b.ctx, strings.NewReader(job))
			require.NoError(t, err)
			in.At = now
			added, _, err := b.AddJob(b.ctx, b.drafter, in, domain.JobFile, job, nil)
			require.NoError(t, err)
			_, err = b.CancelJob(b.ctx, b.drafter, added.ID) // few may be open
			require.NoError(t, err)
		}
		if i < webhook.MaxEndpoints { // a tenant may have no more
			address := "https://example.test/" + strings.ReplaceAll(name, " ", "-")
			_, _, err = b.AddWebhook(b.ctx, b.admin, address, []string{"session.imported"})
			require.NoError(t, err)
		}
		in := built(t, "", name)
		h.insertBundle(t, in)
		b.bundles[in.Bundle.BundleID] = name
		k, err := b.AddToken(b.ctx, domain.AtCommandLine(b.tenant.ID), db.Token{Name: name, Role: domain.Viewer,
			Hash: name, ExpiresAt: now.AddDate(0, 1, 0)})
		require.NoError(t, err)
		require.NotEmpty(t, k.ID)
		key, err := b.RotateKey(b.ctx, domain.AtCommandLine(b.tenant.ID), "sign")
		require.NoError(t, err)
		b.keys[key.ID] = name
		require.NoError(t, b.CreateLogin(b.ctx, b.drafter, db.Login{TokenHash: name, UserID: b.drafter.ID,
			TenantID: b.tenant.ID, FreshAt: now, Agent: name}))
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
	tenant := b.tenant.ID
	sessions := func(q db.SessionQuery) func() []string {
		q.Limit = 7
		return pages(t, func(after string) ([]ledger.SessionRow, string, error) {
			q.After = after
			return b.Sessions(b.ctx, tenant, q)
		}, func(r ledger.SessionRow) string { return r.Title })
	}
	titleOfSession := func(r ledger.SessionRow) string { return r.Title }
	titleOfDecision := func(r pack.DecisionRow) string { return r.Title }
	titleOfExport := func(r pack.ExportRequest) string { return r.Title }
	packs := func(q db.PackQuery) func() []string {
		q.Limit = 7
		return pages(t, func(after string) ([]pack.Row, string, error) {
			q.After = after
			return b.Packs(b.ctx, tenant, q)
		}, func(r pack.Row) string { return r.Title })
	}
	queue := func() *pack.Queue {
		q, err := b.PackQueue(b.ctx, b.second, 100)
		require.NoError(t, err)
		return q
	}
	return map[string]aList{
		"sessions":         {names: sessions(db.SessionQuery{})},
		"sessions, newest": {newestFirst: true, names: sessions(db.SessionQuery{Desc: true})},
		"sessions, open":   {newestFirst: true, names: sessions(db.SessionQuery{Desc: true, State: db.StateOpen})},
		"sessions, new":    {newestFirst: true, names: sessions(db.SessionQuery{Desc: true, State: "new"})},
		"sessions, mine":   {names: sessions(db.SessionQuery{Of: b.drafter.ID})},
		"sessions, words":  {newestFirst: true, names: sessions(db.SessionQuery{Desc: true, Text: "object"})},
		"home": {most: 10, names: whole(t, func() ([]ledger.SessionRow, error) {
			home, err := b.Home(b.ctx, tenant)
			return home.Queue, err
		}, titleOfSession)},
		"my queue": {names: whole(t, func() ([]ledger.SessionRow, error) {
			return b.MyQueue(b.ctx, tenant, b.drafter.ID, 100)
		}, titleOfSession)},
		"oldest open": {most: 1, names: whole(t, func() ([]ledger.AgeBand, error) {
			st, err := b.Stats(b.ctx, tenant, b.now, 7)
			return st.Ages[:1], err
		}, func(a ledger.AgeBand) string { return a.Oldest.Title })},
		"found": {newestFirst: true, names: pages(t, func(after string) ([]ledger.Found, string, error) {
			return b.Find(b.ctx, b.drafter, db.FindQuery{Text: "Claim 1", Kind: ledger.FindAnswers, Limit: 7, After: after})
		}, func(f ledger.Found) string { return f.SessionTitle })},
		"views of others": {names: whole(t, func() ([]ledger.SavedView, error) {
			return b.SavedViews(b.ctx, b.drafter, "")
		}, func(v ledger.SavedView) string { return v.Query })},
		"decisions": {newestFirst: true, names: pages(t, func(after string) ([]pack.DecisionRow, string, error) {
			return b.Decisions(b.ctx, tenant, db.DecisionQuery{Missing: true, Limit: 7, After: after})
		}, titleOfDecision)},
		"packs":         {newestFirst: true, names: packs(db.PackQuery{})},
		"packs, signed": {newestFirst: true, names: packs(db.PackQuery{State: pack.SignedOff})},
		"queue, missing": {names: whole(t, func() ([]pack.DecisionRow, error) {
			return queue().Missing, nil
		}, titleOfDecision)},
		"queue, exports": {names: whole(t, func() ([]pack.ExportRequest, error) {
			return queue().Exports, nil
		}, titleOfExport)},
		"exports": {newestFirst: true, names: whole(t, func() ([]pack.ExportRequest, error) {
			return b.PackExports(b.ctx, b.viewer, false, 100)
		}, titleOfExport)},
		"exports that wait": {newestFirst: true, names: whole(t, func() ([]pack.ExportRequest, error) {
			return b.PackExports(b.ctx, b.second, true, 100)
		}, titleOfExport)},
		"bundles": {newestFirst: true, names: pages(t, func(after string) ([]bundle.Row, string, error) {
			return b.Bundles(b.ctx, tenant, db.BundleQuery{Limit: 7, After: after})
		}, func(r bundle.Row) string { return b.bundles[r.BundleID] })},
		"jobs": {newestFirst: true, names: withoutBetween(pages(t, func(after string) ([]domain.Job, string, error) {
			return b.Jobs(b.ctx, tenant, db.JobQuery{Limit: 7, After: after})
		}, func(j domain.Job) string { return j.Name }))},
		"webhooks": {newestFirst: true, names: fourMore(whole(t, func() ([]webhook.Endpoint, error) {
			return b.Webhooks(b.ctx, tenant)
		}, func(w webhook.Endpoint) string { return strings.ReplaceAll(path.Base(w.URL), "-", " ") }))},
		"tokens": {newestFirst: true, names: whole(t, func() ([]db.Token, error) {
			return b.Tokens(b.ctx, tenant)
		}, func(k db.Token) string { return k.Name })},
		"tokens, in pages": {newestFirst: true, names: pages(t, func(after string) ([]db.Token, string, error) {
			return b.TokensPage(b.ctx, tenant, after, 7)
		}, func(k db.Token) string { return k.Name })},
		"keys": {newestFirst: true, names: whole(t, func() ([]db.Key, error) {
			list, err := b.Keys(b.ctx, tenant)
			return slices.DeleteFunc(list, func(k db.Key) bool { return b.keys[k.ID] == "" }), err
		}, func(k db.Key) string { return b.keys[k.ID] })},
		"logins": {newestFirst: true, names: whole(t, func() ([]db.Login, error) {
			return b.Logins(b.ctx, b.drafter.ID)
		}, func(l db.Login) string { return l.Agent })},
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

// A place that was handed out before numbers broke ties leads on in the order that it was made for, by id.
func TestAPlaceOfBeforeLeadsOnByID(t *testing.T) {
	h, ctx := newFixture(t), context.Background()
	var ids []string
	for range 9 {
		s := sizedSession(0)
		h.insert(t, s)
		ids = append(ids, s.ID)
	}
	slices.Sort(ids)
	text := func(key string) string {
		return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil,
			`{"s":"created","v":"2026-03-01T12:30:45.123456789Z","i":"%s"%s}`, ids[1], key))
	}
	var found []string
	for after := text(""); after != ""; {
		rows, next, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{After: after, Limit: 2})
		require.NoError(t, err)
		for _, r := range rows {
			found = append(found, r.ID)
		}
		data, err := base64.RawURLEncoding.DecodeString(next)
		require.NoError(t, err)
		require.NotContains(t, string(data), `"n"`)
		after = next
	}
	require.Equal(t, ids[2:], found)

	_, _, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Sort: "title", Limit: 2, After: base64.RawURLEncoding.
		EncodeToString(fmt.Appendf(nil, `{"s":"title","v":"","i":"%s","n":true}`, ids[1]))})
	require.Equal(t, domain.Invalid, domain.KindOf(err), "no list by title goes by number")

	// behind a row that is gone, or is another tenant's, those of its moment are shown again
	_, next, err := h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Limit: 5})
	require.NoError(t, err)
	other, _ := h.newTenant(t, "other")
	rows, _, err := h.Sessions(ctx, other.ID, db.SessionQuery{Limit: 5, After: next})
	require.NoError(t, err)
	require.Empty(t, rows)
	gone := base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil,
		`{"s":"created","v":"2026-03-01T12:30:45.123456789Z","i":"%s","n":true}`, uuid.NewString()))
	rows, _, err = h.Sessions(ctx, h.tenant.ID, db.SessionQuery{Limit: 50, After: gone})
	require.NoError(t, err)
	require.Len(t, rows, len(ids))
}
