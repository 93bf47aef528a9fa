package db_test

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/db"
)

// owners says which room each table belongs to. Only its owner writes a table; "." is the store itself.
var owners = map[string]string{
	"auditlog": "event_names events keys log_hashes log_heads log_seals master_keys record_salts session_states " +
		"state_pages text_salts trusted_keys",
	"receipts": "receipts",
	"sessions": "answer_parts chunks citations claim_search claims comparisons counters documents exports find_runs " +
		"find_search imported_reviews ledger_runs matches mentions reader_calibrations reviews run_changes " +
		"run_claims run_marks saved_views session_search sessions upstream",
	"packs": "decision_calls decision_search decisions evidence_packs erased_packs pack_approvals " +
		"pack_attachments pack_comments pack_edits pack_exports pack_files pack_holds pack_makers pack_purges " +
		"pack_reminders pack_search pack_tombstones tenant_secrets",
	"people": "api_tokens change_requests declined_invitations deputies identities invitations login_failures logins " +
		"memberships recovery_codes tenants users",
	"policies": "policies redaction_patterns",
	"notices":  "due_dates mail_queue mail_settings mails notifications",
	"jobs":     "jobs",
	"bundles":  "evidence_builds evidence_bundles evidence_items lake_artifacts run_evidence",
	"live":     "live_counts live_rules live_spans live_traces",
	"models":   "model_answers model_calls model_endpoints model_spending",
	"webhooks": "webhook_deliveries webhooks",
	"library":  "library_documents library_versions",
	"erasure":  "erasures legal_holds retention_periods scrub_due",
	"backup":   "resealing", // while the master key changes
	"sqldb":    "serving",
}

// foreign lists the tables of others that each room's queries read.
var foreign = map[string]string{
	"sessions": "api_tokens events evidence_bundles evidence_packs memberships run_evidence tenants users",
	"packs":    "api_tokens chunks documents events library_versions memberships reviews sessions tenants users",
	"people":   "events",
	"notices":  "evidence_packs memberships pack_approvals pack_makers sessions tenants users",
	"jobs":     "tenants",
	"bundles":  "ledger_runs sessions",
	"library":  "chunks documents evidence_packs matches pack_attachments sessions",
	"models":   "claims documents events ledger_runs matches run_claims sessions",
	"erasure": "chunks documents evidence_builds evidence_bundles evidence_items evidence_packs jobs lake_artifacts " +
		"ledger_runs library_documents library_versions matches pack_attachments run_evidence sessions tenants",
	"statistics": "comparisons counters sessions",
	"reads":      "api_tokens deputies due_dates events memberships policies tenants users",
	"auditlog": "api_tokens claims decisions documents erased_packs erasures evidence_bundles evidence_packs invitations " +
		"jobs lake_artifacts library_documents memberships model_endpoints pack_files reviews saved_views sessions tenants users webhooks",
	"backup": "decisions documents events evidence_packs find_runs keys library_versions log_heads master_keys pack_attachments sessions tenants",
	".":      "jobs webhook_deliveries",
}

// wholeStores are the statements of backup that write tables of rooms: it works on whole stores, which nobody else has
// open.
var wholeStores = map[string]string{
	"backup/rotate.go": "login_failures scrub_due",
	// login failures are keyed with the old master key; the rotation scrubs by itself
	"backup/restore_logs.go": "logins",  // nobody stays logged in to a store that was restored
	"backup/move.go":         "tenants", // the row of the system tenant, which a migration has made
}

// writesByName are the files whose statements change a table that they are given by name, and why they may.
var writesByName = map[string]string{
	"sessions/judge_run.go":              "matches and citations, which a new run replaces",
	"sessions/session_insert_rows.go":    "the rows of a new session",
	"sessions/session_erase_document.go": "the salts of what repeated a document",
	"auditlog/erasure_claims.go":         "what the caller's room claims: TestEveryColumnIsClaimed holds that they are its own",
	"backup/move.go":                     "every table of a new store",
	"backup/move_steps.go":               "the table that says how far a move is",
}

// TestTablesAreWrittenByTheirOwner compares the statements in the sources with the lists above.
func TestTablesAreWrittenByTheirOwner(t *testing.T) {
	owner := map[string]string{}
	for room, tables := range owners {
		for _, table := range strings.Fields(tables) {
			require.Empty(t, owner[table], "%s has one owner", table)
			owner[table] = room
		}
	}
	assert.ElementsMatch(t, tablesOfTheSchema(t), slices.Collect(maps.Keys(owner)),
		"each table of the schema has an owner")
	reads := map[string]map[string]bool{}
	byName := map[string]bool{}
	for file, said := range statements(t) {
		room := filepath.ToSlash(filepath.Dir(file))
		if reads[room] == nil {
			reads[room] = map[string]bool{}
		}
		for _, table := range said.writes {
			if of, known := owner[table]; known && !slices.Contains(strings.Fields(wholeStores[file]), table) {
				assert.Equal(t, of, room, "%s writes %s", file, table)
			}
		}
		for _, table := range said.reads {
			if of, known := owner[table]; known && of != room {
				reads[room][table] = true
			}
		}
		if said.byName {
			byName[file] = true
		}
	}
	for room, tables := range reads {
		got := strings.Join(slices.Sorted(maps.Keys(tables)), " ")
		t.Logf("%s reads %d tables of others: %s", room, len(tables), got)
		assert.Equal(t, foreign[room], got, "the tables of others that %s reads", room)
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(writesByName)), slices.Collect(maps.Keys(byName)),
		"files that write a table which they are given by name")
}

// tablesOfTheSchema returns the names of the tables that the migrations make.
func tablesOfTheSchema(t *testing.T) []string {
	t.Helper()
	names := map[string]bool{}
	made := regexp.MustCompile(`(?m)^CREATE (?:VIRTUAL )?TABLE (?:IF NOT EXISTS )?"?([a-z_]+)`)
	for _, pattern := range []string{"migrations/*.sql", "migrations/postgres/*.sql"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, m := range made.FindAllStringSubmatch(string(text), -1) {
				names[m[1]] = true
			}
		}
	}
	require.Greater(t, len(names), 50)
	return slices.Sorted(maps.Keys(names))
}

// said is what the statements of a file name.
type said struct {
	writes, reads []string
	byName        bool // a statement changes a table whose name follows at run time
}

var (
	changesTable = regexp.MustCompile(`\b(?:INSERT (?:OR [A-Z]+ )?INTO|REPLACE INTO|UPDATE|DELETE FROM)\s+"?([a-z_]+)?`)
	readsTable   = regexp.MustCompile(`\b(?:FROM|JOIN)\s+([a-z_]+)`)
)

// statements returns what the literals of each source file of the store say, by its path from here.
func statements(t *testing.T) map[string]said {
	t.Helper()
	out := map[string]said{}
	eachSource(t, func(path string, f *ast.File) {
		var s said
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr: // sqldb.NewBulk(t, "claims", …), sqldb.NewWordRows(t, "claim_search", …)
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "NewBulk" || f.Sel.Name == "NewWordRows") {
					table, constant := n.Args[1].(*ast.BasicLit)
					s.byName = s.byName || !constant
					if constant {
						name, _ := strconv.Unquote(table.Value)
						s.writes = append(s.writes, name)
					}
				}
			case *ast.BasicLit:
				text, err := strconv.Unquote(n.Value)
				if n.Kind != token.STRING || err != nil {
					return true
				}
				for _, m := range changesTable.FindAllStringSubmatch(text, -1) {
					if m[1] == "" {
						s.byName = s.byName || strings.HasSuffix(text, m[0])
					}
					s.writes = append(s.writes, m[1])
				}
				for _, m := range readsTable.FindAllStringSubmatch(changesTable.ReplaceAllString(text, ""), -1) {
					s.reads = append(s.reads, m[1])
				}
			}
			return true
		})
		out[path] = s
	})
	require.Greater(t, len(out), 50, "the walk found the code")
	return out
}

// TestMethodsOfTheStore prints how many exported methods each room adds to the store, and how many it has in all.
func TestMethodsOfTheStore(t *testing.T) {
	whole := reflect.TypeFor[*db.Store]()
	store := whole.Elem()
	rooms := 0
	for i := range store.NumField() {
		f := store.Field(i)
		if !f.Anonymous {
			continue
		}
		rooms++
		own := f.Type.NumMethod()
		if inner, ok := f.Type.Elem().FieldByName("Store"); ok && inner.Anonymous {
			own -= inner.Type.NumMethod()
		}
		t.Logf("%s: %d exported methods", f.Type.Elem(), own)
	}
	t.Logf("%s: %d exported methods, with those of its %d rooms", store, whole.NumMethod(), rooms)
	require.Equal(t, 15, rooms, "a room more or less: write it into the README")
}
