package capsules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestMake creates the capsules of a migration level, with SANAD_CAPSULES=data or SANAD_CAPSULES=all (README.md says
// when to use which). It refuses a level that has capsules.
func TestMake(t *testing.T) {
	parts := os.Getenv("SANAD_CAPSULES")
	if parts == "" {
		t.Skip("makes nothing unless SANAD_CAPSULES says what")
	}
	require.Contains(t, []string{"data", "all"}, parts)
	m := newMaker(t)
	into := filepath.Join("testdata", fmt.Sprint(m.about.Level))
	_, err := os.Stat(into)
	require.ErrorIs(t, err, fs.ErrNotExist, "there are capsules of level %d, and a capsule is never made again",
		m.about.Level)

	m.people()
	m.sessions()
	m.packs()
	m.rest()
	m.files = map[string][]byte{}
	m.record()
	if parts == "all" {
		m.signed()
		m.exported()
	}
	m.server.stop()
	if parts == "all" {
		m.backup()
	}
	m.files["data.tar.gz"] = archive(t, filepath.Dir(m.place.data), "data", "data-checkpoints")
	about, err := json.MarshalIndent(m.about, "", "  ")
	require.NoError(t, err)
	m.files["about.json"] = append(about, '\n')
	m.write(into)
}

type maker struct {
	t      *testing.T
	place  place
	server *server
	hook   *hook
	about  about
	tokens map[string]string // by login name
	files  map[string][]byte // to be written
	ids    map[string]string // of sessions and packs, by what they are
}

var migration = regexp.MustCompile(`(?m)^(\d{4})_\w+\.sql`)

var shownPerson = regexp.MustCompile(`(?m)^  (viewer|reviewer|approver|admin) +(\w+) +(\S+)$`)

// newMaker fills a new data folder with the demo.
func newMaker(t *testing.T) *maker {
	dir := t.TempDir()
	m := &maker{t: t, place: place{t: t, data: filepath.Join(dir, "data")}, hook: newHook(t),
		tokens: map[string]string{}, ids: map[string]string{}}
	m.about = about{
		Commit: commit(t), Made: time.Now().UTC().Format(time.RFC3339),
		People: map[string]person{}, Keys: map[string]string{}, Bundles: map[string]string{},
		Exports: map[string]*signed{},
	}
	demo := m.place.serve("demo")
	for _, line := range shownPerson.FindAllStringSubmatch(demo.out.String(), -1) {
		m.about.People[line[2]] = person{Role: line[1], Password: line[3]}
	}
	require.Len(t, m.about.People, 4, "%s", demo.out)
	demo.stop()
	m.place.key = filepath.Join(m.place.data, "master.key")
	levels := migration.FindAllStringSubmatch(m.place.does("", "migrate"), -1)
	m.about.Level = len(levels)
	require.Equal(t, fmt.Sprintf("%04d", m.about.Level), levels[len(levels)-1][1])
	return m
}

// commit returns the commit of the binary under test: SANAD_COMMIT if it is not this tree's binary.
func commit(t *testing.T) string {
	t.Helper()
	if given := os.Getenv("SANAD_COMMIT"); given != "" {
		return given
	}
	require.Empty(t, os.Getenv("SANAD_BINARY"), "SANAD_COMMIT must name the commit that SANAD_BINARY was built from")
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// people adds a second approver, another tenant, and a token for everybody.
func (m *maker) people() {
	m.about.People["nasser"] = person{Role: "approver", Password: "a capsule's password"}
	m.place.does("a capsule's password\n", "user", "add", "nasser", "--name", "Nasser Al Kuwari · ناصر الكواري",
		"--role", "approver", "--password-stdin")
	for login, p := range m.about.People {
		m.tokens[login] = m.place.token(login, p.Role)
	}
	m.tokens["machine"] = tokenIn(m.t, m.place.does("", "token", "add", "--name", "a machine", "--role", "reviewer"))
	m.place.does("", "tenant", "add", "other", "--name", "Another tenant")
	m.place.does("", "import", "--tenant", "other", demoFile("leave-policy.json"))
	m.restart()
}

func demoFile(name string) string { return filepath.Join("..", "..", "..", "cmd", "web", "demo", name) }

func (m *maker) restart() {
	if m.server != nil {
		m.server.stop()
	}
	m.server = m.place.serve("serve", "--webhook-allow", "127.0.0.0/8")
}

func (m *maker) as(login string) visitor { return m.server.bearer(m.tokens[login]) }

// list returns the items of an API list.
func (v visitor) list(path, name string) []map[string]any {
	v.t.Helper()
	var answer map[string]json.RawMessage
	require.NoError(v.t, json.Unmarshal(v.get(path), &answer))
	var items []map[string]any
	require.NoError(v.t, json.Unmarshal(answer[name], &items), "%s", path)
	return items
}

// sessions reviews the example sessions, judges them again and closes them; it withdraws a document of one and replaces
// one of another.
func (m *maker) sessions() {
	admin, reviewer, approver := m.as("khalid"), m.as("yousef"), m.as("sara")
	answer, _ := admin.post("/api/v1/webhooks", map[string]any{"url": m.hook.URL, "kinds": []string{
		"claim.reviewed", "session.imported", "session.judged", "document.withdrawn", "pack.approved",
		"pack.signed_off", "pack.superseded",
	}})
	m.hook.secret, _ = answer["secret"].(string)
	require.NotEmpty(m.t, m.hook.secret)
	off, _ := admin.post("/api/v1/webhooks", map[string]any{"url": m.hook.URL + "/off",
		"kinds": []string{"pack.signed_off"}})
	hook, _ := off["webhook"].(map[string]any)
	admin.change("PATCH", fmt.Sprint("/api/v1/webhooks/", hook["webhook_id"]), map[string]any{"enabled": false})

	for _, s := range reviewer.list("/api/v1/sessions", "sessions") {
		title, id := fmt.Sprint(s["title"]), fmt.Sprint(s["id"])
		switch {
		case strings.Contains(title, "leave"), strings.Contains(title, "Leave"):
			m.ids["leave"] = id
		case strings.Contains(title, "endor"):
			m.ids["vendor"] = id
		default:
			m.ids["arabic"] = id
		}
	}
	require.Len(m.t, m.ids, 3)
	review := func(v visitor, session string, claim int, body map[string]any) {
		v.post(fmt.Sprintf("/api/v1/sessions/%s/claims/%d/reviews", m.ids[session], claim), body)
	}
	review(reviewer, "leave", 1, map[string]any{"action": "confirm"})
	review(reviewer, "leave", 3, map[string]any{"action": "override", "verdict": "supported",
		"reason": "The department head has agreed."})
	review(reviewer, "leave", 2, map[string]any{"action": "edit", "claim_type": "policy", "importance": "critical",
		"reason": "A rule for everybody."})
	review(reviewer, "leave", 2, map[string]any{"action": "comment",
		"reason": "Asked <HR> & payroll; \"no answer\" yet.\u200f"})
	review(reviewer, "leave", 4, map[string]any{"action": "needs_evidence", "reason": "Which circular?"})
	review(reviewer, "leave", 4, map[string]any{"action": "undo"})
	m.as("machine").post("/api/v1/sessions/"+m.ids["leave"]+"/judge", map[string]any{"judge": "lexical"})

	admin.post("/api/v1/sessions/"+m.ids["arabic"]+"/reviewers", map[string]any{"second_review": "blind"})
	review(reviewer, "arabic", 1, map[string]any{"action": "confirm", "reason": "المادة الثامنة تنص على ذلك صراحة."})
	review(approver, "arabic", 1, map[string]any{"action": "override", "verdict": "weak",
		"reason": "النص يقصر الحكم على العقود التي تزيد على ١٠٠٬٠٠٠ ريال."})
	review(reviewer, "arabic", 2, map[string]any{"action": "override", "verdict": "contradicted",
		"reason": "تذكر اللائحة ثلاثة عروض لا عرضين."})

	documents := m.documents(m.ids["vendor"])
	reviewer.post("/api/v1/documents/"+documents[0]+"/withdraw", map[string]any{"reason": "It was a draft."})
	reviewer.post("/api/v1/documents/"+documents[1]+"/replace", map[string]any{
		"reason": "A newer one is in force.", "filename": "newer.md", "title": "The newer one", "lang": "en",
		"text": "# Notice\n\nEither side may end the agreement with a notice of ninety days, in writing.",
	})
	reviewer.post("/api/v1/sessions/"+m.ids["vendor"]+"/judge", map[string]any{})
	m.ids["pasted"] = m.paste()
	approver.post("/api/v1/sessions/"+m.ids["pasted"]+"/close", map[string]any{"reason": "Superseded by the circular."})
}

// documents returns the ids of a session's documents.
func (m *maker) documents(id string) (ids []string) {
	var page struct {
		Session struct {
			Documents []struct {
				ID string `json:"id"`
			} `json:"documents"`
		} `json:"session"`
	}
	require.NoError(m.t, json.Unmarshal(m.as("yousef").get("/api/v1/sessions/"+id+"/ledger"), &page))
	for _, d := range page.Session.Documents {
		ids = append(ids, d.ID)
	}
	require.NotEmpty(m.t, ids)
	return ids
}

// paste imports an answer with a document on the page, like a person, and saves a view of the list.
func (m *maker) paste() string {
	v := m.server.signIn("yousef", m.about.People["yousef"].Password)
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, text := range map[string]string{
		"title": "Remote work", "query": "How many days may I work from home?", "lang": "en",
		"answer": "Staff may work from home two days a week. Approval is given by the line manager. " +
			"Equipment is paid for by the company.",
	} {
		require.NoError(m.t, w.WriteField(name, text))
	}
	file, err := w.CreateFormFile("documents", "remote-work.md")
	require.NoError(m.t, err)
	_, err = io.WriteString(file,
		"# Remote work\n\n"+
			"Staff may work from home up to two days a week. The line manager approves it.\n\nEquipment is not paid for.\n")
	require.NoError(m.t, err)
	require.NoError(m.t, w.Close())
	code, page, _ := v.send("POST", "/sessions", w.FormDataContentType(), body.Bytes())
	require.Equal(m.t, http.StatusOK, code, "%.600s", page)
	form := url.Values{"page": {"sessions"}, "name": {"To do"}, "query": {"status=open"}, "shared": {"1"}}
	code, page, _ = v.send("POST", "/views", "application/x-www-form-urlencoded", []byte(form.Encode()))
	require.Equal(m.t, http.StatusOK, code, "%.600s", page)
	for _, s := range m.as("yousef").list("/api/v1/sessions", "sessions") {
		if s["title"] == "Remote work" {
			return fmt.Sprint(s["id"])
		}
	}
	m.t.Fatal("the pasted answer is not in the list")
	return ""
}

// packs continues the example packs: one with two approvers, one signed with a rotated key, a draft, a hold, a request.
func (m *maker) packs() {
	byDecision := func(decision string) string {
		rows := m.as("yousef").list("/api/v1/packs?decision_id="+decision, "packs")
		require.NotEmpty(m.t, rows)
		newest := slices.MaxFunc(rows, func(a,
			b map[string]any) int {
			return int(a["version"].(float64) - b["version"].(float64))
		})
		return fmt.Sprint(newest["pack_id"])
	}
	approve := func(login, pack string) {
		m.as(login).approve(pack, m.about.People[login].Password)
	}
	m.ids["plain"], m.ids["superseding"] = byDecision("dec_hospital_fit"), byDecision("dec_cloud_renewal")
	for _, p := range m.as("yousef").list("/api/v1/packs?decision_id=dec_cloud_renewal", "packs") {
		if p["status"] == "superseded" {
			m.ids["superseded"] = fmt.Sprint(p["pack_id"])
		}
	}
	m.ids["two-approvers"] = byDecision("dec_supplier_payment")
	approve("sara", m.ids["two-approvers"])
	approve("nasser", m.ids["two-approvers"])
	m.about.Keys["first"] = m.signingKey()
	m.server.stop()
	m.place.does("", "key", "rotate", "--purpose", "sign")
	m.about.Keys["second"] = m.signingKey()
	m.restart()
	again, _ := m.as("yousef").post("/api/v1/packs/"+byDecision("dec_credit_limit")+"/versions", nil)
	m.ids["rotated-key"] = fmt.Sprint(again["pack_id"])
	m.as("yousef").mendAndSubmit(m.ids["rotated-key"])
	approve("sara", m.ids["rotated-key"])

	draft, _ := m.as("yousef").post("/api/v1/packs", map[string]any{"decision_id": "dec_tender_reply"})
	m.ids["draft"] = fmt.Sprint(draft["pack_id"])
	m.as("yousef").change("PATCH", "/api/v1/packs/"+m.ids["draft"],
		map[string]any{"memo": map[string]any{"title_en": "A title · عنوان"}})
	m.as("khalid").post("/api/v1/packs/"+m.ids["plain"]+"/hold", map[string]any{"reason": "A case is pending."})
	m.as("maryam").post("/api/v1/packs/"+m.ids["plain"]+"/export", map[string]any{"format": "pdf",
		"reason": "For the board."})
}

var inUse = regexp.MustCompile(`(?m)^(SHA256:\S+)\s+sign\s.*in use`)

func (m *maker) signingKey() string {
	found := inUse.FindStringSubmatch(m.place.does("", "key", "list"))
	require.NotNil(m.t, found)
	return found[1]
}

// rest sets a redaction pattern, builds a bundle, records a run that was given it, imports a provider's file, and asks
// for an export twice with one key.
func (m *maker) rest() {
	admin := m.server.signIn("khalid", m.about.People["khalid"].Password)
	form := url.Values{"patterns": {"staff E-[0-9]{3}"}, "seen": {""}}
	code, page, _ := admin.send("POST", "/admin/redaction", "application/x-www-form-urlencoded", []byte(form.Encode()))
	require.Equal(m.t, http.StatusOK, code, "%.600s", page)
	m.place.does("", "import", filepath.Join("..", "..", "importers", "testdata", "anthropic", "ar.json"))
	for range 2 {
		code, data, _ := m.as("yousef").send("POST", "/api/v1/sessions/"+m.ids["leave"]+"/ledger/export",
			"application/json",
			[]byte(`{"format":"json"}`), "Idempotency-Key", "capsule")
		require.Equal(m.t, http.StatusOK, code, "%s", data)
	}
	answer, _ := m.as("yousef").post("/api/v1/bundles", map[string]any{
		"job_input": map[string]any{"extra_params": map[string]any{"evidence": []any{
			map[string]any{"text": "Leave is 15 days. Call +966 50 123 4567.", "source_uri": "a"},
		}}},
		"policy": map[string]any{"enable_redaction": true},
	})
	id := fmt.Sprint(answer["bundle_id"])
	m.as("yousef").post("/api/v1/bundles/"+id+"/runs", map[string]any{"run_id": "run-capsule"})
	for _, b := range m.as("yousef").list("/api/v1/bundles", "bundles") {
		id := fmt.Sprint(b["bundle_id"])
		m.about.Bundles[id] = sumOf(m.as("yousef").get("/api/v1/bundles/" + id))
	}
	require.Len(m.t, m.about.Bundles, 2)
}
