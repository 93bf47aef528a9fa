package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/evidence"
	"sanad/internal/handlers/webtest"
	"sanad/internal/importers"
)

type pointerAnswer struct {
	SessionID  string                    `json:"session_id"`
	Evidence   []importers.Pointed       `json:"evidence"`
	Violations []evidence.ClaimViolation `json:"violations"`
	Ungrounded []int                     `json:"ungrounded"`
}

// Unknown pointers are violations, never errors; the session has the claims with their citations.
func TestPointerAnswer(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	const chunks = `"chunks":[
	 {"source_root":"a","document_uri":"hr.pdf","title":"HR","chunk_idx":0,"chunk_root":"r1","span":"All permanent employees receive 15 days of paid annual leave."},
	 {"source_root":"a","document_uri":"hr.pdf","chunk_idx":1,"chunk_root":"r2","span":"Visitors wear a badge in the building."}]`
	body := `{"query":"How long?",` + chunks + `,"claims":[
	 {"text":"All permanent employees receive 15 days of paid annual leave","pointer_ids":["E1"]},
	 {"text":"Visitors wear a badge in the building","evidence_ids":["E2","E9","E9","nonsense"]},
	 {"text":"The canteen opens at 11:30 on working days","evidence_ids":[]}]}`
	for _, bad := range []string{`{`, `[]`, `{"claims":[]}`, `{"claims":[{"text":" "}]}`, `{"claims":"x"}`,
		`{"claims":[{"text":"x","evidence_ids":"E1"}]}`, `{"claims":[{"words":"x"}]}`, `{}`} {
		require.Equal(t, 400, s.Do("POST", "/api/v1/evidence-maps/answers", bad).Code, bad)
	}
	out := webtest.Get[pointerAnswer](t, s.Do("POST", "/api/v1/evidence-maps/answers", body), 201)
	unknown := func(id string) evidence.ClaimViolation {
		return evidence.ClaimViolation{
			Violation: evidence.Violation{Code: evidence.UnknownEvidenceID, PointerID: id}, Claim: 2,
		}
	}
	require.Equal(t, []evidence.ClaimViolation{unknown("E9"), unknown("nonsense")}, out.Violations)
	require.Equal(t, []int{2, 3}, out.Ungrounded)
	require.Equal(t, out, webtest.Get[pointerAnswer](t, s.Do("POST", "/api/v1/evidence-maps/answers", body), 200))

	path := "/api/v1/sessions/" + out.SessionID + "/ledger"
	require.Equal(t, []string{"supported", "supported", "not_found"},
		verdictsOf(webtest.Get[ledgerOf](t, s.Do("GET", path, ""), 200)))
	whole := s.Do("GET", path, "").Body.String()
	require.Contains(t, whole, `"status":"holds"`, "the pointers are citations")
	require.Contains(t, whole, `"chunk_id":"`+evidence.ID("r1", 0, 61)+`"`, "passages are stored under their evidence ids")
	require.Contains(t, whole, `"upstream":{"label":"UNGROUNDED","reason":"UNKNOWN_EVIDENCE_ID: E9 is not`)
	require.Equal(t, []importers.Pointed{{Claim: 1, PointerID: "E1", EvidenceID: evidence.ID("r1", 0, 61)},
		{Claim: 2, PointerID: "E2", EvidenceID: evidence.ID("r2", 0, 38)}}, out.Evidence)
	require.Contains(t, s.Do("GET", "/sessions/"+out.SessionID+"/claims/2", "").Body.String(),
		"UNKNOWN_EVIDENCE_ID: E9 is not in the evidence map.")
	require.Regexp(t, `- #2: the file said UNGROUNDED; .*E9 is not in the evidence map`,
		s.Do("GET", "/sessions/"+out.SessionID+"/export/markdown", "").Body.String())
	clean := webtest.Get[pointerAnswer](t, s.Do("POST", "/api/v1/evidence-maps/answers",
		`{`+chunks+`,"claims":[{"text":"Visitors wear a badge in the building","evidence_ids":["E2"]}]}`), 201)
	require.Empty(t, clean.Violations)
	require.Empty(t, clean.Ungrounded)
}

// The page takes pasted passages and claims; it says what is wrong with the pointers, or leads to the ledger.
func TestPointersPage(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	const page, passages = "/evidence-maps/answers", "Leave is 15 days for all staff.\n\nVisitors wear a badge in the building."
	w := s.Post(page, webtest.Form("passages", passages, "answer", " ", "query", "How long?"))
	require.Equal(t, 422, w.Code)
	require.Contains(t, w.Body.String(), "Write each claim on its own line")
	require.Contains(t, w.Body.String(), "How long?", "the words typed are kept")
	require.Equal(t, 422, s.Post(page, webtest.Form("passages", " ", "answer", "x [E1]")).Code)
	w = s.Post(page, webtest.Form("passages", passages, "answer", "Visitors wear a badge in the building [E2]\nIt rains [E7]"))
	require.Equal(t, 200, w.Code)
	require.Contains(t, w.Body.String(), "E7")
	require.Contains(t, w.Body.String(), "1 claim is not grounded")
	require.Contains(t, w.Body.String(), `/claims/2"`)
	w = s.Post(page, webtest.Form("passages", passages, "answer", "Visitors wear a badge in the building [E2]"))
	require.Equal(t, 303, w.Code)
	require.Contains(t, s.Do("GET", w.Header().Get("Location"), "").Body.String(), "Visitors wear a badge in the building")
}
