package handlers_test

import (
	"strings"

	"github.com/stretchr/testify/require"
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
