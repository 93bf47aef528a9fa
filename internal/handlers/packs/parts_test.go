package packs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/pack"
	"sanad/internal/handlers/webtest"
)

// Users who may export make proofs of single parts and redacted copies on a page; each is logged.
func TestPartsPage(t *testing.T) {
	s := webtest.NewServer(t)
	require.Equal(t, 404, s.As("approver").Do("GET", "/packs/"+s.InReview("dec-0", "A2").PackID+"/parts", "").Code,
		"nothing is signed yet")
	p := s.Signed("dec-1")
	path := "/packs/" + p.PackID + "/parts"
	_, body := s.Page("approver", "/packs/"+p.PackID)
	require.Contains(t, body, `href="`+path+`"`)
	_, body = s.Page("viewer", "/packs/"+p.PackID)
	require.NotContains(t, body, path)
	_, body = s.Page("approver", path)
	for _, part := range []string{"excerpt/E1", "memo/body_ar", "tool_call/T2"} {
		require.Contains(t, body, `value="`+part+`"`)
	}
	require.NotContains(t, body, webtest.SecretText)

	w := s.As("approver").Post(path+"/proof", webtest.Form("one", "excerpt/E1"))
	require.Equal(t, 200, w.Code, w.Body.String())
	require.Contains(t, w.Header().Get("Content-Disposition"), p.PackID+"-excerpt-E1.proof.json")
	s.RequireLogged(p, s.Person("approver").ID, w.Body.Bytes())
	proof, err := pack.ParseProof(w.Body.Bytes())
	require.NoError(t, err)
	require.Contains(t, string(proof.Leaf), "120 employees")
	require.Equal(t, 404, s.As("approver").Post(path+"/proof", webtest.Form("one", "excerpt/E9")).Code)
	require.Equal(t, 404, s.As("approver").Post(path+"/proof", "").Code)

	why := []string{"reason", "Personal data", "rule", "PDPL 15"}
	for name, c := range map[string]struct {
		fields []string
		want   string
	}{
		"nothing ticked": {why, "Tick at least one part"},
		"no reason":      {[]string{"part", "memo/body_en", "rule", "PDPL 15"}, "Give the reason and the legal basis"},
		"no rule": {[]string{"part", "memo/body_en", "reason", "Personal data", "rule", " "},
			"Give the reason and the legal basis"},
		"head":         {append([]string{"part", "head/" + p.PackID}, why...), "has no such part"},
		"still quoted": {append([]string{"part", "excerpt/E1"}, why...), "This quotes what you leave out."},
	} {
		w := s.As("approver").Post(path+"/redacted", webtest.Form(c.fields...))
		require.Equal(t, 422, w.Code, name)
		require.Contains(t, w.Body.String(), c.want, name)
	}
	w = s.As("approver").Post(path+"/redacted", webtest.Form(append([]string{"part", "excerpt/E1"}, why...)...))
	require.Contains(t, w.Body.String(), `value="excerpt/E1" checked`)
	require.Contains(t, w.Body.String(), "PDPL 15", "what was typed is kept")

	fields := webtest.Form(why...) + "&part=excerpt/E1&part=excerpt/E1&part=memo/body_en&part=memo/body_ar"
	w = s.As("approver").Post(path+"/redacted", fields)
	require.Equal(t, 200, w.Code, w.Body.String())
	s.RequireLogged(p, s.Person("approver").ID, w.Body.Bytes())
	require.NotContains(t, w.Body.String(), "120 employees")
	require.Equal(t, 3, strings.Count(w.Body.String(), "PDPL 15"))
	_, err = pack.ParseRedacted(w.Body.Bytes())
	require.NoError(t, err)
}

// Every copy, and the page's integrity panel, links to the page that verifies a copy offline.
func TestTheVerificationPageIsLinked(t *testing.T) {
	s := webtest.NewServer(t)
	p := s.Signed("dec-1")
	_, body := s.Page("viewer", "/packs/"+p.PackID)
	require.Contains(t, body, `href="/verify.html?lang=en" target="_blank" rel="noopener"`)
	require.Contains(t, body, "sanad verify "+p.PackID+".zip --fingerprint SHA256:")
	w := s.As("approver").Post("/packs/"+p.PackID+"/exports", webtest.Form("format", "zip"))
	_, body = s.Page("approver", w.Header().Get("Location"))
	require.Contains(t, body, `href="/verify.html?lang=en" target="_blank" rel="noopener"`)
}
