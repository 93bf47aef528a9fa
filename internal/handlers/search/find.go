package search

import (
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

const (
	foundPerPage  = 25
	foundPerGroup = 5
	// maxFindText bounds the text to search for, in bytes; the rest is cut off.
	maxFindText = 1000
)

// showFind searches claims, answers, documents, notes, packs, decisions and people. It shows the first results of each
// kind, or one kind of text page by page. If nothing has the words, it looks for words like them.
func (s *server) showFind(c echo.Context) error {
	q, left := ledger.FindFilters.Read(c.QueryParam)
	if q = completed(c, q); q.Kind == "" {
		q.After = "" // the beginnings of all kinds have no next page
	}
	in := searchviews.FindInput{
		FindQuery: q, FromDay: dateOf(q.From, 0), ToDay: dateOf(q.To, -1), Asked: strings.TrimSpace(q.Text) != "",
	}
	err := s.look(c, &in, func(c echo.Context) (err error) {
		in.Saved, err = s.SavedPart(c, ledger.SavedSearch)
		return err
	})
	if err != nil {
		return err
	}
	if in.Asked && in.Nothing() {
		in.Near = text.NearWords
		if err := s.look(c, &in); err != nil {
			return err
		}
	}
	chrome := s.Chrome(c)
	chrome.LeftFilters = left
	return s.Render(c, web.ListStatus(&chrome), searchviews.Find(searchviews.NewFindPage(chrome, in)))
}

// look searches and fills in what was found; more is read with it. What the reader may read of it is asked afterwards,
// perhaps of another server.
func (s *server) look(c echo.Context, in *searchviews.FindInput, more ...func(echo.Context) error) error {
	var got foundBeside
	reads := []func(echo.Context) error{func(c echo.Context) error { return s.find(c, in) }}
	if in.Kind == "" && onlyWords(in) {
		reads = append(reads, got.reads(s, in)...)
	}
	if err := s.Load(c, "SearchView", append(reads, more...)...); err != nil {
		return err
	}
	readable := s.readable(c)
	for i := range in.Groups {
		var err error
		if in.Groups[i].Rows, err = readable(in.Groups[i].Rows); err != nil {
			return err
		}
	}
	in.Packs, in.Decisions, in.People = nil, nil, nil
	if in.Kind != "" || !onlyWords(in) {
		return nil
	}
	return s.beside(c, in, &got)
}

// find finds texts of one kind, or the first ones of each kind.
func (s *server) find(c echo.Context, in *searchviews.FindInput) error {
	ctx, who, q := c.Request().Context(), s.Who(c), in.FindQuery
	in.Groups = nil
	if q.Kind == "" {
		q.Limit = foundPerGroup
		groups, more, err := s.Store.FindGroups(ctx, who, q)
		for _, k := range ledger.FindKinds {
			in.Groups = append(in.Groups, searchviews.FindGroup{Kind: k, Rows: groups[k], More: more[k]})
		}
		return err
	}
	q.Limit = foundPerPage
	found, next, err := s.Store.Find(ctx, who, q)
	in.Groups, in.Next = []searchviews.FindGroup{{Kind: q.Kind, Rows: found}}, next
	return err
}

// readable returns a function that leaves out what was found in sessions and documents that the reader may not read.
func (s *server) readable(c echo.Context) func([]ledger.Found) ([]ledger.Found, error) {
	may := s.Readable(c.Request().Context(), s.Who(c))
	return func(found []ledger.Found) ([]ledger.Found, error) {
		var out []ledger.Found
		for _, x := range found {
			ok, err := may(access.Object{Kind: "session", ID: x.SessionID})
			if ok && err == nil && x.DocumentID != "" {
				ok, err = may(access.Object{Kind: "document", ID: x.DocumentID})
			}
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, x)
			}
		}
		return out, nil
	}
}

// completed adds to a query what is no filter of it.
func completed(c echo.Context, q ledger.FindQuery) ledger.FindQuery {
	q.Text, q.After = cutText(q.Text), c.QueryParam("after")
	return q
}

// cutText cuts the text to search for to the length that is used.
func cutText(s string) string {
	s = strings.ToValidUTF8(s, " ")
	if len(s) > maxFindText {
		s = strings.ToValidUTF8(s[:maxFindText], "")
	}
	return s
}

// dateOf writes a day, moved by some days, in the form of a date field; "" if none.
func dateOf(t time.Time, days int) string {
	if t.IsZero() {
		return ""
	}
	return t.AddDate(0, 0, days).Format(time.DateOnly)
}
