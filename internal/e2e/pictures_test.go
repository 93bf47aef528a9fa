package e2e

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
	"sanad/internal/thorough"
	galleryviews "sanad/internal/views/gallery"
)

// shot is a page to take a picture of: the user's cookie ("" for none), its address, a script that brings it into the
// state to picture, if needed, and a button that leads on to the page to picture, "" if this is it.
type shot struct{ name, cookie, path, act, press string }

// shot brings the browser to a page in a look.
func (b *tab) shot(s shot, l look) {
	b.t.Helper()
	b.setCookie(s.cookie)
	b.look(s.path, l)
	if s.act != "" {
		eval[bool](b, "(() => {"+s.act+"; return true; })()")
	}
	if s.press != "" { // the server refuses, not the browser
		eval[bool](b, `(document.querySelectorAll("form").forEach(f => f.noValidate = true), true)`)
		b.submit(s.press)
	}
}

// album is a set of pages of one app. Creating it seeds the app; its pages are then pictured in the final state.
type album struct {
	name  string
	shots func(t *testing.T) (*app, []shot)
}

// albums is the single table of pages with pictures. It includes the lists that the accessibility tests
// use, so a page added there gets a picture. Pictures are written by go test ./internal/e2e -run
// TestPictures -update (docs/pictures.md).
var albums = []album{{"gallery", galleryShots}, {"desk", deskShots}, {"review", reviewShots}, {"packs", packShots},
	{"trust", trustShots}, {"office", officeShots}, {"models", modelShots}}

// pictureLooks are the looks in which pictures are taken.
var pictureLooks = []look{{"en", "light", 1280}, {"en", "light", 360}, {"ar", "dark", 1280}, {"ar", "dark", 360}}

func galleryShots(t *testing.T) (*app, []shot) {
	a := startApp(t)
	out := gallerySamples()
	for i := range out {
		out[i].cookie = a.cookie.Value
	}
	return a, out
}

// gallerySamples returns the parts of the gallery.
func gallerySamples() []shot {
	var out []shot
	for _, part := range galleryviews.Parts() {
		out = append(out, shot{name: "gallery-" + part, path: "/dev/gallery?part=" + part})
	}
	return out
}

func deskShots(t *testing.T) (*app, []shot) {
	a := startApp(t)
	paths := pages(t, a)
	paths["bundle"], paths["bundles"] = a.addBundle(t), "/bundles"
	maps.Copy(paths, a.jobPages(t))
	paths["fifty"] = a.fifty(t)
	paths["bulk"] = paths["fifty"] + "/confirm"
	paths["key-sheet"] = paths["ledger"]
	paths["confirm"] = "/confirm"
	acts := map[string]string{"key-sheet": `document.getElementById("help").showModal()`}
	out := []shot{{name: "login", path: "/login?out=1&next=%2Fsessions"}}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		out = append(out, shot{name: name, cookie: a.cookie.Value, path: paths[name], act: acts[name]})
	}
	return a, out
}

func packShots(t *testing.T) (*app, []shot) {
	o := startBureau(t)
	var out []shot
	for _, p := range o.packPages(t) {
		out = append(out, shot{name: p.name, cookie: o.cookies[p.who], path: p.path})
	}
	return o.app, out
}

func officeShots(t *testing.T) (*app, []shot) {
	o := startOffice(t)
	hook, stopped := o.webhooks(t)
	token, err := o.store.AddToken(context.Background(), access.AtCommandLine(o.tenant.ID), access.Token{
		Name: "استيراد ليلي", Role: access.Reviewer, Hash: "x", ExpiresAt: today.AddDate(0, 1, 0),
	})
	require.NoError(t, err)
	admin, reviewer := o.device(t, "amina", "Firefox on Linux", "10.0.0.7"), o.device(t, "huda", "Safari on iPad",
		"10.0.0.8")
	var out []shot
	for _, p := range [][2]string{
		{"users", "/admin/users"}, {"user", "/admin/users/" + o.people["omar"].ID},
		{"user-shared", "/admin/users/" + o.people["huda"].ID},
		{"invitations", "/admin/invitations?done=sent"},
		{"tokens", "/admin/tokens"}, {"revoke", "/admin/tokens/" + token.ID + "/revoke"}, {"keys", "/admin/keys"},
		{"rotate", "/admin/keys/log/rotate"},
		{"webhooks", "/admin/webhooks"}, {"webhook", "/admin/webhooks/" + hook + "?done=tested"},
		{"webhook-off", "/admin/webhooks/" + stopped},
		{"redaction", "/admin/redaction"}, {"traces", "/admin/traces"}, {"tenant", "/admin/tenant?done=saved"}, {"audit", "/audit"},
		{"audit-none", "/audit?object=nothing"},
	} {
		out = append(out, shot{name: p[0], cookie: admin, path: p[1]})
	}
	return o.app, append(out, shot{
		name: "account", cookie: reviewer, path: "/account",
	}, shot{
		name: "notifications", cookie: reviewer, path: "/notifications",
	}, shot{
		name: "invited", cookie: reviewer, path: "/account/invitations",
	}, shot{
		name: "join", path: o.link(t),
	}, shot{
		name: "join-over", path: "/join/none",
	}, shot{name: "forbidden", cookie: reviewer, path: "/admin/users"})
}

// TestPictures checks that every page, and every component in each of its states, looks as in its committed picture: in
// one look that is drawn for each, in make thorough and with -update in all four.
func TestPictures(t *testing.T) {
	t.Parallel()
	var taken sync.Map
	whole := t.Run("albums", func(t *testing.T) {
		for _, x := range albums {
			t.Run(x.name, func(t *testing.T) {
				t.Parallel()
				a, shots := x.shots(t)
				b := open(t, a)
				b.still()
				random := thorough.Random(t)
				for _, s := range shots {
					drawn := pictureLooks
					if !*update {
						drawn = thorough.Sample(random, drawn, 1)
					}
					for _, l := range drawn {
						b.shot(s, l)
						b.sees(l.name(s.name))
					}
					for _, l := range pictureLooks {
						taken.Store(l.name(s.name)+".png", x.name)
					}
				}
				taken.Store(x.name, true)
			})
		}
	})
	for _, x := range albums {
		_, done := taken.Load(x.name)
		whole = whole && done
	}
	if whole { // -run may have selected one album only
		checkFolder(t, &taken)
	}
}

// mostPictures is the maximum total size of the committed pictures, in bytes.
const mostPictures = 6 << 20

// checkFolder checks that every page has a picture in each look, that every committed picture belongs to a page, and
// their total size; -update removes the others.
func checkFolder(t *testing.T, taken *sync.Map) {
	t.Helper()
	files, err := os.ReadDir(pictureFolder)
	require.NoError(t, err)
	var size int64
	taken.Range(func(name, _ any) bool {
		if strings.HasSuffix(name.(string), ".png") {
			require.FileExists(t, filepath.Join(pictureFolder, name.(string)))
		}
		return true
	})
	for _, f := range files {
		if _, known := taken.Load(f.Name()); !known && *update {
			require.NoError(t, os.Remove(filepath.Join(pictureFolder, f.Name())))
			continue
		} else if !known {
			t.Errorf("no page has the picture %s; go test ./internal/e2e -run TestPictures -update removes it",
				f.Name())
		}
		info, err := f.Info()
		require.NoError(t, err)
		size += info.Size()
	}
	t.Logf("%d pictures of %d KiB", len(files), size>>10)
	require.LessOrEqual(t, size, int64(mostPictures))
}

// TestPicturesTellABrokenLayout checks that a broken layout differs from the page's picture and that slightly different
// letters do not. If this fails, the tolerance is wrong.
func TestPicturesTellABrokenLayout(t *testing.T) {
	t.Parallel()
	a := startApp(t)
	b := open(t, a)
	b.still()
	rule := func(css string) string {
		return `(() => { const s = new CSSStyleSheet(); s.replaceSync("` + css +
			`"); document.adoptedStyleSheets = [...document.adoptedStyleSheets, s]; })()`
	}
	without := func(sheet string) string {
		return `[...document.styleSheets].find(s => s.href?.includes("` + sheet + `")).disabled = true`
	}
	ledger, gallery := a.session("leave-policy.json")+"?claim=3", "/dev/gallery?part=ledger"
	for _, c := range []struct {
		name, path, act string
		broken, wide    bool // wide: the narrow layout differs, where this makes no difference
	}{
		{name: "the same page again", path: ledger},
		{name: "letters a little blurred", path: ledger, act: rule("* { text-shadow: 0 0 0.4px; }")},
		{name: "half a pixel off", path: ledger, act: rule("body { transform: translate(0.5px, 0.5px); }")},
		{name: "a style sheet is missing", path: ledger, act: without("/components.css"), broken: true},
		{
			name: "the columns are not there", path: ledger,
			act: rule(".bench-cols { display: block !important; }"), broken: true, wide: true,
		},
		{
			name: "a column has moved", path: gallery,
			act:    rule(".ledger .c-marks > * { order: 0 !important; }"),
			broken: true, wide: true,
		},
		{name: "a column is gone", path: gallery, act: rule(".c-verdict { visibility: hidden; }"), broken: true},
		{
			name: "verdicts without their ground", path: "/dev/gallery?part=marks",
			act: rule(".badge { background: none !important; }"), broken: true,
		},
		{
			name: "the other direction", path: ledger,
			act:    `document.documentElement.dir = document.documentElement.dir === "rtl" ? "ltr" : "rtl"`,
			broken: true,
		},
		{
			name: "the other theme", path: ledger,
			act:    `document.documentElement.dataset.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark"`,
			broken: true,
		},
		{
			name: "fields beside their names", path: "/dev/gallery?part=forms",
			act: rule(".field { display: flex !important; }"), broken: true,
		},
		{
			name: "all of it a line further down", path: ledger,
			act: rule("h1 { padding-block-end: 2rem !important; }"), broken: true,
		},
	} {
		for _, l := range []look{pictureLooks[0], pictureLooks[3]} {
			if c.wide && l.width < 720 {
				continue
			}
			b.look(c.path, l)
			wanted := b.shoot()
			if c.act == "" {
				b.look(c.path, l)
			} else {
				eval[bool](b, "("+c.act+", true)")
			}
			share, _ := difference(wanted, b.shoot())
			t.Logf("%-30s %-20s %5.1f%%", c.name, l.name(""), 100*share)
			if c.broken {
				require.Greater(t, share, mostDiffering, "%s %s", c.name, l.name(""))
			} else {
				require.LessOrEqual(t, share, mostDiffering, "%s %s", c.name, l.name(""))
			}
		}
	}
}
