package handlers_test

import (
	"strings"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
)

// addPacks makes packs of every kind that routes are tried with, each about a decision of its own:
//
//	{draft}   fit to be submitted; {broken} is not
//	{review}  waits for an approver
//	{pack}    is signed off by the approver, its decision is {decision}
//	{asked}, {refuse}, {granted}  are the viewer's requests for a copy of {pack}, {granted} by the admin
//	{packlink}                    is the approver's own link to a copy of it
//	{bare}    is a decision without the pack that it must have
func (w *world) addPacks() {
	w.t.Helper()
	w.names["draft"] = w.draft("dec_draft", "A2").PackID
	broken := w.draft("dec_broken", "A2")
	w.api("reviewer", "PATCH", "/packs/"+broken.PackID, `{"memo":{"title_ar":""}}`, "If-Match", "*")(200)
	w.names["broken"] = broken.PackID
	w.names["review"] = w.inReview("dec_review", "A2").PackID
	w.decide("dec_bare", "A2")
	w.names["pack"], w.names["decision"], w.names["bare"] = w.signed("dec_signed").PackID, "dec_signed", "dec_bare"
	w.names["asked"], w.names["refuse"], w.names["granted"] = w.askExport("zip"), w.askExport("pdf"), w.askExport("json")
	res := w.as("admin").do("POST", "/api/v1/pack-exports/"+w.names["granted"]+"/grant", `{"password":"`+password+`"}`)
	require.Equal(w.t, 200, res.Code, res.Body.String())
	link := get[map[string]string](w.t, w.as("approver").do("POST", "/api/v1/packs/"+w.names["pack"]+"/export", `{"format":"pdf"}`), 200)
	w.names["packlink"] = strings.TrimPrefix(link["download_url"], "/downloads/packs/")
}

// askExport has the viewer ask for a copy of {pack}.
func (w *world) askExport(format string) string {
	w.t.Helper()
	return get[map[string]any](w.t, w.as("viewer").do("POST", "/api/v1/packs/"+w.names["pack"]+"/export", `{"format":"`+format+`"}`), 202)["export_id"].(string)
}

// addForeignPack makes a signed pack of the other tenant, with a request for a copy and a link to one, and names its ids as
// addPacks does its own.
func (w *world) addForeignPack(ids map[string]string) {
	w.t.Helper()
	w.people["foreign approver"] = w.addPerson("far.approver", w.other.ID, domain.Approver)
	w.people["foreign viewer"] = w.addPerson("far.viewer", w.other.ID, domain.Viewer)
	const id = "dec_far"
	require.Equal(w.t, 201, w.as("foreign").do("POST", "/api/v1/decisions", decisionOf(id, "A2")).Code)
	p := w.api("foreign", "POST", "/packs", `{"decision_id":"`+id+`"}`)(201)
	w.api("foreign", "POST", "/packs/"+p.PackID+"/submit", "")(200)
	w.api("foreign approver", "POST", "/packs/"+p.PackID+"/approve", approval)(200)
	for _, name := range []string{"pack", "draft", "broken", "review"} {
		ids[name] = p.PackID
	}
	path := "/api/v1/packs/" + p.PackID + "/export"
	ask := get[map[string]any](w.t, w.as("foreign viewer").do("POST", path, `{"format":"pdf"}`), 202)
	for _, name := range []string{"asked", "refuse", "granted"} {
		ids[name] = ask["export_id"].(string)
	}
	link := get[map[string]string](w.t, w.as("foreign").do("POST", path, `{"format":"pdf"}`), 200)
	ids["decision"], ids["packlink"] = id, strings.TrimPrefix(link["download_url"], "/downloads/packs/")
}
