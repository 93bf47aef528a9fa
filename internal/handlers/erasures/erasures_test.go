package erasures_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// secret is the words of the document that nothing else has
var secret = []string{"Zanzibarite", "quixotrope", "زنجبيليون", "secret-policy"}

const document = "Employees with the Zanzibarite quixotrope get fifteen days of leave. يستحق الزنجبيليون خمسة عشر يوما."

// traces lists the files of the data folder, and of the folder of checkpoints, that contain a secret word.
func traces(t *testing.T, s *webtest.Server) (found []string) {
	t.Helper()
	for _, dir := range []string{s.Dir, s.Dir + "-checkpoints"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(path)
			for _, w := range secret {
				if bytes.Contains(data, []byte(w)) {
					found = append(found, filepath.Base(path)+": "+w)
				}
			}
			return err
		}))
	}
	return found
}

// TestEraseADocument erases an uploaded document by the pages and searches every file of the data folder for its words.
func TestEraseADocument(t *testing.T) {
	s := webtest.NewServer(t)
	status, _, session := s.As("reviewer").Upload("Employees get fifteen days of leave.", "secret-policy.txt", document)
	require.Equal(t, 303, status)
	_, page := s.Page("reviewer", session)
	id := webtest.Between(page, `href="/documents/`, `"`)
	id, _, _ = strings.Cut(strings.SplitN(id, "?", 2)[0], "#")
	require.NotEmpty(t, traces(t, s))

	form := webtest.Form("kind", "document", "id", id, "reason", "Asked for by the person.")
	w := s.As("admin").Post("/admin/erasures", form+"&do=dry_run")
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), "Nothing prevents this.")
	require.Contains(t, w.Body.String(), "Original files: 1")
	w = s.As("admin").Post("/admin/holds", webtest.Form("kind", "document", "id", id, "reason", "Case 12", "do", "set"))
	require.Equal(t, 303, w.Code, w.Body.String())
	w = s.As("admin").Post("/admin/erasures", form+"&do=ask")
	require.Equal(t, 409, w.Code)
	require.Contains(t, w.Body.String(), "The legal hold on document "+id)
	require.Contains(t, w.Body.String(), "Asked for by the person.", "the words typed are kept")
	w = s.As("admin").Post("/admin/holds", webtest.Form("kind", "document", "id", id, "reason", "Closed", "do", "lift"))
	require.Equal(t, 303, w.Code)
	require.Equal(t, 422, s.As("admin").Post("/admin/erasures", webtest.Form("kind", "document", "id", id)).Code)
	require.Equal(t, 422, s.As("admin").Post("/admin/erasures", webtest.Form("kind", "document", "id", "x", "reason", "r")).Code)
	require.Equal(t, 303, s.As("admin").Post("/admin/erasures", form+"&do=ask").Code)

	_, page = s.Page("admin", "/admin/erasures")
	require.Contains(t, page, "You requested this; somebody else must confirm it.")
	_, page = s.Page("approver", "/admin/erasures")
	confirm := webtest.Between(page, `action="/admin/erasures/`, `/refuse"`)
	require.Equal(t, 403, s.As("admin").Post("/admin/erasures/"+confirm+"/confirm", "").Code)
	w = s.As("approver").Post("/admin/erasures/"+confirm+"/confirm", "")
	require.Equal(t, []any{303, "/admin/erasures?done=done"}, []any{w.Code, w.Header().Get("Location")}, w.Body.String())

	require.Empty(t, traces(t, s))
	status, page = s.Page("reviewer", "/documents/"+id)
	require.Equal(t, 410, status)
	require.Contains(t, page, "Reason given: \u2068Asked for by the person.\u2069")
	require.Equal(t, 410, s.As("reviewer").Do("GET", "/documents/"+id+"/original", "").Code)
	status, page = s.Page("reviewer", session)
	require.Equal(t, 200, status)
	require.NotContains(t, page, "quixotrope")
	status, page = s.Page("admin", "/audit")
	require.Equal(t, 200, status)
	require.Contains(t, page, "</b> erased the document")
	require.NotContains(t, page, "secret-policy")
	require.Contains(t, s.As("admin").Do("GET", "/admin/erasures?lang=ar", "", "Accept-Language", "ar").Body.String(), "المحو")
}

// TestEraseASignedPack erases a pack under the API; what is kept verifies.
func TestEraseASignedPack(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	trusted, err := pack.ParsePublic(s.Files(p.PackID)["tenant.pub"])
	require.NoError(t, err)
	w := s.As("admin").Do("POST", "/api/v1/erasures", fmt.Sprintf(`{"kind":"pack","id":%q,"reason":"Asked for."}`, p.PackID))
	require.Equal(t, 201, w.Code, w.Body.String())
	id := webtest.Between(w.Body.String(), `"erasure_id":"`, `"`)
	w = s.As("approver").Do("POST", "/api/v1/erasures/"+id+"/confirm", `{"password":"wrong"}`)
	require.Equal(t, 403, w.Code)
	w = s.As("approver").Do("POST", "/api/v1/erasures/"+id+"/confirm", `{"password":"`+webtest.Password+`"}`)
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Contains(t, w.Body.String(), `"status":"done"`)
	status, page := s.Page("viewer", "/packs/"+p.PackID)
	require.Equal(t, 410, status)
	require.Contains(t, page, "/packs/"+p.PackID+"/erased")
	w = s.As("viewer").Do("GET", "/packs/"+p.PackID+"/erased", "")
	require.Equal(t, 200, w.Code)
	require.NotContains(t, w.Body.String(), "Riyadh Hospital")
	r := pack.VerifyErased(w.Body.Bytes(), pack.Trust{Key: trusted})
	require.Equal(t, pack.Verified, r.Verdict, "%+v", r.Checks)
	require.Contains(t, r.Checks[3].Detail, "files' digests not checkable")
}

func TestPeriodsPage(t *testing.T) {
	s := webtest.NewServer(t)
	w := s.As("admin").Post("/admin/periods", webtest.Form("session", "many"))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), `value="many"`)
	s.Clock.Move(-40 * 24 * time.Hour)
	s.As("reviewer").Create(webtest.LeavePolicy)
	s.Clock.Move(40 * 24 * time.Hour)
	w = s.As("admin").Post("/admin/periods", webtest.Form("session", "30", "do", "dry_run"))
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), "Due with these periods; nothing is saved yet")
	require.Contains(t, w.Body.String(), `<bdi dir="ltr" lang="en">Leave</bdi>`)
	require.Contains(t, w.Body.String(), `value="30"`)
	w = s.As("admin").Do("PUT", "/api/v1/retention", `{"periods":[{"kind":"session","days":30}],"dry_run":true}`)
	require.Contains(t, w.Body.String(), `{"kind":"session","days":30}`)
	require.Contains(t, w.Body.String(), `"title":"Leave"`)
	w = s.As("admin").Do("GET", "/api/v1/retention", "")
	require.Contains(t, w.Body.String(), `{"kind":"session","days":0}`, "nothing was saved")
	require.Equal(t, 303, s.As("admin").Post("/admin/periods", webtest.Form("session", "41", "upload", "7")).Code,
		"nothing is erased at once")
	w = s.As("admin").Post("/admin/periods", webtest.Form("session", "30", "upload", "7"))
	require.Equal(t, 422, w.Code, "what is erased at once is listed first")
	require.Contains(t, w.Body.String(), "Save these periods nevertheless")
	require.Contains(t, w.Body.String(), `<bdi dir="ltr" lang="en">Leave</bdi>`)
	seen := webtest.FindGroup(t, `name="seen" value="([^"]+)"`, w.Body.String())
	w = s.As("admin").Post("/admin/periods", webtest.Form("session", "3", "upload", "7", "seen", seen))
	require.Equal(t, 422, w.Code, "other periods than those that were seen")
	w = s.As("admin").Do("GET", "/api/v1/retention", "")
	require.Contains(t, w.Body.String(), `{"kind":"session","days":41}`, "nothing of it was saved")
	require.Equal(t, 303, s.As("admin").Post("/admin/periods", webtest.Form("session", "30", "upload", "7", "seen", seen)).Code)
	w = s.As("admin").Do("GET", "/api/v1/retention", "")
	require.Contains(t, w.Body.String(), `{"kind":"session","days":30}`)
	require.Equal(t, 303, s.As("admin").Post("/admin/periods", webtest.Form("session", "")).Code)
	w = s.As("admin").Do("GET", "/api/v1/retention", "")
	require.Contains(t, w.Body.String(), `{"kind":"session","days":0}`)
}

// With two administrators, a shorter period waits, by both doors, until another one confirms it; a longer one does not.
func TestPeriodsWaitForASecondAdministrator(t *testing.T) {
	s := webtest.NewServer(t)
	s.AddPerson("second", s.Tenant.ID, access.Admin)
	days := func(n int) string { return fmt.Sprintf(`{"kind":"session","days":%d}`, n) }
	periods := func() string { return s.Do("GET", "/api/v1/retention", "").Body.String() }
	_, page := s.Page("admin", "/admin/periods")
	require.Contains(t, page, `name="reason"`)
	w := s.Post("/admin/periods", webtest.Form("session", "1"))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "it is what the other administrator decides on")
	require.Contains(t, w.Body.String(), `value="1"`, "what was typed is kept")

	w = s.Post("/admin/periods", webtest.Form("session", "30", "reason", "Our rules"))
	require.Equal(t, "/admin/changes?done=asked", w.Header().Get("Location"))
	require.Contains(t, periods(), days(0), "nothing is changed yet")
	_, page = s.Page("second", "/admin/changes")
	require.Contains(t, page, "Change the retention periods")
	require.Contains(t, page, "Sessions, in days: no period → 30")
	confirm := webtest.FindGroup(t, `action="(/admin/changes/[0-9a-f-]+/confirm)"`, page)
	require.Equal(t, 403, s.Post(confirm, "").Code, "by who asked")
	require.Contains(t, periods(), days(0))
	require.Equal(t, 303, s.As("second").Post(confirm, "").Code)
	require.Contains(t, periods(), days(30))

	w = s.Do("PUT", "/api/v1/retention", `{"periods":[`+days(29)+`]}`)
	require.Equal(t, 422, w.Code, "without a reason")
	w = s.Do("PUT", "/api/v1/retention", `{"periods":[`+days(29)+`],"reason":"Our rules"}`)
	require.Equal(t, 202, w.Code, w.Body.String())
	path := w.Header().Get("Location")
	require.Contains(t, s.As("second").Do("GET", path, "").Body.String(), `"days":{"session":29}`)
	const password = `{"password":"` + webtest.Password + `"}`
	require.Equal(t, 403, s.Do("POST", path+"/confirm", password).Code, "by who asked")
	require.Contains(t, periods(), days(30), "nothing is changed yet")
	require.Equal(t, 200, s.As("second").Do("POST", path+"/confirm", password).Code)
	require.Contains(t, periods(), days(29))
	_, page = s.Page("admin", "/audit")
	require.Contains(t, page, "changed the retention periods")

	require.Equal(t, 200, s.Do("PUT", "/api/v1/retention", `{"periods":[`+days(31)+`]}`).Code)
	require.Contains(t, periods(), days(31))
}
