package db_test

import (
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
	"sanad/internal/db/auditlog"
	"sanad/internal/db/dbtest"
	"sanad/internal/domain/erasure"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/library"
	"sanad/internal/domain/model"
	"sanad/internal/domain/notify"
	"sanad/internal/domain/pack"
	"sanad/internal/everyfield"
	"sanad/internal/words"
)

// partOf names the kinds whose objects are parts of others: what goes with the whole must say what becomes of it when a
// part goes.
var partOf = map[erasure.Kind]erasure.Kind{erasure.Session: erasure.Document, erasure.Bundle: erasure.Artifact}

// claimFaults compares the claims of all rooms with a schema: by table, each column, and whether it is of text or
// bytes.
func claimFaults(rooms map[string][]auditlog.Claim, schema map[string]map[string]bool) (faults []string) {
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	owners, claimed := map[string]string{}, map[string]map[erasure.Kind]map[string]int{}
	for room, claims := range rooms {
		for _, c := range claims {
			if c.Does == auditlog.Keeps && c.Why == "" {
				fault("%s keeps %v: say why", room, c.Of)
			}
			if c.Files != "" { // see fileFaults
				continue
			}
			for _, of := range c.Of {
				columns, there := schema[of.Table]
				if !there {
					fault("%s claims %s, which is not there", room, of.Table)
					continue
				}
				if owner := owners[of.Table]; owner != "" && owner != room {
					fault("%s and %s claim %s", owner, room, of.Table)
				}
				owners[of.Table] = room
				names := of.Each()
				if len(names) == 0 {
					names = slices.Collect(maps.Keys(columns))
					if c.Does != auditlog.Deletes {
						fault("%s %s all of %s: name the columns, so that a new one is thought about", room, c.Does,
							of.Table)
					}
				}
				if claimed[of.Table] == nil {
					claimed[of.Table] = map[erasure.Kind]map[string]int{}
				}
				if claimed[of.Table][c.Kind] == nil {
					claimed[of.Table][c.Kind] = map[string]int{}
				}
				for _, name := range names {
					if _, there := columns[name]; !there {
						fault("%s claims %s.%s, which is not there", room, of.Table, name)
					}
					claimed[of.Table][c.Kind][name]++
				}
			}
		}
	}
	for table, columns := range schema {
		kinds := claimed[table]
		for name, text := range columns {
			if !text || name == "tenant_id" {
				continue
			}
			total := 0
			for kind, of := range kinds {
				n := of[name]
				if kind != "" {
					n += kinds[""][name]
				}
				if n != 1 && (kind != "" || len(kinds) == 1) {
					fault("%s.%s is claimed %d times for an erasure of kind %q", table, name, n, kind)
				}
				total += n
			}
			if total == 0 {
				fault("%s.%s is claimed by no room: see ErasureClaims", table, name)
			}
			for whole, part := range partOf {
				if kinds[whole][name] > 0 && kinds[part][name]+kinds[""][name] == 0 {
					fault("%s.%s is claimed for kind %q and not for %q", table, name, whole, part)
				}
			}
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// claimable returns the columns of all tables, but for those in which SQLite keeps an index of words.
func claimable(t *testing.T, dir string) map[string]map[string]bool {
	t.Helper()
	d, schema := dbtest.Raw(t, dir), map[string]map[string]bool{}
	for _, table := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
		if strings.Contains(table, "_search_") || strings.HasPrefix(table, "sqlite_") {
			continue
		}
		schema[table] = map[string]bool{}
		for _, c := range dbtest.SchemaOf(t, d, table) {
			schema[table][c.Name] = c.Kind == "TEXT" || c.Kind == "BLOB"
		}
	}
	return schema
}

// TestEveryColumnIsClaimed: a column of text or bytes is added with what an erasure does to it.
func TestEveryColumnIsClaimed(t *testing.T) {
	schema := claimable(t, dbtest.New(t).Dir)
	require.Empty(t, claimFaults(db.ErasureClaims(), schema))

	t.Run("a new column", func(t *testing.T) {
		for _, table := range []string{"documents", "users", "jobs"} {
			schema[table]["added"] = true
			assert.Contains(t, strings.Join(claimFaults(db.ErasureClaims(), schema), "\n"), table+".added is claimed")
			delete(schema[table], "added")
		}
	})
	t.Run("a new table", func(t *testing.T) {
		schema["added"] = map[string]bool{"text": true, "no": false}
		assert.Equal(t, []string{"added.text is claimed by no room: see ErasureClaims"},
			claimFaults(db.ErasureClaims(), schema))
		delete(schema, "added")
	})
	t.Run("a column that is gone", func(t *testing.T) {
		delete(schema["chunks"], "text")
		assert.Equal(t, []string{"sessions claims chunks.text, which is not there"},
			claimFaults(db.ErasureClaims(), schema))
		schema["chunks"]["text"] = true
	})
	t.Run("two owners", func(t *testing.T) {
		rooms := db.ErasureClaims()
		rooms["live"] = append(slices.Clone(rooms["live"]),
			auditlog.Claim{Does: auditlog.Deletes, Of: auditlog.Rows("chunks")})
		assert.Contains(t, strings.Join(claimFaults(rooms, schema), "\n"), "claim chunks")
	})
}

// TestOwnersClaim: the room that inserts rows of a table is the one that claims it.
func TestOwnersClaim(t *testing.T) {
	owners := map[string]string{}
	for room, claims := range db.ErasureClaims() {
		for _, c := range claims {
			for _, of := range c.Of {
				owners[of.Table] = room
			}
		}
	}
	inserts, seen := regexp.MustCompile(`INSERT INTO (\w+)`), 0
	eachSource(t, func(path string, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok {
				text, _ := strconv.Unquote(lit.Value)
				for _, m := range inserts.FindAllStringSubmatch(text, -1) {
					if owner := owners[m[1]]; owner != "" {
						seen++
						assert.Equal(t, owner, filepath.Dir(path), "%s inserts into %s", path, m[1])
					}
				}
			}
			return true
		})
	})
	require.Greater(t, seen, 40, "the statements were found")
}

// cell is a text, or bytes, in a row of a table.
type cell struct{ column, row, text string }

// cellsOf returns the texts and bytes of all tables that are not empty.
func cellsOf(t *testing.T, dir string) map[cell]bool {
	t.Helper()
	d, cells := dbtest.Raw(t, dir), map[cell]bool{}
	for table, columns := range claimable(t, dir) {
		key := "CAST(" + strings.Join(primaryKey(t, d, table), " AS TEXT) || ' ' || CAST(") + " AS TEXT)"
		for name, text := range columns {
			if !text || strings.HasSuffix(table, "_search") {
				continue
			}
			rows, err := d.Query("SELECT " + key + ", " + name + " FROM " + table + " WHERE length(" + name + ") > 0")
			require.NoError(t, err)
			for rows.Next() {
				var row, value []byte
				require.NoError(t, rows.Scan(&row, &value))
				cells[cell{column: table + "." + name, row: string(row), text: string(value)}] = true
			}
			require.NoError(t, rows.Err())
			require.NoError(t, rows.Close())
		}
	}
	return cells
}

// columnsOf returns by text in which columns it stands.
func columnsOf(cells map[cell]bool) map[string][]string {
	out := map[string][]string{}
	for c := range cells {
		out[c.text] = append(out[c.text], c.column)
	}
	return out
}

// erasedColumns returns the columns that an erasure of a kind deletes, empties or renews.
func erasedColumns(kind erasure.Kind, schema map[string]map[string]bool) map[string]bool {
	out := map[string]bool{}
	for _, claims := range db.ErasureClaims() {
		for _, c := range claims {
			if c.Files != "" || c.Does == auditlog.Keeps || c.Kind != kind && c.Kind != "" {
				continue
			}
			for _, of := range c.Of {
				names := of.Each()
				if len(names) == 0 {
					names = slices.Collect(maps.Keys(schema[of.Table]))
				}
				for _, name := range names {
					if schema[of.Table][name] && name != "tenant_id" {
						out[of.Table+"."+name] = true
					}
				}
			}
		}
	}
	return out
}

// TestErasedColumnsAreNowhere: what came with an object into the columns that its erasure claims is gone from there
// afterwards, and what stood in no column that is kept is in no column at all. Each column held something.
func TestErasedColumnsAreNowhere(t *testing.T) {
	ofSecret := func(text string) bool {
		return slices.ContainsFunc(append(dbtest.SecretWords, "unreleased"),
			func(w string) bool { return strings.Contains(text, w) })
	}
	gone, claimed := map[erasure.Kind]map[string]bool{}, map[erasure.Kind]map[string]bool{}
	for name, c := range map[string]struct {
		kind   erasure.Kind
		leaves []string               // tables of what an erasure leaves by design
		is     func(text string) bool // of the part that is erased; nil: all that came with the object
		made   func(t *testing.T, b *dbtest.Board, m *model.Endpoint) (id string)
	}{
		"a session":               {kind: erasure.Session, made: wholeSession},
		"a document judged again": {kind: erasure.Document, is: ofSecret, made: judgedDocument},
		"a document":              {kind: erasure.Document, is: ofSecret, made: withdrawnDocument},
		"a pack":                  {kind: erasure.Pack, leaves: []string{"pack_tombstones", "erased_packs"}, made: wholePack},
		"a bundle":                {kind: erasure.Bundle, made: wholeBundle},
		"an artifact": {kind: erasure.Artifact,
			made: func(t *testing.T, b *dbtest.Board, _ *model.Endpoint) string {
				artifact := db.ArtifactOf("files/Zanzibarite.txt", []byte("Zanzibarite"))
				_, err := b.AddArtifact(b.Ctx, b.Drafter, artifact)
				require.NoError(t, err)
				return artifact.Path
			}},
		"a document of the library": {kind: erasure.Library,
			made: func(t *testing.T, b *dbtest.Board, _ *model.Endpoint) string {
				d, err := b.AddLibraryDocument(b.Ctx, b.Approver,
					&library.Document{Name: "Zanzibarite", Folder: "القسطاسيات", Tags: []string{"zanzibar"}},
					&library.Version{Filename: "Zanzibarite.txt", MediaType: "text/zanzibarite", TextBy: "zanzibarian",
						Passages: []library.Passage{{Text: "Zanzibarite is a policy."}}}, []byte("Zanzibarite is a policy."),
					db.LibraryAnswering{})
				require.NoError(t, err)
				return d.ID
			}},
		"an upload": {kind: erasure.Upload,
			made: func(t *testing.T, b *dbtest.Board, _ *model.Endpoint) string {
				return worked(t, b, "")
			}},
	} {
		t.Run(name, func(t *testing.T) {
			b := dbtest.NewBoard(t)
			dbtest.Ask(t, b.Store, b.Tenant.ID, pack.Off, pack.PolicyRules...)
			b.Signed(t, "dec-kept")
			b.AddSession(t, dbtest.Identify(dbtest.FullSession()))
			m, err := b.AddModelEndpoint(b.Ctx, b.Admin, dbtest.AnEndpoint("Small"), "")
			require.NoError(t, err)
			before := cellsOf(t, b.Dir)
			id := c.made(t, b, &m)
			require.NoError(t, b.SaveReceipt(b.Ctx, b.Tenant.ID, &db.Receipt{Key: "made", Status: 201,
				Headers: map[string]string{"Location": "/Zanzibarite"}, Body: []byte("Zanzibarite")}))
			erased, came := erasedColumns(c.kind, claimable(t, b.Dir)), cellsOf(t, b.Dir)
			maps.DeleteFunc(came, func(x cell, _ bool) bool { return before[x] })
			asked, err := b.AskErasure(b.Ctx, b.Admin, c.kind, id, "A request of the person.")
			require.NoError(t, err)
			for x := range cellsOf(t, b.Dir) {
				if x.column == "erasures.object_id" {
					came[x] = true
				}
			}
			_, err = b.ConfirmErasure(b.Ctx, b.Second, asked.ID)
			require.NoError(t, err)
			for x := range cellsOf(t, b.Dir) { // the files that are still to be deleted
				if strings.HasPrefix(x.column, "scrub_due.") {
					came[x] = true
				}
			}
			own, known := map[string]bool{}, columnsOf(before)
			for text, places := range columnsOf(came) {
				kept := slices.ContainsFunc(places, func(p string) bool { return !erased[p] })
				own[text] = len(known[text]) == 0 && len(text) > 3 && !kept && (c.is == nil || c.is(text))
			}
			require.NoError(t, b.FinishErasures(b.Ctx, func(context.Context, string, string) error { return nil }))
			left := cellsOf(t, b.Dir)
			if gone[c.kind] == nil {
				gone[c.kind], claimed[c.kind] = map[string]bool{}, erased
			}
			for x := range came {
				switch {
				case !left[x]:
					gone[c.kind][x.column] = true
				case erased[x.column] && c.is == nil:
					t.Errorf("%s still says %q", x.column, x.text)
				}
			}
			for text, places := range columnsOf(left) {
				places = slices.DeleteFunc(places, func(p string) bool {
					table, _, _ := strings.Cut(p, ".")
					return slices.Contains(c.leaves, table)
				})
				if len(places) > 0 && own[text] {
					t.Errorf("%q is still in %v", text, places)
				}
			}
		})
	}
	for kind, columns := range claimed {
		t.Logf("%d columns of an erasure of kind %q", len(columns), kind)
		for column := range columns {
			assert.True(t, gone[kind][column], "nothing was in %s that an erasure of kind %q took", column, kind)
		}
	}
}

// wholeSession stores a session with something in every column.
func wholeSession(t *testing.T, b *dbtest.Board, m *model.Endpoint) string {
	s := everyfield.Session()
	s.BundleID, s.Follows, s.Seats = "", ledger.Follows{}, ledger.Seats{}
	b.AddSession(t, s)
	b.JudgeAgain(t, s.ID, "run again")
	_, err := b.ReviewClaim(s.ID, 1, ledger.ReviewInput{Action: ledger.Comment, Reason: "Zanzibarite"})
	require.NoError(t, err)
	answered(t, b, s.ID, m)
	worked(t, b, s.ID)
	b.SeatPeople(t, s.ID, b.Drafter, b.Editor)
	b.DueOn(t, b.Admin, notify.Session, s.ID, "2026-12-30")
	no := " FROM sessions WHERE id = '" + s.ID + "'"
	fill(t, b,
		"UPDATE sessions SET closed_at = updated_at, closed_by = 'Zanzibarite', closed_reason = 'Zanzibarite' WHERE id = '"+s.ID+"'",
		"UPDATE claims SET tier = 'likely', unjudged = 'Zanzibarite' WHERE position = 1 AND session_no = (SELECT no"+no+")",
		"UPDATE model_calls SET fault = 'Zanzibarite'",
		"UPDATE run_changes SET gained = '[]' WHERE session_no = (SELECT no"+no+")",
		"INSERT INTO exports SELECT tenant_id, 'Zanzibarite', no, 'pdf', 1, 'Zanzibarite', updated_at, updated_at"+no,
		"INSERT INTO mentions SELECT tenant_id, no, 0, 'Zanzibarite', 0, 1, 'Zanzibarite', 0"+no,
		`INSERT INTO matches SELECT tenant_id, no, 0, 9, 0, 0, 0.5, 'full', 0, 'exact', 1, 2, 'Zanzibarite', 'Zanzibarite',
			'{"id":"Zanzibarite"}', '{"Actor":"Zanzibarite"}', '[{"kind":"Zanzibarite"}]', '["Zanzibarite"]',
			'[{"name":"Zanzibarite"}]'`+no,
		"INSERT INTO comparisons SELECT tenant_id, '2026-03-01', 'Zanzibarite', '9', 'full', 'none', 0"+no,
		"INSERT INTO upstream SELECT tenant_id, no, 7, '{\"Zanzibarite\":1}'"+no)
	toldOf(t, b, s.ID)
	traced(t, b, s.ID)
	return s.ID
}

// judgedDocument stores a document with an original, whose session was judged again.
func judgedDocument(t *testing.T, b *dbtest.Board, m *model.Endpoint) string {
	s := b.StoreSecret(t)
	answered(t, b, s.ID, m)
	worked(t, b, s.ID)
	traced(t, b, s.ID)
	return s.Documents[0].ID
}

// withdrawnDocument stores a document that was withdrawn.
func withdrawnDocument(t *testing.T, b *dbtest.Board, m *model.Endpoint) string {
	s := dbtest.SecretSession()
	s.Documents[0].TextBy = "sanad"
	s.Documents[0].Chunks[0].Scanned = true
	s.Documents[0].Chunks[0].Doubtful = []ledger.DoubtfulWord{{Start: 0, End: 2, Confidence: 41}}
	s.Documents[0].Origin = &library.Origin{Library: "zanzibarite", Version: 1, Name: "Zanzibarite"}
	s.Documents[0].LeftOut = []ledger.LeftOut{{Kind: ledger.Struck, How: ledger.StruckOut, Text: "~~Zanzibarite~~"}}
	s.Documents[1].Supersedes = s.Documents[0].Key
	s.Claims[0].Matches[0].NoteSaid = words.Msg("Zanzibarite")
	s.Extra["claims[0].explanation"] = json.RawMessage(`"Zanzibarite"`)
	b.AddSession(t, s)
	b.WithdrawFirst(t, s)
	return s.Documents[0].ID
}

// wholePack stores a pack with something in every column.
func wholePack(t *testing.T, b *dbtest.Board, _ *model.Endpoint) string {
	d := dbtest.DecisionOf("dec-erased", "A2", 4)
	d.LedgerSessionID = b.StoreSecret(t).ID
	b.Decide(t, d)
	_, err := b.AddToolCall(b.Ctx, b.Drafter, "dec-erased", &pack.ToolCallRecord{ID: "call", ToolName: "crm.get",
		StartedAt: "2026-03-01T08:00:00Z", EndedAt: "2026-03-01T08:00:01Z", IntendedAction: "read",
		ActualAction: "read"}, nil)
	require.NoError(t, err)
	v, err := b.CreatePack(b.Ctx, b.Drafter, "dec-erased", db.Answering{})
	require.NoError(t, err)
	id := v.Life.PackID
	v, err = b.MendPack(b.Ctx, b.Drafter, id, v.Life.Revision, "clearer", db.Answering{}, dbtest.Retell("Told anew."))
	require.NoError(t, err)
	v, err = b.AttachToPack(b.Ctx, b.Drafter, id, v.Life.Revision,
		[]db.NewFile{{Name: "a.txt", MediaType: "text/plain", Data: []byte("text")}}, "asked for", db.Answering{})
	require.NoError(t, err)
	b.DueOn(t, b.Admin, notify.Pack, id, "2026-12-30")
	v = b.Approve(t, b.Approver, b.Submit(t, v))
	v, err = b.SetLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, "suit")
	require.NoError(t, err)
	_, err = b.LiftLegalHold(b.Ctx, b.Admin, id, v.Life.Revision, "over")
	require.NoError(t, err)
	said, err := b.AddPackComment(b.Ctx, b.Admin, id, pack.Comment{Text: "Well said.", Asks: true}, "", nil)
	require.NoError(t, err)
	_, err = b.AddPackComment(b.Ctx, b.Admin, id, pack.Comment{Text: "Not so well.", Thread: said.ID}, "", nil)
	require.NoError(t, err)
	_, err = b.MakePackExport(b.Ctx, b.Approver, id, "zip", "", "hash")
	require.NoError(t, err)
	fill(t, b,
		`UPDATE evidence_packs SET returned_at = updated_at, returned_by = 'Zanzibarite', returned_name = 'Zanzibarite',
			return_reason = 'Zanzibarite', discarded_at = updated_at, discarded_by = 'Zanzibarite',
			discarded_name = 'Zanzibarite', discard_reason = 'Zanzibarite', superseded_by = 'Zanzibarite',
			supersedes = 'Zanzibarite' WHERE pack_id = '`+id+`'`,
		"UPDATE decisions SET restricted = '[\"Zanzibarite\"]' WHERE decision_id = 'dec-erased'",
		"UPDATE decision_calls SET restricted = '[\"Zanzibarite\"]' WHERE decision_id = 'dec-erased'",
		"UPDATE pack_approvals SET since = '[]', for_id = 'Zanzibarite', for_name = 'Zanzibarite', for_from = at, "+
			"for_until = at WHERE pack_id = '"+id+"'",
		"INSERT INTO pack_reminders SELECT tenant_id, pack_id, 1, updated_at FROM evidence_packs WHERE pack_id = '"+id+"'",
		"UPDATE pack_comments SET withdrawn_at = at, mentions = '[{\"id\":\"Zanzibarite\"}]'",
		"UPDATE pack_exports SET decided_at = asked_at, decided_by = 'Zanzibarite', reason = 'Zanzibarite'")
	toldOf(t, b, id)
	return id
}

// wholeBundle stores a bundle with something in every column.
func wholeBundle(t *testing.T, b *dbtest.Board, _ *model.Endpoint) string {
	in := dbtest.Built(t, "docs/none.md", "Zanzibarite quixotrope", strings.Repeat("القسطاسيات ", 20))
	b.AddBundle(t, in)
	_, err := b.LinkRun(b.Ctx, b.Drafter, in.Bundle.BundleID, "run")
	require.NoError(t, err)
	return in.Bundle.BundleID
}

// fill runs statements that a trigger or a rule of the store would refuse.
func fill(t *testing.T, b *dbtest.Board, statements ...string) {
	t.Helper()
	d := dbtest.Unguarded(t, b.Dir)
	for _, trigger := range dbtest.TextsOf(t, d, "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
		dbtest.Exec(t, d, "DROP TRIGGER "+trigger)
	}
	for _, statement := range statements {
		dbtest.Exec(t, d, statement)
	}
	require.NoError(t, d.Close())
}

// toldOf fills what no path of the product fills for one object: a notification that was read and waits to be mailed,
// and a due date of which people were told.
func toldOf(t *testing.T, b *dbtest.Board, id string) {
	t.Helper()
	of := " WHERE object_id = '" + id + "'"
	fill(t, b, "UPDATE notifications SET place = 'Zanzibarite', by_id = 'Zanzibarite', read_at = at"+of,
		"INSERT INTO mail_queue SELECT no, tenant_id, user_id, at, 1, 'Zanzibarite' FROM notifications"+of,
		"UPDATE due_dates SET told = 'soon', zone = 'Asia/Riyadh', tell_at = set_at"+of)
}

// traced stores a live trace, with a span, that a session is said to be made of.
func traced(t *testing.T, b *dbtest.Board, session string) {
	t.Helper()
	const filled = "'Zanzibarite'"
	of := " FROM sessions WHERE id = '" + session + "'"
	fill(t, b, "INSERT INTO live_traces SELECT tenant_id, id, 'session', "+filled+", "+filled+", created_at, created_at, "+
		"created_at, created_at, 1, 1, 1, 1, '', '', "+filled+`, '{"Zanzibarite":1}', `+filled+", "+filled+
		`, '{"Zanzibarite":1}', '{"Zanzibarite":1}', '["Zanzibarite"]', id, created_at`+of,
		"INSERT INTO live_spans SELECT tenant_id, id, "+filled+", "+filled+", "+filled+of)
}

// worked returns a job that failed, for a session or for none.
func worked(t *testing.T, b *dbtest.Board, session string) (id string) {
	t.Helper()
	id = uploaded(t, b, "upload for "+session)
	_, err := b.CancelJob(b.Ctx, b.Drafter, id)
	require.NoError(t, err)
	fill(t, b, `UPDATE jobs SET session_id = '`+session+`', warnings = '["Zanzibarite"]', fault = '"Zanzibarite"',
		verdicts = '["Zanzibarite"]' WHERE id = '`+id+`'`)
	return id
}

// answered stores that a model was asked about a session.
func answered(t *testing.T, b *dbtest.Board, sessionID string, m *model.Endpoint) {
	t.Helper()
	require.NoError(t, b.SaveModelCalls(b.Ctx, b.Tenant.ID, sessionID, 0,
		[]model.Answered{dbtest.Questioned(m, "digest of the question", true)}))
}
