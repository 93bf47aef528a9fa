package handlers_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	galleryviews "sanad/internal/views/gallery"
)

// The gallery is served in the demo only; otherwise its address gets the 404 of any unknown address, for every user.
func TestGalleryInDemoOnly(t *testing.T) {
	s := webtest.NewServer(t)
	for _, who := range []string{"", "viewer", "admin"} {
		known, unknown := s.As(who).Do("GET", "/dev/gallery", ""), s.As(who).Do("GET", "/dev/none", "")
		require.Equal(t, 404, unknown.Code)
		require.Equal(t, unknown.Code, known.Code, who)
		id := regexp.MustCompile(`<bdi class="mono">[^<]*</bdi>`)
		plain := func(body, path string) string { return strings.ReplaceAll(id.ReplaceAllString(body, ""), path, "") }
		require.Equal(t, plain(unknown.Body.String(), "/dev/none"), plain(known.Body.String(), "/dev/gallery"), who)
	}
	demo := webtest.NewServer(t, func(o *handlers.Options) { o.Gallery = true })
	require.Equal(t, 200, demo.As("").Do("GET", "/dev/gallery", "").Code)
	require.Equal(t, 404, demo.As("").Do("GET", "/dev/gallery?part=none", "").Code)
	require.Equal(t, 405, demo.As("admin").Post("/dev/gallery", "").Code)
}

// Each part has the language and theme of the address's parameters, and no two of its samples share an id.
func TestGalleryParts(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Gallery = true })
	ids := regexp.MustCompile(` id="([^"]+)"`)
	for _, part := range append(galleryviews.Parts(), "") {
		for _, q := range [][2]string{{"lang=en&theme=light", `lang="en" dir="ltr" data-theme="light"`},
			{"lang=ar&theme=dark&digits=arab", `lang="ar" dir="rtl" data-theme="dark"`}} {
			w := s.As("").Do("GET", "/dev/gallery?part="+part+"&"+q[0], "")
			require.Equal(t, 200, w.Code, part)
			require.Contains(t, w.Body.String(), q[1])
			seen := map[string]bool{}
			for _, m := range ids.FindAllStringSubmatch(w.Body.String(), -1) {
				require.False(t, seen[m[1]], "%s: the id %s twice", part, m[1])
				seen[m[1]] = true
			}
			require.NotContains(t, w.Body.String(), "jobs.js", "samples do nothing")
		}
	}
}
