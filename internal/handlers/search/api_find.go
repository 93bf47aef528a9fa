package search

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

// apiFound is one search result. Fields that belong to another kind are null.
type apiFound struct {
	Kind         ledger.FindKind `json:"kind"`
	SessionID    string          `json:"session_id"`
	SessionTitle string          `json:"session_title"`
	State        ledger.State    `json:"state"`
	At           string          `json:"at"`
	Claim        *int            `json:"claim"`
	Verdict      *ledger.Verdict `json:"verdict"`
	Actor        *string         `json:"actor"`
	DocumentID   *string         `json:"document_id"`
	Document     *string         `json:"document"`
	Filename     *string         `json:"filename"`
	Chunk        *int            `json:"chunk"`
	Page         *int            `json:"page"`
	Withdrawn    bool            `json:"withdrawn"`
	Excerpt      apiExcerpt      `json:"excerpt"`
	URL          string          `json:"url"`
}

// apiExcerpt is the part of the text around the words.
type apiExcerpt struct {
	Text   string    `json:"text"`
	Marks  []apiMark `json:"marks"`
	Before bool      `json:"before"` // text was left out before it
	After  bool      `json:"after"`  // text was left out after it
}

// apiMark is a matching word, in code points of the excerpt.
type apiMark struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// apiFind pages by key, kind by kind, newest first.
func (s *server) apiFind(c echo.Context) error {
	q, err := apiFindQuery(c)
	if err != nil {
		return err
	}
	found, next, err := s.Store.Find(c.Request().Context(), s.Who(c), q)
	if err != nil {
		return web.BadQuery(err)
	}
	if found, err = s.readable(c)(found); err != nil {
		return err
	}
	return web.SendPage(c, "results", web.Map(found, newAPIFound), next)
}

// apiFindQuery reads the filters and refuses unknown values.
func apiFindQuery(c echo.Context) (ledger.FindQuery, error) {
	q, err := web.ReadQuery(c, ledger.FindFilters)
	if err != nil {
		return q, err
	}
	if strings.TrimSpace(q.Text) == "" {
		return q, web.WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "q", "refused_words_look"))
	}
	q = completed(c, q)
	q.Limit, err = web.ListLimit(c)
	return q, err
}

func newAPIFound(x ledger.Found) apiFound {
	out := apiFound{
		Kind: x.Kind, SessionID: x.SessionID, SessionTitle: x.SessionTitle, State: x.State, At: web.FormatTime(x.At),
		Actor: web.OrNull(x.Actor), Withdrawn: x.Withdrawn,
		Excerpt: apiExcerpt{
			Text:   x.Excerpt.Text,
			Marks:  web.Map(x.Excerpt.Marks, func(m text.Span) apiMark { return apiMark{m.Start, m.End} }),
			Before: x.Excerpt.Before, After: x.Excerpt.After,
		},
		URL: searchviews.FoundPath(x),
	}
	if x.Claim >= 0 {
		out.Claim = new(x.Claim + 1)
	}
	if x.Kind.HasVerdict() {
		out.Verdict = web.OrNull(x.Verdict)
	}
	if x.Kind == ledger.FindPassages {
		out.DocumentID, out.Document, out.Filename, out.Chunk = &x.DocumentID, &x.Document, &x.Filename, new(x.Chunk+1)
		if x.Page > 0 {
			out.Page = &x.Page
		}
	}
	return out
}
