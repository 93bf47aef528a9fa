package packs_test

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// shownSince is what the API shows of a pack about which something changed after submission.
type shownSince struct {
	Revision  int
	Digest    string
	Concerns  []concern
	Alarms    []struct{ ID, Kind, Text string }
	Approvals []pack.Approval
}

type concern struct{ Kind, Text string }

// since returns the ids of the alarms of some kinds.
func (s *shownSince) since(kinds ...string) (ids []string) {
	for _, a := range s.Alarms {
		if slices.Contains(kinds, a.Kind) {
			ids = append(ids, a.ID)
		}
	}
	return ids
}

// show returns a pack as the API shows it, with its ETag.
func show(w *webtest.World, id string) (*shownSince, string) {
	w.T.Helper()
	res := w.As("viewer").Do("GET", "/api/v1/packs/"+id, "")
	out := webtest.Get[shownSince](w.T, res, 200)
	return &out, res.Header().Get("ETag")
}

// send sends a request of the API that must succeed.
func send(w *webtest.World, who, method, path, body string) []byte {
	w.T.Helper()
	res := w.As(who).Do(method, "/api/v1"+path, body, "If-Match", "*")
	require.Less(w.T, res.Code, 300, res.Body.String())
	return res.Body.Bytes()
}

// approvalNaming returns the body of an approval that acknowledges some alarms.
func approvalNaming(t *testing.T, ids []string) string {
	t.Helper()
	data, err := json.Marshal(map[string]any{"password": webtest.Password, "comment": "Read.", "acknowledged": ids})
	require.NoError(t, err)
	return string(data)
}

// TestEachChangeSinceSubmissionIsAnAlarm: whatever changes after submission is in alarms and concerns of the API and in
// the ETag; an approval that does not name it is answered 422 with the ids that it lacks, and one for the pack as it
// was 412; what was acknowledged is in Statement, pack.md and the approval, and the pack verifies.
func TestEachChangeSinceSubmissionIsAnAlarm(t *testing.T) {
	override := func(verdict string) func(*webtest.World) {
		return func(w *webtest.World) {
			send(w, "reviewer", "POST", "/sessions/"+w.Names["session"]+"/claims/1/reviews",
				`{"action":"override","verdict":"`+verdict+`","reason":"Read again."}`)
		}
	}
	for name, x := range map[string]struct {
		change   func(w *webtest.World)
		kinds    []string
		document string // name of the document that the form leads to, "" for none
	}{
		"withdrawn": {func(w *webtest.World) {
			send(w, "reviewer", "POST", "/documents/"+w.Names["document"]+"/withdraw", `{"reason":"A draft."}`)
		}, []string{pack.SourcesWithdrawn}, "document"},
		"overridden":                 {override("weak"), []string{pack.SinceOverridden}, ""},
		"overridden to contradicted": {override("contradicted"), []string{pack.SinceContradicted, pack.SinceOverridden}, ""},
		"contradicted": {func(w *webtest.World) {
			send(w, "reviewer", "POST", "/sessions/"+w.Names["session"]+"/documents",
				`{"documents":[{"filename":"new.md","text":"Leave is 10 days."}]}`)
		}, []string{pack.SinceContradicted}, ""},
		"thread on the pack": {func(w *webtest.World) {
			send(w, "reviewer", "POST", "/packs/"+w.Names["since"]+"/comments", `{"text":"Who asked for it?","asks":true}`)
		}, []string{pack.PackThreads}, ""},
		"thread on a claim": {func(w *webtest.World) {
			send(w, "reviewer", "POST", "/sessions/"+w.Names["session"]+"/claims/1/reviews",
				`{"action":"comment","reason":"Is it so?","asks":true}`)
		}, []string{pack.ClaimThreads}, ""},
		"erased": {func(w *webtest.World) {
			asked := struct {
				ID string `json:"erasure_id"`
			}{}
			require.NoError(w.T, json.Unmarshal(send(w, "admin", "POST", "/erasures",
				`{"kind":"document","id":"`+w.Names["elsewhere"]+`","reason":"Asked for."}`), &asked))
			send(w, "approver", "POST", "/erasures/"+asked.ID+"/confirm", `{"password":"`+webtest.Password+`"}`)
		}, []string{pack.SourcesWithdrawn}, "elsewhere"},
	} {
		t.Run(name, func(t *testing.T) {
			w := webtest.NewWorld(t)
			w.Names["elsewhere"] = w.Upload("admin").Documents[0].ID
			id := aboutSources(w, "dec-since", w.Names["elsewhere"])
			w.Names["since"] = id
			before, tag := show(w, id)
			require.Empty(t, before.since(pack.SinceKinds...))
			var known []string
			for _, a := range before.Alarms {
				known = append(known, a.ID)
			}
			x.change(w)

			after, newTag := show(w, id)
			require.Equal(t, before.Revision, after.Revision, "the pack itself has not changed")
			require.NotEqual(t, tag, newTag)
			require.Equal(t, 200, w.As("viewer").Do("GET", "/api/v1/packs/"+id, "", "If-None-Match", tag).Code)
			require.Equal(t, 304, w.As("viewer").Do("GET", "/api/v1/packs/"+id, "", "If-None-Match", newTag).Code)
			since := after.since(pack.SinceKinds...)
			require.Len(t, since, len(x.kinds), "%+v", after.Alarms)
			for i, kind := range x.kinds {
				require.True(t, strings.HasPrefix(since[i], kind+":"), since[i])
				require.True(t, slices.ContainsFunc(after.Concerns, func(c concern) bool { return c.Kind == kind }), kind)
			}

			status, page := w.Page("admin", "/packs/"+id+"/sign")
			require.Equal(t, 200, status)
			for _, alarm := range since {
				require.Contains(t, page, `name="acknowledged" value="`+alarm+`"`, "the form has a box for it")
			}
			if x.document != "" {
				require.Contains(t, page, `href="/documents/`+w.Names[x.document]+`"`)
			}
			approve := "/api/v1/packs/" + id + "/approve"
			all := approvalNaming(t, append(slices.Clone(known), since...))
			require.Equal(t, 412, w.As("admin").Do("POST", approve, all, "If-Match", tag).Code)
			for left := range since { // each of them is asked for
				given := append(slices.Clone(known), slices.Delete(slices.Clone(since), left, left+1)...)
				refused := webtest.Get[struct{ Missing []string }](t,
					w.As("admin").Do("POST", approve, approvalNaming(t, given), "If-Match", newTag), 422)
				require.Equal(t, since[left:left+1], refused.Missing)
			}
			send(w, "admin", "POST", "/packs/"+id+"/approve", all)

			signed, _ := show(w, id)
			require.Len(t, signed.Approvals, 1)
			require.Len(t, signed.Approvals[0].Since, len(since))
			require.Subset(t, signed.Approvals[0].Acknowledged, since)
			files := w.Files(id)
			envelope, err := pack.ParseEnvelope(files[pack.FileEnvelope])
			require.NoError(t, err)
			statement, err := base64.StdEncoding.DecodeString(envelope.Payload)
			require.NoError(t, err)
			for i, kind := range x.kinds {
				require.Contains(t, string(statement), `"id":"`+since[i]+`","kind":"`+kind+`"`)
				for _, lang := range []string{"en", "ar"} {
					require.Contains(t, string(files[pack.FileMarkdown]), signed.Approvals[0].Since[i].TextSigned(lang))
				}
			}
			verified := func(files map[string][]byte) *pack.Report {
				return pack.Verify(pack.Files{Pack: files[pack.FileJSON], Markdown: files[pack.FileMarkdown],
					PDF: files[pack.FilePDF], Envelope: files[pack.FileEnvelope], Bundle: files[pack.FileBundle], LogProof: files[pack.FileLogProof],
					Salts: files[pack.FileSalts], PublicKey: files[pack.FileKey], Whole: true}, pack.Trust{})
			}
			require.Equal(t, pack.Consistent, verified(files).Verdict)
			files[pack.FileMarkdown] = []byte(strings.Replace(string(files[pack.FileMarkdown]),
				signed.Approvals[0].Since[0].TextSigned("en"), "", 1))
			require.Equal(t, pack.Failed, verified(files).Status(pack.CheckRendered), "taken out of pack.md")
		})
	}
}

// aboutSources submits a pack about the world's session with a source that names a document of another one.
func aboutSources(w *webtest.World, id, document string) string {
	w.T.Helper()
	dbtest.Ask(w.T, w.Store, w.Tenant.ID, pack.Off, pack.PolicyRules...)
	body := strings.NewReplacer(`"entity_id"`, `"ledger_session_id":"`+w.Names["session"]+`","entity_id"`,
		`"uri":"https://hospital.example/about"`, `"internal_ref":"`+document+`"`,
		"We run 300 beds.", "Leave is 15 days.").Replace(webtest.DecisionOf(id, "A2"))
	require.Equal(w.T, 201, w.As("reviewer").Do("POST", "/api/v1/decisions", body).Code)
	p := w.API("reviewer", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
	return w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200).PackID
}

// TestErasedLedgerIsShown: a ledger that is gone is told on the page and in the API, by the claims that were in it.
func TestErasedLedgerIsShown(t *testing.T) {
	w := webtest.NewWorld(t)
	p := about(w, "dec-gone")
	p = w.API("reviewer", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	_, tag := show(w, p.PackID)
	d := dbtest.Raw(t, w.Dir)
	_, err := d.Exec("UPDATE sessions SET id = 'gone' WHERE id = '" + w.Names["session"] + "'")
	require.NoError(t, err)
	got, newTag := show(w, p.PackID)
	require.NotEqual(t, tag, newTag)
	require.Len(t, got.since(pack.SinceErased), 1)
	status, page := w.Page("admin", "/packs/"+p.PackID)
	require.Equal(t, 200, status)
	require.Contains(t, page, "erased or set aside since submission")
}

// TestThreadsOnThePageOfAPack: comments are answered, resolved and reopened without scripts, in every state of the
// pack; what was typed stays where it is refused; who may not comment sees the threads and no form.
func TestThreadsOnThePageOfAPack(t *testing.T) {
	s := webtest.NewServer(t)
	id := s.Signed("dec-threads").PackID
	path := "/packs/" + id
	post := func(who, path, form string) (int, string) {
		t.Helper()
		res := s.As(who).Post(path, form)
		return res.Code, res.Header().Get("Location") + res.Body.String()
	}
	status, at := post("reviewer", path+"/comments", "text=Which+invoice%3F&asks=1")
	require.Equal(t, 303, status)
	asked := at[strings.Index(at, "#comment-")+len("#comment-"):]
	status, at = post("approver", path+"/comments", "text=The+second.&thread="+asked)
	require.Equal(t, 303, status)
	require.Contains(t, at, "done=replied#comment-")
	page := s.As("viewer").Do("GET", path, "").Body.String()
	require.Contains(t, page, "1 open thread")
	require.Contains(t, page, "The second.")
	require.NotContains(t, page, "/comments/"+asked+"/resolve", "who may not comment gets no button")
	require.Equal(t, 403, s.As("viewer").Post(path+"/comments/"+asked+"/resolve", "").Code)
	require.Contains(t, s.As("reviewer").Do("GET", path, "").Body.String(), "/comments/"+asked+"/resolve")

	status, page = post("reviewer", path+"/comments", "text=&thread="+asked)
	require.Equal(t, 422, status)
	require.Contains(t, page, `id="t-`+asked+`-e"`, "it is refused beside the reply")
	status, at = post("reviewer", path+"/comments/"+asked+"/resolve", "")
	require.Equal(t, 303, status)
	require.Contains(t, at, "done=resolved#comment-"+asked)
	status, page = post("approver", path+"/comments/"+asked+"/resolve", "")
	require.Equal(t, 409, status)
	require.Contains(t, page, "Somebody has already resolved this thread.")
	require.NotContains(t, page, "1 open thread")
	status, _ = post("approver", path+"/comments/"+asked+"/reopen", "")
	require.Equal(t, 303, status)

	status, at = post("reviewer", path+"/comments", "text=Never+mind.")
	require.Equal(t, 303, status)
	alone := at[strings.Index(at, "#comment-")+len("#comment-"):]
	status, _ = post("reviewer", path+"/comments/"+alone+"/withdraw", "")
	require.Equal(t, 303, status)
	status, page = post("approver", path+"/comments", "text=I+do+mind.&thread="+alone)
	require.Equal(t, 409, status)
	require.Contains(t, page, "This comment was withdrawn")
	require.Contains(t, page, "I do mind.</textarea>", "the words are kept")
}
