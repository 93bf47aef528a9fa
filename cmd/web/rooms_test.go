package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rooms is the allow-list of direct imports between our packages: arrows point down only (docs/adr/0002). A new
// package needs a row here and one in the map of docs/architecture.md.
var rooms = map[string][]string{
	"internal/words":            {},
	"internal/strictjson":       {},
	"internal/domain":           {},
	"internal/domain/canonical": {},
	"internal/domain/filetype":  {},
	"internal/domain/job":       {"internal/domain"},
	"internal/domain/text":      {},
	"internal/domain/filter":    {"internal/domain/text"},
	"internal/domain/evidence":  {"internal/domain", "internal/domain/text"},
	"internal/domain/ledger": {"internal/domain", "internal/domain/access", "internal/domain/notify",
		"internal/domain/filetype", "internal/domain/due", "internal/domain/filter", "internal/domain/text", "internal/domain/evidence",
		"internal/words"},
	"internal/domain/claims": {"internal/domain/ledger", "internal/domain/text"},
	"internal/exact":         {},
	"internal/domain/judge": {"internal/domain", "internal/domain/text", "internal/domain/evidence", "internal/domain/claims",
		"internal/domain/ledger", "internal/exact"},
	"internal/domain/agreement": {
		"internal/domain/text", "internal/domain/ledger",
	},
	"internal/domain/judge/pointer": {"internal/domain", "internal/domain/text", "internal/domain/evidence",
		"internal/domain/ledger", "internal/domain/judge", "internal/domain/redact", "internal/strictjson"},
	"internal/domain/sources": {"internal/domain", "internal/domain/text", "internal/domain/ledger"},
	"internal/domain/access":  {"internal/domain"},
	"internal/domain/audit":   {"internal/domain", "internal/domain/canonical"},
	"internal/domain/redact":  {"internal/domain", "internal/domain/text"},
	"internal/domain/webhook": {"internal/domain", "internal/domain/canonical"},
	"internal/domain/model":   {"internal/domain", "internal/domain/webhook"},
	"internal/domain/notify":  {"internal/domain", "internal/domain/access"},
	"internal/domain/live":    {"internal/domain", "internal/domain/text"},
	"internal/domain/due":     {"internal/domain"},
	"internal/domain/erasure": {"internal/domain", "internal/domain/access"},
	"internal/domain/bundle":  {"internal/domain", "internal/domain/canonical", "internal/domain/redact"},
	"internal/domain/pack": {"internal/domain",
		"internal/domain/access", "internal/domain/notify", "internal/domain/filetype",
		"internal/domain/canonical", "internal/domain/due", "internal/domain/filter", "internal/domain/text", "internal/domain/evidence",
		"internal/domain/ledger", "internal/domain/judge",
		"internal/domain/audit", "internal/words"},
	// for tests only
	"internal/everyfield": {"internal/domain", "internal/domain/text", "internal/domain/evidence", "internal/domain/ledger",
		"internal/domain/pack"},

	"internal/fit":       {"internal/domain/claims", "internal/domain/ledger", "internal/domain/judge", "internal/domain/text", "internal/importers", "internal/reader"},
	"internal/lake":      {"internal/domain", "internal/domain/bundle", "internal/files"},
	"internal/files":     {"internal/s3"},
	"internal/s3/s3test": {},
	"internal/s3":        {},
	"internal/release":   {"internal/domain", "internal/domain/canonical", "internal/domain/pack"},
	"internal/releaser":  {"internal/keys", "internal/release"},
	"internal/keys":      {},
	"internal/auth":      {"internal/domain"},
	"internal/telemetry": {"internal/quota"},
	"internal/openapi":   {},
	"internal/clients":   {},                                        // only make clients and its tests use it
	"internal/mcp":       {"internal/strictjson", "internal/words"}, // a client of the API by HTTP
	"internal/isolated":  {},
	"internal/otlp":      {}, // a client of the API within the process
	"internal/quota":     {},
	"internal/reader":    {},

	"internal/reader/weights":    {},
	"internal/reader/published":  {"internal/domain", "internal/reader", "internal/words"},
	"internal/reader/readertest": {"internal/reader"}, // for tests only

	"internal/pdftext":  {"internal/isolated"},
	"internal/openfga":  {"internal/domain", "internal/domain/access", "internal/db"},
	"internal/webhooks": {"internal/domain/webhook", "internal/db"},
	"internal/measure":  {},
	"internal/thorough": {}, // for tests only
	"internal/ratios":   {},
	"internal/mails": {"internal/domain", "internal/domain/access", "internal/domain/notify", "internal/db",
		"internal/views/notify"},
	// the store: no capability imports another (internal/db/README.md)
	"internal/db": {"internal/db/auditlog", "internal/db/bundles", "internal/db/erasure", "internal/db/jobs",
		"internal/db/live", "internal/db/models", "internal/db/notices", "internal/db/originals",
		"internal/db/packs", "internal/db/people", "internal/db/policies", "internal/db/reads",
		"internal/db/receipts", "internal/db/sessions", "internal/db/sqldb", "internal/db/statistics",
		"internal/db/webhooks", "internal/domain/access", "internal/domain/erasure", "internal/domain/job",
		"internal/domain/notify",
		"internal/keys"},
	"internal/db/auditlog": {"internal/db/reads", "internal/db/sqldb", "internal/domain", "internal/domain/access",
		"internal/domain/audit", "internal/domain/canonical", "internal/domain/erasure", "internal/domain/ledger",
		"internal/domain/pack", "internal/domain/webhook", "internal/files", "internal/keys"},
	"internal/db/backup": {"internal/db", "internal/db/auditlog", "internal/db/models", "internal/db/originals",
		"internal/db/packs", "internal/db/people", "internal/db/reads", "internal/db/receipts",
		"internal/db/sqldb", "internal/db/webhooks", "internal/domain/access", "internal/domain/audit",
		"internal/domain/canonical", "internal/files", "internal/keys"},
	"internal/db/bundles": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain",
		"internal/domain/access", "internal/domain/bundle", "internal/domain/canonical", "internal/domain/erasure"},
	"internal/db/dbtest": {"internal/db", "internal/domain/access", "internal/domain/pack", "internal/keys"},
	"internal/db/erasure": {"internal/db/auditlog", "internal/db/originals", "internal/db/reads",
		"internal/db/sqldb", "internal/domain", "internal/domain/access", "internal/domain/bundle",
		"internal/domain/erasure", "internal/domain/ledger"},
	"internal/db/jobs": {"internal/db/auditlog", "internal/db/originals", "internal/db/reads",
		"internal/db/receipts", "internal/db/sqldb", "internal/domain", "internal/domain/access",
		"internal/domain/erasure", "internal/domain/filetype", "internal/domain/job"},
	"internal/db/live": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain",
		"internal/domain/access", "internal/domain/erasure", "internal/domain/job", "internal/domain/live"},
	"internal/db/models": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain",
		"internal/domain/access", "internal/domain/erasure", "internal/domain/judge/pointer",
		"internal/domain/ledger", "internal/domain/model"},
	"internal/db/notices": {"internal/db/auditlog", "internal/db/reads", "internal/db/receipts",
		"internal/db/sqldb", "internal/domain", "internal/domain/access", "internal/domain/due",
		"internal/domain/erasure", "internal/domain/ledger", "internal/domain/notify"},
	"internal/db/originals": {"internal/db/sqldb"},
	"internal/db/packs": {"internal/db/auditlog", "internal/db/originals", "internal/db/reads",
		"internal/db/receipts", "internal/db/sqldb", "internal/domain", "internal/domain/access",
		"internal/domain/audit", "internal/domain/canonical", "internal/domain/erasure",
		"internal/domain/filetype", "internal/domain/ledger", "internal/domain/notify", "internal/domain/pack",
		"internal/domain/text", "internal/keys"},
	"internal/db/people": {"internal/db/auditlog", "internal/db/reads",
		"internal/db/sqldb", "internal/domain", "internal/domain/access", "internal/domain/audit",
		"internal/domain/canonical", "internal/domain/due", "internal/domain/ledger"},
	"internal/db/policies": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain",
		"internal/domain/access", "internal/domain/canonical", "internal/domain/pack", "internal/domain/redact"},
	"internal/db/reads": {"internal/db/sqldb", "internal/domain/access", "internal/domain/due",
		"internal/domain/notify", "internal/domain/pack"},
	"internal/db/receipts": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain"},
	"internal/db/sessions": {"internal/db/auditlog", "internal/db/originals", "internal/db/reads",
		"internal/db/receipts", "internal/db/sqldb", "internal/domain", "internal/domain/access",
		"internal/domain/agreement", "internal/domain/audit", "internal/domain/erasure", "internal/domain/ledger",
		"internal/domain/notify", "internal/domain/pack", "internal/domain/text"},
	"internal/db/sqldb":      {"internal/domain", "internal/domain/text"},
	"internal/db/statistics": {"internal/db/auditlog", "internal/db/sqldb", "internal/domain/ledger"},
	"internal/db/webhooks": {"internal/db/auditlog", "internal/db/reads", "internal/db/sqldb", "internal/domain",
		"internal/domain/access", "internal/domain/audit", "internal/domain/webhook"},
	"internal/llm": {"internal/domain", "internal/domain/judge", "internal/domain/judge/pointer", "internal/domain/ledger",
		"internal/domain/redact", "internal/domain/webhook", "internal/domain/model"},
	"internal/llm/llmtest": {}, // for tests only
	"internal/importers": {"internal/domain",
		"internal/domain/filetype", "internal/domain/text", "internal/domain/evidence", "internal/domain/claims",
		"internal/domain/ledger",
		"internal/domain/judge", "internal/domain/live", "internal/domain/pack", "internal/domain/bundle", "internal/pdftext",
		"internal/isolated", "internal/strictjson"},
	"internal/exporters": {"internal/domain", "internal/domain/filetype",
		"internal/domain/canonical", "internal/domain/text", "internal/domain/evidence",
		"internal/domain/ledger",
		"internal/domain/pack", "internal/exporters/typeset", "internal/words"},
	"internal/exporters/typeset":   {"fonts", "internal/domain/text"},
	"internal/exporters/sariftest": {}, // for tests only
	"internal/views":               {"internal/openapi", "internal/views/ui", "static"},
	"internal/app": {"internal/domain", "internal/domain/access", "internal/domain/job",
		"internal/domain/filetype", "internal/isolated", "internal/domain/judge", "internal/domain/live", "internal/domain/ledger", "internal/domain/bundle",
		"internal/domain/pack", "internal/domain/redact", "internal/lake", "internal/db", "internal/importers",
		"internal/exporters", "internal/isolated", "internal/quota", "internal/domain/model", "internal/domain/judge/pointer",
		"internal/llm", "internal/reader", "internal/domain/text", "internal/words"},
	"internal/handlers/web/apidoc": {"internal/domain",
		"internal/domain/filetype", "internal/domain/bundle", "internal/domain/filter",
		"internal/domain/ledger", "internal/domain/pack", "internal/domain/sources", "internal/domain/text",
		"internal/exporters", "internal/importers", "internal/openapi"},
	"internal/handlers/web/limits": {"internal/auth", "internal/db", "internal/domain",
		"internal/domain/access", "internal/quota"},
	"internal/handlers/web": {"internal/app", "internal/handlers/web/apidoc", "internal/handlers/web/limits", "fonts",
		"internal/auth", "internal/domain/filter", "internal/db", "internal/domain",
		"internal/domain/job", "internal/domain/access",
		"internal/domain/audit", "internal/domain/due", "internal/domain/erasure", "internal/domain/ledger",
		"internal/domain/model", "internal/domain/notify",
		"internal/domain/pack", "internal/domain/text",
		"internal/importers", "internal/isolated", "internal/keys", "internal/lake", "internal/openapi",
		"internal/quota", "internal/strictjson", "internal/telemetry",
		"internal/views", "internal/views/say", "internal/views/ui", "static"},
	"internal/handlers/ledger": {"internal/app", "internal/auth", "internal/db", "internal/domain",
		"internal/domain/job",
		"internal/domain/filetype",
		"internal/domain/access", "internal/domain/agreement", "internal/domain/due", "internal/domain/erasure", "internal/domain/evidence", "internal/domain/judge",
		"internal/domain/ledger", "internal/domain/live", "internal/domain/sources", "internal/domain/text", "internal/exporters",
		"internal/handlers/web", "internal/handlers/web/apidoc", "internal/handlers/web/limits",
		"internal/importers", "internal/openapi", "internal/strictjson", "internal/views/ledger", "internal/views/ui", "internal/domain/model"},
	"internal/handlers/packs": {"internal/app", "internal/auth", "internal/db", "internal/domain",
		"internal/domain/audit",
		"internal/domain/filetype",
		"internal/domain/access", "internal/domain/due", "internal/domain/ledger", "internal/domain/pack", "internal/exporters",
		"internal/handlers/web", "internal/handlers/web/apidoc", "internal/handlers/web/limits",
		"internal/importers", "internal/openapi", "internal/views/packs",
		"internal/views/ui", "static"},
	"internal/handlers/bundles": {"internal/app", "internal/db", "internal/domain", "internal/domain/access",
		"internal/domain/bundle", "internal/domain/erasure", "internal/handlers/web",
		"internal/handlers/web/apidoc", "internal/handlers/web/limits", "internal/importers",
		"internal/lake",
		"internal/openapi", "internal/views/bundles"},
	"internal/handlers/accounts": {"internal/auth", "internal/db", "internal/domain", "internal/domain/access", "internal/domain/audit",
		"internal/domain/ledger", "internal/domain/notify", "internal/domain/pack", "internal/domain/redact",
		"internal/handlers/web", "internal/handlers/web/apidoc", "internal/handlers/web/limits",
		"internal/keys",
		"internal/openapi", "internal/views/accounts", "internal/views/ui"},
	"internal/handlers/audit": {"internal/db", "internal/domain", "internal/domain/filter", "internal/domain/access",
		"internal/domain/audit", "internal/handlers/web", "internal/views/audit", "internal/views/ui"},
	"internal/handlers/search": {"internal/db", "internal/domain", "internal/domain/access", "internal/domain/agreement", "internal/domain/due",
		"internal/domain/ledger", "internal/domain/pack", "internal/domain/text", "internal/handlers/web",
		"internal/handlers/web/apidoc", "internal/openapi",
		"internal/views/search", "internal/views/ui"},
	"internal/handlers/jobs": {"internal/app", "internal/db", "internal/domain",
		"internal/domain/job", "internal/domain/access",
		"internal/domain/judge", "internal/handlers/web", "internal/handlers/web/apidoc",
		"internal/handlers/web/limits", "internal/views/jobs", "internal/views/ui"},
	"internal/handlers/notify": {"internal/domain", "internal/domain/access", "internal/domain/notify",
		"internal/handlers/web", "internal/views/notify", "internal/views/ui"},
	"internal/handlers/traces": {"internal/db", "internal/domain", "internal/domain/access", "internal/domain/live",
		"internal/handlers/web", "internal/handlers/web/apidoc", "internal/handlers/web/limits",
		"internal/importers", "internal/views/traces", "internal/views/ui"},
	"internal/handlers/erasures": {"internal/app", "internal/db", "internal/domain", "internal/domain/access",
		"internal/domain/erasure", "internal/handlers/web", "internal/handlers/web/apidoc",
		"internal/views/erasures", "internal/views/ui"},
	"internal/handlers/models": {"internal/db", "internal/domain", "internal/domain/access", "internal/domain/ledger",
		"internal/domain/model",
		"internal/words", "internal/handlers/web", "internal/handlers/web/apidoc", "internal/handlers/web/limits",
		"internal/views/models", "internal/views/ui"},
	"internal/handlers/webhooks": {"internal/db", "internal/domain", "internal/domain/access",
		"internal/domain/webhook", "internal/handlers/web", "internal/handlers/web/apidoc", "internal/views/ui",
		"internal/views/webhooks"},
	"internal/handlers": {"internal/domain", "internal/domain/access", "internal/handlers/accounts",
		"internal/handlers/bundles", "internal/handlers/erasures", "internal/handlers/jobs", "internal/handlers/ledger",
		"internal/handlers/audit", "internal/handlers/notify",
		"internal/handlers/packs", "internal/handlers/search", "internal/handlers/traces",
		"internal/handlers/web", "internal/handlers/web/limits",
		"internal/handlers/webhooks", "internal/mcp", "internal/views/gallery", "internal/handlers/models"},
	// for tests alone
	"internal/handlers/webtest": {"internal/app", "internal/auth", "internal/db", "internal/db/dbtest",
		"internal/domain",
		"internal/domain/job", "internal/domain/access", "internal/domain/ledger", "internal/domain/notify", "internal/domain/pack",
		"internal/handlers/web", "internal/importers", "internal/keys", "internal/lake", "internal/domain/model",
		"internal/llm/llmtest"},
	"internal/e2e":         {},
	"internal/e2e/interop": {}, // its tests import what they test
	"internal/e2e/cluster": {},
	"static":               {},
	"fonts":                {},
	"cmd/web/demo": {"internal/domain",
		"internal/domain/access", "internal/domain/ledger", "internal/domain/pack", "internal/db",
		"internal/importers", "internal/app"},
	"cmd/web": {"internal/app", "internal/db/backup", "internal/isolated", "internal/reader/weights", "internal/reader/published", "cmd/web/demo", "internal/mails", "internal/webhooks", "internal/domain", "internal/domain/ledger",
		"internal/domain/judge", "internal/domain/access", "internal/domain/text",
		"internal/domain/audit", "internal/domain/notify", "internal/domain/pack", "internal/keys", "internal/auth", "internal/openfga",
		"internal/db", "internal/importers",
		"internal/domain/bundle", "internal/files", "internal/lake", "internal/exporters", "internal/handlers", "internal/telemetry",
		"internal/pdftext", "internal/quota", "internal/release", "internal/llm", "internal/mcp", "internal/otlp",
		"internal/domain/evidence", "internal/domain/live", "internal/domain/judge/pointer", "internal/domain/redact",
		"internal/domain/model"},
}

// capabilities lists the parts of the product. Each has a folder in views and in handlers; none imports another.
var capabilities = []string{"ledger", "packs", "bundles", "accounts", "audit", "search", "jobs", "webhooks",
	"erasures", "notify", "traces", "models"}

// storeRooms lists the capabilities of the store; none imports another.
var storeRooms = []string{"sessions", "packs", "people", "policies", "notices", "jobs", "bundles", "live", "models",
	"webhooks", "statistics", "erasure"}

// viewsUse lists what every package of views may import besides say and ui.
var viewsUse = []string{"internal/domain",
	"internal/domain/job", "internal/domain/filetype", "internal/domain/text", "internal/domain/evidence", "internal/domain/ledger",
	"internal/domain/judge",
	"internal/domain/filter", "internal/domain/sources", "internal/domain/pack", "internal/domain/bundle", "internal/domain/redact",
	"internal/domain/webhook", "internal/domain/notify", "internal/domain/due", "internal/domain/audit", "internal/domain/access", "internal/domain/erasure",
	"internal/domain/agreement", "internal/domain/live", "internal/domain/model", "internal/words", "static"}

// The rows of views follow one rule: say imports none of them, ui only say, a capability only ui and say, the gallery all.
func init() {
	rooms["internal/views/say"] = []string{"internal/domain",
		"internal/domain/access", "internal/domain/text", "internal/domain/ledger", "internal/domain/due",
		"internal/domain/audit", "internal/domain/agreement", "internal/domain/erasure", "internal/domain/filter", "internal/domain/pack",
		"internal/words"}
	rooms["internal/views/ui"] = append([]string{"internal/views/say"}, viewsUse...)
	rooms["internal/views/viewtest"] = []string{"internal/views/ui", "internal/words"} // for tests only
	gallery := append([]string{"internal/views/say", "internal/views/ui"}, viewsUse...)
	for _, c := range capabilities {
		rooms["internal/views/"+c] = append([]string{"internal/views/say", "internal/views/ui"}, viewsUse...)
		gallery = append(gallery, "internal/views/"+c)
		rooms["internal/handlers"] = append(rooms["internal/handlers"], "internal/views/"+c)
	}
	rooms["internal/views/gallery"] = gallery
}

// capabilityOf returns the capability that a room of views or handlers belongs to, "" if none.
func capabilityOf(room string) string {
	for _, c := range capabilities {
		if room == "internal/views/"+c || room == "internal/handlers/"+c {
			return c
		}
	}
	return ""
}

// everybodys is the room that every other may use: what the program says.
const everybodys = "internal/words"

// pure lists what the packages below internal/domain, and those that they import, must not import: I/O, HTTP and
// randomness. They may use package time except for the clock, see checkClock.
var pure = []string{"os", "io/fs", "net", "net/http", "database/sql", "math/rand", "math/rand/v2", "crypto/rand",
	"log", "log/slog"}

// isPure reports whether a package may have no I/O, clock or randomness.
func isPure(room string) bool {
	return strings.HasPrefix(room, "internal/domain") || room == everybodys || room == "internal/strictjson"
}

// echoRooms may import Echo; it is confined because version 5 changes every signature (docs/adr/0001).
var echoRooms = []string{"internal/handlers", "cmd/web"}

// handlersFiles are the files of cmd/web that may import the web app: serve and demo run it (demo through serve),
// modeltest is a part of serve, and openapi prints the description that is made of its endpoints. Every other command uses internal/app.
var handlersFiles = []string{"serve.go", "modeltest.go", "openapi.go"}

func TestRooms(t *testing.T) {
	const root = "../.."
	seen := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != root || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); d.IsDir() && err == nil && path != root {
			return filepath.SkipDir // a module of its own: no part of the program
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		room := filepath.ToSlash(rel)
		seen[room] = true
		allowed, known := rooms[room]
		require.True(t, known, "package %s has no row in the table of rooms", room)
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			checkImport(t, path, room, name, allowed)
		}
		checkClock(t, path, room, f)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(seen), 10, "the walk found the code")
}

func checkImport(t *testing.T, path, room, name string, allowed []string) {
	t.Helper()
	if ours, ok := strings.CutPrefix(name, "sanad/"); ok && ours != everybodys {
		assert.Contains(t, allowed, ours, "%s imports %s, an arrow that does not point down", path, ours)
		if from, to := capabilityOf(room), capabilityOf(ours); from != "" && to != "" {
			require.Equal(t, from, to, "%s imports %s: what two capabilities share lives in ui or web", path, ours)
		}
	}
	from, inStore := strings.CutPrefix(room, "internal/db/")
	to, ofStore := strings.CutPrefix(name, "sanad/internal/db/")
	if inStore && ofStore && slices.Contains(storeRooms, from) {
		require.NotContains(t, storeRooms, to, "%s imports %s: what one room needs of another is an interface in its Needs", path, name)
	}
	if isPure(room) {
		require.NotContains(t, pure, name, "%s: %s is pure", path, room)
	}
	if strings.HasPrefix(name, "github.com/labstack/echo") {
		require.True(t, slices.ContainsFunc(echoRooms, func(r string) bool {
			return room == r || strings.HasPrefix(room, r+"/") && r == "internal/handlers"
		}), "%s imports Echo", path)
	}
}

// checkClock refuses time.Now and similar functions in pure packages: time is passed in.
func checkClock(t *testing.T, path, room string, f *ast.File) {
	t.Helper()
	if !isPure(room) {
		return
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" {
				require.NotContains(t, []string{"Now", "Since", "Until", "After", "Tick", "Sleep"}, sel.Sel.Name,
					"%s reads the clock", path)
			}
		}
		return true
	})
}

// TestMapOfTheCode compares the first column of the map in docs/architecture.md with the table of rooms.
func TestMapOfTheCode(t *testing.T) {
	page := ourPages(t)["docs/architecture.md"]
	var named []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]+`) \\|").FindAllStringSubmatch(page, -1) {
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(row[1], -1) {
			folder, parts, several := strings.Cut(strings.TrimSuffix(name[1], "}"), "{")
			if !several {
				named = append(named, folder)
				continue
			}
			for _, part := range strings.Split(parts, ",") {
				named = append(named, folder+part)
			}
		}
	}
	slices.Sort(named)
	require.Equal(t, slices.Sorted(maps.Keys(rooms)), named)
}

func TestOnlyTheServerReachesHandlers(t *testing.T) {
	var found []string
	for _, dir := range []string{".", "demo"} {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			require.NoError(t, err)
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); strings.HasPrefix(path, "sanad/internal/handlers") {
					found = append(found, filepath.ToSlash(name))
				}
			}
		}
	}
	require.ElementsMatch(t, handlersFiles, found)
}

// internal/app works without a web server: it needs neither Echo nor a page.
func TestAppNeedsNoWebFramework(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "sanad/internal/app").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, "sanad/internal/db", "the list is the packages that it needs")
	for _, dep := range deps {
		require.NotContains(t, dep, "labstack/echo")
		require.NotContains(t, dep, "sanad/internal/handlers")
		require.NotContains(t, dep, "sanad/internal/views")
	}
}

// databaseDrivers are packages that talk to a database. Only the store imports them, and what its tests stand on: nobody
// else knows which engine holds it.
var databaseDrivers = []string{"modernc.org/sqlite", "github.com/jackc/pgx"}

// TestOnlyTheStoreKnowsADriver looks at every file, tests too.
func TestOnlyTheStoreKnowsADriver(t *testing.T) {
	store := 0
	for path, text := range ourFiles(t) {
		if !strings.HasSuffix(path, ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if !slices.ContainsFunc(databaseDrivers, func(d string) bool { return name == d || strings.HasPrefix(name, d+"/") }) {
				continue
			}
			store++
			assert.True(t, strings.HasPrefix(path, "internal/db/"), "%s imports %s, which only internal/db may", path, name)
		}
	}
	require.Greater(t, store, 1, "internal/db imports both")
}

// readingRoom is the one package whose tests run the shipped weights.
const readingRoom = "internal/reader/weights"

// TestShippedWeightsRunInOnePackage: reading takes its time, so tests elsewhere are given verdicts, or a reader of
// their own. They neither import the weights nor open the file, and what they build of the program has no reader.
func TestShippedWeightsRunInOnePackage(t *testing.T) {
	here := 0
	for path, text := range ourFiles(t) {
		if !strings.HasSuffix(path, "_test.go") || path == "cmd/web/rooms_test.go" {
			continue
		}
		runs := strings.Contains(text, `"sanad/internal/reader/weights"`) || strings.Contains(text, "weights/reader.bin") ||
			strings.HasPrefix(path, "cmd/web/") && strings.Contains(text, "shipped()") ||
			strings.Contains(text, `"build"`) && strings.Contains(text, `"sanad/cmd/web"`) && !strings.Contains(text, `"noreader"`)
		if filepath.ToSlash(filepath.Dir(path)) == readingRoom {
			if runs {
				here++
			}
			continue
		}
		assert.False(t, runs, "%s runs the shipped weights, which only tests of %s may", path, readingRoom)
	}
	require.Greater(t, here, 1, "tests of %s run the weights, and build the program with them", readingRoom)
}
