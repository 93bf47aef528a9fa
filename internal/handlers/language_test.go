package handlers_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"sanad/internal/handlers"
	"sanad/internal/handlers/webtest"
	galleryviews "sanad/internal/views/gallery"
	"sanad/internal/views/viewtest"
)

// Every component of the gallery, in each language, says where its words are in the other one (rule WEB-14).
func TestGallerySaysItsLanguages(t *testing.T) {
	s := webtest.NewServer(t, func(o *handlers.Options) { o.Gallery = true })
	for _, part := range galleryviews.Parts() {
		if part == "forms" || part == "trust" { // where a label or an alarm of ours is a long text of a user, to try it
			continue
		}
		for _, lang := range []string{"en", "ar"} {
			w := s.As("").Do("GET", "/dev/gallery?part="+part+"&lang="+lang, "")
			require.Equal(t, 200, w.Code, part)
			assert.Empty(t, viewtest.Unspoken(t, w.Body.String()), "%s, %s", part, lang)
		}
	}
}

// The pages of the demo's sessions, which are in English and in Arabic, do so too.
func TestDemoSaysItsLanguages(t *testing.T) {
	s := webtest.NewServer(t).As("reviewer")
	pages := []string{"/", "/sessions", "/sessions/new", "/search?q=leave", "/packs", "/account"}
	for _, name := range []string{"leave-policy", "procurement-ar", "vendor-review"} {
		data, err := os.ReadFile(filepath.Join("../../cmd/web/demo", name+".json"))
		require.NoError(t, err)
		at := "/sessions/" + s.ImportNow(string(data))
		pages = append(pages, at, at+"?tab=answer", at+"?tab=report", at+"?tab=sources", at+"/claims/1", at+"/claims/2", at+"/claims/3")
	}
	for _, page := range pages {
		for _, lang := range []string{"en", "ar"} {
			w := s.Do("GET", page, "", "Accept-Language", lang)
			require.Equal(t, 200, w.Code, page)
			assert.Empty(t, viewtest.Unspoken(t, w.Body.String()), "%s, %s", page, lang)
		}
	}
}
