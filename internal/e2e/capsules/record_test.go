package capsules

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// about describes the content of a level's capsules, for the tests that open them.
type about struct {
	Commit   string             `json:"commit"`
	Made     string             `json:"made"`
	Level    int                `json:"level"`
	People   map[string]person  `json:"people"` // by login name
	Log      logAbout           `json:"log"`    // of the tenant main
	Keys     map[string]string  `json:"keys"`   // fingerprints of the signing keys: "first", "second"
	Sessions []sessionAbout     `json:"sessions"`
	Packs    []packAbout        `json:"packs"`
	Bundles  map[string]string  `json:"bundles"`           // SHA-256 by id
	Exports  map[string]*signed `json:"exports,omitempty"` // files in packs/, by name
}

type person struct {
	Role     string `json:"role"`
	Password string `json:"password"`
}

// logAbout describes the audit log as printed by `audit export`.
type logAbout struct {
	Events int    `json:"events"`
	SHA256 string `json:"sha256"`
}

type sessionAbout struct {
	ID        string   `json:"id"`
	Title     string   `json:"title"`
	Claims    int      `json:"claims"`
	Reviews   int      `json:"reviews"`
	Documents []string `json:"documents"` // their ids
	Runs      int      `json:"runs"`
}

type packAbout struct {
	ID       string            `json:"id"`
	Decision string            `json:"decision"`
	Title    string            `json:"title"`
	Version  int               `json:"version"`
	Status   string            `json:"status"`
	Digest   string            `json:"digest,omitempty"`
	Files    map[string]string `json:"files,omitempty"` // SHA-256 of the stored files in its zip
}

// signed describes how an exported file verifies.
type signed struct {
	Key   string `json:"key"`             // which of the keys
	Shows string `json:"shows,omitempty"` // of a proof
}

// record describes what the capsules contain.
func (m *maker) record() {
	for _, s := range m.as("khalid").list("/api/v1/sessions", "sessions") {
		m.about.Sessions = append(m.about.Sessions, m.session(fmt.Sprint(s["id"]), fmt.Sprint(s["title"])))
	}
	slices.SortFunc(m.about.Sessions, func(a, b sessionAbout) int { return strings.Compare(a.ID, b.ID) })
	for _, row := range m.as("khalid").list("/api/v1/packs", "packs") {
		p := packAbout{
			ID: fmt.Sprint(row["pack_id"]), Decision: fmt.Sprint(row["decision_id"]),
			Title: fmt.Sprint(row["title"]), Version: int(row["version"].(float64)),
			Status: fmt.Sprint(row["status"]),
		}
		if row["signed_at"] != nil {
			files := unzip(m.t, m.as("sara").export(p.ID, "zip"))
			p.Digest, p.Files = sumOf(files["pack.json"]), map[string]string{}
			for name, data := range files {
				if name != "VERIFY.md" && name != "verify.html" { // generated for each download
					p.Files[name] = sumOf(data)
				}
			}
		}
		m.about.Packs = append(m.about.Packs, p)
	}
	slices.SortFunc(m.about.Packs, func(a, b packAbout) int { return strings.Compare(a.ID, b.ID) })
	require.GreaterOrEqual(m.t, len(m.about.Packs), 7)
	m.server.stop()
	m.about.Log.Events, m.about.Log.SHA256 = logOf(m.place.does("", "audit", "export"), 0)
	m.restart()
}

// logOf counts the first events of a log (all if first is 0) and returns the SHA-256 of their lines.
func logOf(text string, first int) (events int, sum string) {
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	if first > 0 && first < len(lines) {
		lines = lines[:first]
	}
	return len(lines), sumOf([]byte(strings.Join(lines, "")))
}

func (m *maker) session(id, title string) sessionAbout {
	l := readLedger(m.t, []byte(m.place.does("", "export", "--session", id, "--format", "json")))
	return sessionAbout{
		ID: id, Title: title, Claims: len(l.Sanad.Claims), Reviews: l.reviews(), Documents: m.documents(id),
		Runs: len(m.as("khalid").list("/api/v1/sessions/"+id+"/runs", "runs")),
	}
}

// signed saves copies of the packs, and parts of one.
func (m *maker) signed() {
	add := func(name, key string, data []byte) *signed {
		m.files["packs/"+name] = data
		m.about.Exports[name] = &signed{Key: key}
		return m.about.Exports[name]
	}
	sara := m.as("sara")
	for _, what := range []string{"plain", "superseded", "superseding", "two-approvers"} {
		add(what+".zip", "first", sara.export(m.ids[what], "zip"))
	}
	add("rotated-key.zip", "second", sara.export(m.ids["rotated-key"], "zip"))
	add("export.json", "first", sara.export(m.ids["plain"], "json"))
	id := m.ids["two-approvers"] // it has a ledger and tool calls
	claim := m.firstClaim("two-approvers")
	for name, part := range map[string]string{"claim": "claim/" + claim, "call": "tool_call/T1",
		"memo": "memo/body_ar", "excerpt": "excerpt/E1"} {
		add("proof-"+name+".json", "first",
			sara.get("/api/v1/packs/"+id+"/proofs/"+part)).Shows = strings.Replace(part, "/", " ", 1)
	}
	// of the pack that the key in use has signed, as it signs the reasons too (rule P-28)
	_, redacted := sara.post("/api/v1/packs/"+m.ids["rotated-key"]+"/redacted", map[string]any{
		"redactions": []map[string]string{
			{"kind": "claim", "id": m.firstClaim("rotated-key"), "reason": "يذكر اسم شخص", "rule": "PDPL art. 4"},
			{"kind": "tool_call", "id": "T1", "reason": "names a supplier", "rule": "NDA 7"},
		},
	})
	add("redacted.json", "second", redacted)
}

// firstClaim returns the id of the first claim in the ledger of a saved pack.
func (m *maker) firstClaim(name string) string {
	var content struct {
		Ledger struct {
			Entries []struct {
				ClaimID string `json:"claim_id"`
			} `json:"entries"`
		} `json:"ledger"`
	}
	require.NoError(m.t, json.Unmarshal(unzip(m.t, m.files["packs/"+name+".zip"])["pack.json"], &content))
	return content.Ledger.Entries[0].ClaimID
}

// exported saves ledgers, the API description and the webhook's messages.
func (m *maker) exported() {
	for name, session := range map[string]string{"reviewed-judged-again": "leave", "arabic-blind": "arabic",
		"withdrawn-replaced": "vendor", "closed": "pasted"} {
		m.files["ledgers/"+name+".json"] = []byte(m.place.does("", "export", "--session", m.ids[session],
			"--format", "json"))
	}
	m.files["decision.json"] = m.as("yousef").get("/api/v1/decisions/dec_supplier_payment")
	code, out, errs := call(m.t, "", "openapi")
	require.Zero(m.t, code, errs)
	m.files["openapi.json"] = []byte(out)
	for _, b := range slices.Sorted(maps.Keys(m.about.Bundles)) {
		m.files["bundles/"+b+".json"] = m.as("yousef").get("/api/v1/bundles/" + b)
	}
	m.files["webhook.json"] = m.hook.capsule(m.place.does("", "audit", "export"))
}

// backup backs up the data folder.
func (m *maker) backup() {
	m.place.does("", "backup", filepath.Join(filepath.Dir(m.place.data), "backup"))
	m.files["backup.tar.gz"] = archive(m.t, filepath.Dir(m.place.data), "backup")
}

// write writes the files and adds their sums to the list.
func (m *maker) write(into string) {
	list, err := os.OpenFile(sumsFile, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	require.NoError(m.t, err)
	defer list.Close() //nolint:errcheck // Sync says whether it was written
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		path := filepath.Join(into, filepath.FromSlash(name))
		require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(m.t, os.WriteFile(path, m.files[name], 0o444))
		_, err = fmt.Fprintf(list, "%s  %s\n", sumOf(m.files[name]), filepath.ToSlash(path))
		require.NoError(m.t, err)
		m.t.Logf("%8d  %s", len(m.files[name]), path)
	}
	require.NoError(m.t, list.Sync())
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// archive packs folders of dir, without the files that SQLite recreates.
func archive(t *testing.T, dir string, folders ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	require.NoError(t, err)
	w := tar.NewWriter(z)
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(filepath.Join(dir, folder), func(path string, d fs.DirEntry,
			err error) error {
			if err != nil || strings.HasSuffix(path, "-shm") || strings.HasSuffix(path, "-wal") {
				return err
			}
			name, err := filepath.Rel(dir, path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: filepath.ToSlash(name) + "/",
					Mode: 0o700})
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if err := w.WriteHeader(&tar.Header{Name: filepath.ToSlash(name), Mode: 0o600,
				Size: int64(len(data))}); err != nil {
				return err
			}
			_, err = w.Write(data)
			return err
		}))
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	return b.Bytes()
}
