package webtest

import (
	"strings"

	"github.com/stretchr/testify/require"

	"sanad/internal/db/dbtest"
	"sanad/internal/domain/access"
)

// addPacks adds the packs that routes are tried with, each about a different decision:
//
//	{draft}    a draft that may be submitted
//	{broken}   a draft that may not
//	{review}   a pack that waits for an approver
//	{pack}     a pack that the approver has signed off; its decision is {decision}
//	{asked}, {refuse}, {granted}  the viewer's requests for a copy of {pack}; the admin has granted {granted}
//	{packlink}                    the approver's own link to a copy of {pack}
//	{bare}     a decision that must have a pack and has none
func (w *World) addPacks() {
	w.T.Helper()
	w.Names["draft"] = w.Draft("dec_draft", "A2").PackID
	broken := w.Draft("dec_broken", "A2")
	w.API("reviewer", "PATCH", "/packs/"+broken.PackID, `{"memo":{"title_ar":""}}`, "If-Match", "*")(200)
	w.Names["broken"] = broken.PackID
	w.Names["review"] = w.InReview("dec_review", "A2").PackID
	w.AddDecision("dec_bare", "A2")
	w.Names["pack"], w.Names["decision"], w.Names["bare"] = w.Signed("dec_signed").PackID, "dec_signed", "dec_bare"
	w.Names["asked"], w.Names["refuse"], w.Names["granted"] = w.askExport("zip"), w.askExport("pdf"), w.askExport("json")
	res := w.As("admin").Do("POST", "/api/v1/pack-exports/"+w.Names["granted"]+"/grant", `{"password":"`+Password+`"}`)
	require.Equal(w.T, 200, res.Code, res.Body.String())
	link := Get[map[string]string](w.T,
		w.As("approver").Do("POST", "/api/v1/packs/"+w.Names["pack"]+"/export", `{"format":"pdf"}`), 200)
	w.Names["packlink"] = strings.TrimPrefix(link["download_url"], "/downloads/packs/")
}

// askExport lets the viewer ask for a copy of {pack}.
func (w *World) askExport(format string) string {
	w.T.Helper()
	return Get[map[string]any](w.T,
		w.As("viewer").Do("POST", "/api/v1/packs/"+w.Names["pack"]+"/export", `{"format":"`+format+`"}`),
		202)["export_id"].(string)
}

// AddForeignPack adds a signed pack to the other tenant, with a request for a copy and a link to one. It stores the ids
// under the same names as addPacks.
func (w *World) AddForeignPack(ids map[string]string) {
	w.T.Helper()
	w.AddPerson("far.approver", w.Other.ID, access.Approver)
	w.AddPerson("far.viewer", w.Other.ID, access.Viewer)
	const id = "dec_far"
	dbtest.AllowUnchecked(w.T, w.Store, w.Other.ID)
	require.Equal(w.T, 201, w.As("foreign").Do("POST", "/api/v1/decisions", DecisionOf(id, "A2")).Code)
	p := w.API("foreign", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
	w.API("foreign", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	w.API("far.approver", "POST", "/packs/"+p.PackID+"/approve", Approval)(200)
	for _, name := range []string{"pack", "draft", "broken", "review"} {
		ids[name] = p.PackID
	}
	path := "/api/v1/packs/" + p.PackID + "/export"
	ask := Get[map[string]any](w.T, w.As("far.viewer").Do("POST", path, `{"format":"pdf"}`), 202)
	for _, name := range []string{"asked", "refuse", "granted"} {
		ids[name] = ask["export_id"].(string)
	}
	link := Get[map[string]string](w.T, w.As("foreign").Do("POST", path, `{"format":"pdf"}`), 200)
	ids["decision"], ids["packlink"] = id, strings.TrimPrefix(link["download_url"], "/downloads/packs/")
}
