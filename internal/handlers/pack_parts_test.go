package handlers_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
)

// Proofs of single parts and redacted copies are made on a page, by who may export; each is logged.
func TestPartsOnAPage(t *testing.T) {
	s := newServer(t)
	require.Equal(t, 404, s.as("approver").do("GET", "/packs/"+s.inReview("dec-0", "A2").PackID+"/parts", "").Code, "nothing is signed yet")
	p := s.signed("dec-1")
	path := "/packs/" + p.PackID + "/parts"
	_, body := s.page("approver", "/packs/"+p.PackID)
	require.Contains(t, body, `href="`+path+`"`)
	_, body = s.page("viewer", "/packs/"+p.PackID)
	require.NotContains(t, body, path)
	_, body = s.page("approver", path)
	for _, part := range []string{"excerpt/E1", "memo/body_ar", "tool_call/T2"} {
		require.Contains(t, body, `value="`+part+`"`)
	}
	require.NotContains(t, body, secretText)

	w := s.as("approver").post(path+"/proof", form("one", "excerpt/E1"))
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Contains(t, w.Header().Get("Content-Disposition"), p.PackID+"-excerpt-E1.proof.json")
	s.requireLogged(p, s.person("approver").ID, w.Body.Bytes())
	proof, err := pack.ParseProof(w.Body.Bytes())
	require.NoError(t, err)
	require.Contains(t, string(proof.Leaf), "120 employees")
	require.Equal(t, 404, s.as("approver").post(path+"/proof", form("one", "excerpt/E9")).Code)
	require.Equal(t, 404, s.as("approver").post(path+"/proof", "").Code)

	why := []string{"reason", "Personal data", "rule", "PDPL 15"}
	for name, c := range map[string]struct {
		fields []string
		want   string
	}{
		"nothing ticked": {why, "Tick at least one part"},
		"no reason":      {[]string{"part", "memo/body_en", "rule", "PDPL 15"}, "Give the reason and the rule"},
		"no rule":        {[]string{"part", "memo/body_en", "reason", "Personal data", "rule", " "}, "Give the reason and the rule"},
		"head":           {append([]string{"part", "head/" + p.PackID}, why...), "has no such part"},
		"still quoted":   {append([]string{"part", "excerpt/E1"}, why...), "This quotes what you leave out."},
	} {
		w := s.as("approver").post(path+"/redacted", form(c.fields...))
		require.Equal(t, 422, w.Code, name)
		require.Contains(t, w.Body.String(), c.want, name)
	}
	w = s.as("approver").post(path+"/redacted", form(append([]string{"part", "excerpt/E1"}, why...)...))
	require.Contains(t, w.Body.String(), `value="excerpt/E1" checked`)
	require.Contains(t, w.Body.String(), "PDPL 15", "what was typed is kept")

	fields := form(why...) + "&part=excerpt/E1&part=excerpt/E1&part=memo/body_en&part=memo/body_ar"
	w = s.as("approver").post(path+"/redacted", fields)
	require.Equal(t, 200, w.Code, w.Body.String())
	s.requireLogged(p, s.person("approver").ID, w.Body.Bytes())
	require.NotContains(t, w.Body.String(), "120 employees")
	require.Equal(t, 3, strings.Count(w.Body.String(), "PDPL 15"))
	_, err = pack.ParseRedacted(w.Body.Bytes())
	require.NoError(t, err)
}

// Whoever holds a copy, or the panel that says it is whole, is led to the page that checks it without us.
func TestTheVerificationPageIsLinked(t *testing.T) {
	s := newServer(t)
	p := s.signed("dec-1")
	_, body := s.page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, `href="/verify.html"`)
	require.Contains(t, body, "sanad verify "+p.PackID+".zip --fingerprint SHA256:")
	w := s.as("approver").post("/packs/"+p.PackID+"/exports", form("format", "zip"))
	require.Contains(t, w.Body.String(), `href="/verify.html"`)
}
