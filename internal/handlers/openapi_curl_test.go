package handlers_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers/webtest"
)

var (
	sampleOfCall = regexp.MustCompile(`(?s)<pre[^>]* id="([^"]+)-curl"[^>]*>(.*?)</pre>`)
	sampleBody   = regexp.MustCompile(`(?s)--data '(.*)'$`)
	sampleLine   = regexp.MustCompile(`^curl -sS(?: -X ([A-Z]+))? "\$SANAD([^"]+)"`)
)

// TestSamplesOfTheDescription checks that each call of the API has a sample, and that what it sends is what the
// description asks for: the address, the needed headers, and a body that its schema accepts.
func TestSamplesOfTheDescription(t *testing.T) {
	s, d := webtest.NewServer(t).As(""), webtest.Described()
	samples := map[string]string{}
	for _, tag := range d.At(d.Doc, "tags").([]any) {
		page := s.Do("GET", "/docs/api/"+tag.(map[string]any)["name"].(string), "").Body.String()
		require.NotContains(t, page, "api_chapter_", "a chapter has no title")
		for _, m := range sampleOfCall.FindAllStringSubmatch(page, -1) {
			samples[m[1]] = html.UnescapeString(m[2])
		}
	}
	bodies := 0
	for _, o := range d.Operations {
		sample := samples[o.ID]
		line := sampleLine.FindStringSubmatch(sample)
		require.NotNil(t, line, "%s: %s", o.ID, sample)
		method := line[1]
		if method == "" {
			method = "GET"
		}
		path := regexp.MustCompile(`\$[A-Z_]+`).ReplaceAllString(line[2], "1")
		body := ""
		if m := sampleBody.FindStringSubmatch(sample); m != nil {
			body = strings.ReplaceAll(m[1], `'\''`, "'")
		}
		r := webtest.Request(method, path, body)
		found := d.Find(r)
		require.NotNil(t, found, sample)
		require.Equal(t, o.ID, found.ID)
		public := o.ID == "showDescription"
		require.Equal(t, !public, strings.Contains(sample, "Authorization: Bearer $SANAD_TOKEN"), sample)
		if body != "" {
			bodies++
			require.Contains(t, sample, "Content-Type: application/json")
			r.Header.Set("Content-Type", "application/json")
			if strings.Contains(sample, "If-Match") {
				r.Header.Set("If-Match", "*")
			}
			require.NoError(t, d.CheckSent(found, r, []byte(body)), "%s\n%s", o.ID, sample)
		}
	}
	require.Greater(t, bodies, 30)
	t.Logf("%d samples, %d bodies", len(samples), bodies)
}
