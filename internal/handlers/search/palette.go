package search

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

// What the palette shows at most: what was opened last, lines of a group.
const (
	mostOpened   = 10
	paletteLines = 6
	// maxPaletteText bounds the text to look for, in bytes.
	maxPaletteText = 200
)

// showPalette answers the command palette of the page ?at= with what ?q= names, or with what was opened last. Opened
// as a page it is the search.
func (s *server) showPalette(c echo.Context) error {
	q := cutText(c.QueryParam("q"))
	if !web.WantsFragment(c) {
		return web.SeeOther(c, "/search?"+url.Values{"q": {q}}.Encode())
	}
	if len(q) > maxPaletteText {
		q = strings.ToValidUTF8(q[:maxPaletteText], "")
	}
	titles, err := s.Store.Titles(c.Request().Context(), s.Who(c), web.MostTitles)
	if err != nil {
		return err
	}
	look := &paletteLook{server: s, c: c, titles: titles, in: searchviews.PaletteInput{Query: q}}
	at := pageOf(c.QueryParam("at"))
	if err := look.at(at); err != nil {
		return err
	}
	if err := look.fill(); err != nil {
		return err
	}
	page := searchviews.NewPalette(s.Chrome(c).At(at), look.in)
	return s.Render(c, http.StatusOK, searchviews.PaletteList(page))
}

// pageOf reads the address of the page that the palette is opened on: a path of this app, else the start page.
func pageOf(at string) *url.URL {
	u, err := url.Parse(at)
	if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") {
		return &url.URL{Path: "/"}
	}
	return &url.URL{Path: u.Path, RawQuery: u.RawQuery}
}

// paletteLook is a search of the palette.
type paletteLook struct {
	*server
	c      echo.Context
	titles ledger.Titles
	in     searchviews.PaletteInput
}

// at finds the session that is open.
func (l *paletteLook) at(page *url.URL) error {
	id, is := strings.CutPrefix(page.Path, "/sessions/")
	id, _, _ = strings.Cut(id, "/")
	i := slices.IndexFunc(l.titles.Sessions, func(x ledger.Titled) bool { return is && x.ID == id })
	if i < 0 {
		return nil
	}
	if ok, err := l.readable(session, l.titles.Sessions[i]); err != nil || !ok {
		return err
	}
	l.in.Here = &l.titles.Sessions[i]
	return nil
}

// fill finds what the query names; if nothing does, what differs from it in one letter.
func (l *paletteLook) fill() error {
	if strings.TrimSpace(l.in.Query) == "" {
		return l.recent()
	}
	if err := l.named(text.WithinWords, text.BegunWord); err != nil || !l.nothing() {
		return err
	}
	l.in.Near = true
	return l.named(text.OneLetterOff, text.NearWords)
}

func (l *paletteLook) nothing() bool {
	in := &l.in
	if len(in.Sessions)+len(in.Packs)+len(in.Documents)+len(in.Claims)+len(in.People) > 0 {
		return false
	}
	return len(searchviews.NewPalette(l.Chrome(l.c), l.in).Groups) == 1 // "search everything"
}

// kindOf is one kind of what has a name: where it is, and as what one asks to read it.
type kindOf struct{ path, object string }

var (
	session  = kindOf{"/sessions/", "session"}
	packed   = kindOf{"/packs/", web.EvidencePack}
	document = kindOf{"/documents/", "document"}
)

// readable reports whether the reader may read a session, a pack with the ledger in it, or a document of a session.
func (l *paletteLook) readable(kind kindOf, x ledger.Titled) (bool, error) {
	if kind == packed {
		return l.ReadablePack(l.c)(x.ID, x.SessionID)
	}
	may := l.Readable(l.c.Request().Context(), l.Who(l.c))
	ok, err := may(access.Object{Kind: "session", ID: x.SessionID})
	if ok && err == nil && kind == document {
		ok, err = may(access.Object{Kind: kind.object, ID: x.ID})
	}
	return ok, err
}

// entries returns the first of a list that the reader may read. It asks about few more than it returns.
func (l *paletteLook) entries(kind kindOf, list []ledger.Titled) (out []searchviews.PaletteEntry, err error) {
	for _, x := range list[:min(len(list), 4*paletteLines)] {
		ok, err := l.readable(kind, x)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, searchviews.PaletteEntry{Titled: x, Path: kind.path + x.ID})
		}
		if len(out) == paletteLines {
			break
		}
	}
	return out, nil
}

// named finds sessions, packs, documents and people by name, and claims by their words.
func (l *paletteLook) named(least text.Likeness, near text.Nearness) (err error) {
	in, of := &l.in, func(list []ledger.Titled) []ledger.Titled { return web.BestNamed(list, l.in.Query, least) }
	if in.Sessions, err = l.entries(session, of(l.titles.Sessions)); err != nil {
		return err
	}
	if in.Packs, err = l.entries(packed, of(l.titles.Packs)); err != nil {
		return err
	}
	if in.Documents, err = l.entries(document, of(l.titles.Documents)); err != nil {
		return err
	}
	found, _, err := l.Store.Find(l.c.Request().Context(), l.Who(l.c),
		ledger.FindQuery{Text: in.Query, Near: near, Kind: ledger.FindClaims, Limit: paletteLines})
	if err != nil {
		return err
	}
	if in.Claims, err = l.server.readable(l.c)(found); err != nil {
		return err
	}
	people := searchviews.FindInput{FindQuery: ledger.FindQuery{Text: in.Query, Near: near}}
	err = l.people(l.c, &people)
	in.People = people.People
	return err
}

// recent lists what was opened last on this browser, then the sessions and packs that changed last.
func (l *paletteLook) recent() error {
	opened := strings.SplitN(l.c.QueryParam("opened"), ",", mostOpened+1)
	for _, path := range opened[:min(len(opened), mostOpened)] {
		for kind, list := range l.lists() {
			id, is := strings.CutPrefix(path, kind.path)
			i := slices.IndexFunc(list, func(x ledger.Titled) bool { return is && x.ID == id })
			if i < 0 {
				continue
			}
			if err := l.remember(kind, list[i:i+1]); err != nil {
				return err
			}
		}
	}
	for _, kind := range []kindOf{session, packed} {
		list := slices.Clone(l.lists()[kind])
		slices.SortStableFunc(list, func(a, b ledger.Titled) int { return b.At.Compare(a.At) })
		if err := l.remember(kind, list[:min(len(list), paletteLines/2)]); err != nil {
			return err
		}
	}
	return nil
}

func (l *paletteLook) lists() map[kindOf][]ledger.Titled {
	return map[kindOf][]ledger.Titled{session: l.titles.Sessions, packed: l.titles.Packs, document: l.titles.Documents}
}

// remember adds to what is recent, each once.
func (l *paletteLook) remember(kind kindOf, list []ledger.Titled) error {
	found, err := l.entries(kind, list)
	for _, e := range found {
		known := slices.ContainsFunc(l.in.Recent, func(x searchviews.PaletteEntry) bool { return x.Path == e.Path })
		if !known && len(l.in.Recent) < paletteLines {
			l.in.Recent = append(l.in.Recent, e)
		}
	}
	return err
}
