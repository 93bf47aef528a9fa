package ledger_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/audit"
	"sanad/internal/handlers/webtest"
)

// threeClaims is a session whose claims are supported, not found and weak by its one document.
const threeClaims = `{"format":"sanad.session/v1","session":{"answer":"Leave."},
 "documents":[{"id":"hr","filename":"HR.txt","text":"All permanent employees receive 15 days of paid annual leave.\n\nTravel is booked by the office."}],
 "claims":[{"claim_text":"All permanent employees receive 15 days of paid annual leave"},
  {"claim_text":"The canteen opens at 11:30 on working days"},
  {"claim_text":"Visitors must wear a badge in the building"}]}`

type addedAnswer struct {
	judgedAnswer
	Documents []struct {
		DocumentID string `json:"document_id"`
		ID         string
		Filename   string
	}
	Warnings []any
}

func verdictsOf(l ledgerOf) (out []string) {
	for _, e := range l.Ledger.Entries {
		out = append(out, *e.Machine)
	}
	return out
}

// Only claims that are not supported, or that a new document contradicts, are judged again; every review is kept.
func TestAddDocuments(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	id := s.Create(threeClaims).SessionID
	path := "/api/v1/sessions/" + id
	for _, n := range []string{"1", "2", "3"} {
		require.Equal(t, 201, s.Do("POST", path+"/claims/"+n+"/reviews", `{"action":"confirm"}`, "If-Match", "*").Code)
	}
	before := webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200)
	require.Equal(t, []string{"supported", "not_found", "not_found"}, verdictsOf(before))
	stored := s.Do("GET", path+"/ledger", "").Body.String()

	body := `{"documents":[{"filename":"Canteen.txt","text":"The canteen opens at 11:30 on working days."}]}`
	require.Equal(t, 428, s.Do("POST", path+"/documents", body).Code)
	require.Equal(t, 412, s.Do("POST", path+"/documents", body, "If-Match", `"old"`).Code)
	for bad, at := range map[string]string{
		`{"documents":[]}`: "documents", `{"documents":[{"text":" "}]}`: "documents[0]",
		`{"documents":[{"text":"x"},{"text":"x","id":"hr"}]}`:        "documents[1].id",
		`{"documents":[{"text":"x","supersedes":"nobody"}]}`:         "documents[0].supersedes",
		`{"documents":[{"text":"x","pages":[]}]}`:                    "documents[0]",
		`{"documents":[{"text":"x","published_at":"yesterday"}]}`:    "documents[0].published_at",
		`{"documents":[{"text":"x","source_quality":2,"id":"new"}]}`: "documents[0].source_quality",
	} {
		require.Contains(t, s.Do("POST", path+"/documents", bad, "If-Match", "*").Body.String(), `"path":"`+at+`"`, bad)
	}
	require.Equal(t, stored, s.Do("GET", path+"/ledger", "").Body.String(), "nothing of these changed it")

	res := s.Do("POST", path+"/documents", body, "If-Match", "*", "Idempotency-Key", "a")
	out := webtest.Get[addedAnswer](t, res, 200)
	require.Equal(t, []int{2, 1, 1, 1}, []int{out.Run.Number, out.Run.Changed, out.Run.Flips, out.Run.Stale})
	require.Equal(t, []string{"doc_002", "Canteen.txt"}, []string{out.Documents[0].ID, out.Documents[0].Filename})
	require.Equal(t, res.Body.String(),
		s.Do("POST", path+"/documents", body, "If-Match", "*", "Idempotency-Key", "a").Body.String())

	after := webtest.Get[ledgerOf](t, s.Do("GET", path+"/ledger", ""), 200)
	require.Equal(t, []string{"supported", "supported", "not_found"}, verdictsOf(after))
	for i, stale := range []bool{false, true, false} {
		require.Len(t, after.Ledger.Entries[i].Reviews, 1, "reviews are kept")
		require.Equal(t, stale, after.Ledger.Entries[i].Stale, i)
	}
	require.Equal(t, before.Ledger.Entries[0], after.Ledger.Entries[0], "it was not judged again")
	require.Contains(t, s.Do("GET", path+"/runs", "").Body.String(), `"claims":"changed"`)
	require.Contains(t, s.Do("GET", "/sessions/"+id+"/runs/2", "").Body.String(), "judged only the claims whose result")
	require.Equal(t, 200, s.Do("GET", "/documents/"+out.Documents[0].DocumentID, "").Code)
	found := webtest.Get[foundAnswer](t, s.Do("GET", "/api/v1/search?q=canteen", ""), 200).Results
	require.Contains(t, found, foundPassage{"passage", out.Documents[0].DocumentID, 1}, "its words are found")

	export := s.Do("GET", "/sessions/"+id+"/export/json", "").Body.String()
	other := webtest.NewServer(t).As("reviewer")
	again := other.Do("GET", "/sessions/"+other.Create(export).SessionID+"/export/json", "").Body.String()
	require.Equal(t, documents(t, export), documents(t, again), "an exported ledger keeps all of them")
	log, _, err := s.Store.Log(context.Background(), s.Tenant.ID, audit.Query{Action: "document.added", Limit: 9})
	require.NoError(t, err)
	require.Len(t, log, 1)
}

// A supported claim that a new document contradicts is judged again, too.
func TestAddedDocumentContradicts(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	path := "/api/v1/sessions/" + s.Create(threeClaims).SessionID
	out := webtest.Get[addedAnswer](t, s.Do("POST", path+"/documents",
		`{"documents":[{"id":"new","text":"All permanent employees receive 20 days of paid annual leave."}]}`,
		"If-Match", "*"), 200)
	require.Equal(t, "new", out.Documents[0].ID)
	require.Equal(t, 1, out.Run.Changed)
}

// The page takes files, and leads to what changed; a large session becomes a job.
func TestAddDocumentsFromThePage(t *testing.T) {
	server := webtest.NewServer(t)
	s := server.As("reviewer")
	id := s.Create(threeClaims).SessionID
	page := "/sessions/" + id + "/documents"
	require.Contains(t, s.Do("GET", "/sessions/"+id+"?tab=report", "").Body.String(), `href="`+page+`"`, "the action is a button")
	require.NotContains(t, server.As("viewer").Do("GET", "/sessions/"+id+"?tab=report", "").Body.String(), page)
	require.Contains(t, s.Do("GET", page, "").Body.String(), "2 claims will be judged again.")

	status, body, _ := s.UploadAt(page, "")
	require.Equal(t, 422, status)
	require.Contains(t, body, "There are no documents; choose at least one.")
	status, body, _ = s.UploadAt(page, "", "x.png", "\x89PNG")
	require.Equal(t, 415, status)
	require.Contains(t, body, "x.png")
	status, _, to := s.UploadAt(page, "", "Badges.txt", "Visitors must wear a badge in the building.")
	require.Equal(t, 303, status)
	require.Equal(t, "/sessions/"+id+"/runs/2", to)
	require.Equal(t, []string{"supported", "not_found", "supported"},
		verdictsOf(webtest.Get[ledgerOf](t, s.Do("GET", "/api/v1/sessions/"+id+"/ledger", ""), 200)))
	stored, err := s.Store.Session(context.Background(), s.Tenant.ID, id)
	require.NoError(t, err)
	require.Equal(t, "text/plain", stored.Documents[1].MediaType, "the original is kept")
	require.Equal(t, "Visitors must wear a badge in the building.",
		s.Do("GET", "/documents/"+stored.Documents[1].ID+"/original", "").Body.String())
}
