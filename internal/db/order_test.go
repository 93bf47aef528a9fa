package db_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// lastKeys are the columns that an ORDER BY may end with: no two rows of the list have the same value, and none is a
// random id.
var lastKeys = map[string]string{
	"no": "numbers the rows of a table", "rowid": "numbers the rows of a table", "seq": "numbers the log of a tenant",
	"n": "numbers the rows of one object", "position": "of a claim, document or chunk in its session",
	"claim": "position of the claim", "chunk": "position of the chunk", "rank": "of a match among those of its claim",
	"start": "of a part in its answer", "day": "one row a day", "version": "one row a version",
	"answer_version": "one row a version",
	"revision":       "one row a revision of a pack",
	"log_index":      "an event has one place in the log",
	"login":          "no two users have the same", "slug": "no two tenants have the same",
	"name_key": "one person has no two views of a page with the same", "name": "of a file in its pack",
	"bundle_id": "a digest of the content",
	"run_id":    "behind the number of the run: what is left are names that callers gave",
}

// otherKeys are the queries that end with something else: their order is not a list's.
var otherKeys = map[string]string{
	"GROUP BY doc ORDER BY doc":                                            "walks the rows of a search index",
	` ORDER BY "{x.Number}`:                                                "walks the rows of a table",
	"SELECT id FROM tenants ORDER BY id":                                   "walks all tenants",
	"SELECT id FROM tenants WHERE id > ? ORDER BY id LIMIT":                "walks all tenants",
	"ORDER BY m.user_id LIMIT":                                             "walks all users",
	"expires_at > ? ORDER BY id LIMIT":                                     "walks all tokens",
	") AS each ORDER BY id LIMIT":                                          "walks all users and tokens",
	"pid <> pg_backend_pid() ORDER BY pid":                                 "walks the server's processes",
	"ORDER BY c.table_name":                                                "walks all tables",
	"ORDER BY c.relname, a.attnum LIMIT":                                   "walks the columns of all tables",
	"ORDER BY r.first DESC LIMIT":                                          "the key of the table",
	"FROM find_runs ORDER BY first":                                        "the key of the table",
	" ORDER BY {names} LIMIT":                                              "walks all rows with something sealed, by their keys",
	"status = 'ready'\n\t\tORDER BY id LIMIT":                              "walks all documents",
	"ORDER BY k.created_at, t.slug, k.purpose":                             "a tenant uses one key for each purpose",
	"expires_at <= ? ORDER BY tenant_id":                                   "walks the tenants with requests that lapse",
	"ORDER BY created_at, path LIMIT":                                      "what is erased; a path is its key",
	"ORDER BY x.created_at DESC, x.id LIMIT":                               "mails of one moment come from one run, in no order",
	"x.next_at <= ? ORDER BY x.next_at, x.id LIMIT":                        "mails to be sent, not shown",
	"ORDER BY name, id":                                                    "keys of one name, by fingerprint",
	"ORDER BY tenant_id LIMIT":                                             "the tenants of a user, each with a log of its own",
	"w.disabled_at = '' ORDER BY w.id":                                     "each endpoint has a list of its own",
	"ORDER BY tell_at, tenant_id, object_kind, object_id LIMIT":            "walks all due dates",
	"FROM serving WHERE level < ? AND at >= ? ORDER BY process":            "the key of the table",
	"ORDER BY h.kind, h.object_id":                                         "one row an object: the key of the table",
	"ORDER BY h.at, h.kind, h.object_id":                                   "one row an object: the key of the table",
	"ORDER BY login <> ?1 LIMIT":                                           "two that fit are as good as none",
	"(SELECT key FROM login_failures WHERE last_at <= ?\n\t\tORDER BY":     "what is deleted",
	"FROM login_failures ORDER BY last_at DESC LIMIT":                      "only the time is read",
	"(SELECT j.id FROM logins j WHERE j.seen_at <= ? ORDER BY":             "what is deleted",
	"SELECT key FROM receipts WHERE":                                       "what is deleted",
	"ended_at < ?\n\t\tORDER BY ended_at LIMIT":                            "what is deleted",
	" ORDER BY {order}r.{section.order}":                                   "section.leavesOf: the number of a row among those of its owner",
	"ORDER BY x.blob LIMIT":                                                "the distinct keys of files, which packs share",
	"ORDER BY folder LIMIT":                                                "distinct folders",
	"library_no DESC, d.session_no DESC LIMIT":                             "one row for each session of a version",
	" ORDER BY {column}":                                                   "claimQuery.order: the position, or the number",
	" ORDER BY {order} LIMIT":                                              "exportsFor: callers end it with rowid",
	"OVER (ORDER BY first DESC":                                            "the key of the table",
	"FROM find_runs WHERE tenant_id = ? AND first < ? ORDER BY first DESC": "the key of the table",
	" ORDER BY claim, ":                                                    "loadClaims: callers end it with n or rank",
	" ORDER BY {listOrder.Column}{direction}, {listOrder.tie}{direction}":  "ListOrder: the number, or the id for an old place",
	"WHERE user_id = ? ORDER BY {second}":                                  "what one event records of a person, by a digest",
	"recovery_codes WHERE user_id = ? ORDER BY hash":                       "likewise",
	"} ORDER BY {strings.Join}":                                            "the key of the table",
	"} ORDER BY {names}":                                                   "the key of the table, and the number of the row",
	"FROM pack_files WHERE tenant_id = ?1 ORDER BY pack_id":                "walks all signed packs",
	"Logged}": "the place in the log",
	"ORDER BY last_at DESC, trace_id DESC LIMIT":                                   "the key of the table",
	"ORDER BY j.due_at, j.tenant_id, j.trace_id LIMIT":                             "the key of the table",
	"ORDER BY x.ended_at, x.tenant_id, x.trace_id LIMIT":                           "what is deleted",
	"ORDER BY day, tenant_id, what LIMIT":                                          "what is deleted",
	"FROM live_spans\n\t\t\tWHERE tenant_id = ? AND trace_id = ? ORDER BY span_id": "the key of the table",
}

// ordered finds what stands behind ORDER BY; it may begin with subqueries.
var ordered = regexp.MustCompile(
	`(?s)ORDER BY\s+((?:\(SELECT [^)]*\([^)]*\)[^)]*\),?\s*)+[^)]*?|.*?)(?:\s+LIMIT\b|\)|$)`)

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

// queries returns the strings of the packages that have an ORDER BY, each with what is put together with it; what is
// not a constant stands in braces.
func queries(t *testing.T) (out []string) {
	t.Helper()
	var files []string
	for _, folder := range []string{"*.go", "*/*.go"} {
		found, err := filepath.Glob(folder)
		require.NoError(t, err)
		files = append(files, found...)
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "dbtest") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
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
