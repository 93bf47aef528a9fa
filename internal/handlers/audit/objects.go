package audit

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/audit"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	auditviews "sanad/internal/views/audit"
	"sanad/internal/views/say"
)

// What a title finds at most: things of one kind, and how many of the best are asked about.
const (
	mostOfKind  = 8
	mostAsked   = 4 * mostOfKind
	maxFindText = 200 // bytes
)

// findText is what the reader typed to find an object by its title, bounded.
func findText(c echo.Context) string {
	words := strings.TrimSpace(c.QueryParam("find"))
	if len(words) > maxFindText {
		words = strings.ToValidUTF8(words[:maxFindText], "")
	}
	return words
}

// objectsNamed lists the sessions, packs, documents and people that words name, as far as the reader may read them.
func (s *server) objectsNamed(c echo.Context, words string) (out []auditviews.Object, err error) {
	if words == "" {
		return nil, nil
	}
	titles, err := s.Store.Titles(c.Request().Context(), s.Who(c), web.MostTitles)
	if err != nil {
		return nil, err
	}
	for _, kind := range []struct {
		name string
		list []ledger.Titled
	}{{"session", titles.Sessions}, {"pack", titles.Packs}, {"document", titles.Documents}} {
		found, err := s.readableOf(c, kind.name, web.BestNamed(kind.list, words, text.WithinWords))
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	people, err := s.peopleNamed(c, words)
	return append(out, people...), err
}

// readableOf returns the first of a list that the reader may read.
func (s *server) readableOf(c echo.Context, kind string, list []ledger.Titled) (out []auditviews.Object, err error) {
	ledgerOf, pack := s.Readable(c.Request().Context(), s.Who(c)), s.ReadablePack(c)
	for _, x := range list[:min(len(list), mostAsked)] {
		ok := false
		if kind == "pack" {
			ok, err = pack(x.ID, x.SessionID)
		} else {
			ok, err = ledgerOf(access.Object{Kind: "session", ID: x.SessionID})
		}
		if ok && err == nil && kind == "document" {
			ok, err = ledgerOf(access.Object{Kind: kind, ID: x.ID})
		}
		if err != nil {
			return nil, err
		}
		if ok && len(out) < mostOfKind {
			out = append(out, auditviews.Object{Kind: kind, ID: x.ID, Title: x.Title, Of: x.Session})
		}
	}
	return out, nil
}

// peopleNamed finds members by name, for those who may manage them.
func (s *server) peopleNamed(c echo.Context, words string) (out []auditviews.Object, err error) {
	tenant := s.Who(c).Tenant
	may, err := s.May(c, access.ManageUsers, access.Object{Kind: "tenant", ID: tenant})
	if err != nil || !may {
		return nil, err
	}
	names, err := s.Store.MemberNames(c.Request().Context(), tenant, web.MostTitles)
	if err != nil {
		return nil, err
	}
	called := text.NewNaming(words)
	for _, n := range names {
		if len(out) < mostOfKind && called.Like(n.Name) >= text.BeginsWords {
			out = append(out, auditviews.Object{Kind: "user", ID: n.ID, Title: n.Name})
		}
	}
	return out, nil
}

// objectOf says what the log calls the object with an id: of the rows of the page, else of its newest event. Of an id
// that no event has, only the id is known.
func (s *server) objectOf(ctx context.Context, who access.Actor, id string, rows []say.Event) (auditviews.Object, error) {
	for i := range rows {
		if rows[i].ObjectID == id {
			thing := rows[i].Names.Thing(audit.Ref{Kind: rows[i].Kind, ID: id})
			return auditviews.Object{Kind: rows[i].Kind, ID: id, Title: thing.Text}, nil
		}
	}
	events, _, err := s.Store.Log(ctx, who.Tenant, audit.Query{ObjectID: id, Limit: 1})
	if err != nil || len(events) == 0 {
		return auditviews.Object{ID: id}, err
	}
	newest, err := s.EventRows(ctx, who, events)
	if err != nil || newest[0].ObjectID != id {
		return auditviews.Object{ID: id}, err
	}
	return s.objectOf(ctx, who, id, newest)
}
