package packs

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
)

// sessionsToChoose is how many sessions the form lists, and maxSessionWords bounds the words that it searches for, in
// characters.
const (
	sessionsToChoose = 20
	maxSessionWords  = 200
)

// sessionPage shows the form by which a draft gets its review session; a pack that is not a draft is shown read-only.
func (s *server) sessionPage(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	if view.Life.State != pack.Draft {
		return web.SeeOther(c, "/packs/"+view.Life.PackID)
	}
	return s.showSessions(c, http.StatusOK, view, packsviews.SessionInput{Query: c.QueryParam("q")})
}

func (s *server) showSessions(c echo.Context, status int, view *db.PackView, in packsviews.SessionInput) error {
	who, k := s.Who(c), &view.Content
	named, err := s.Store.SessionOfDecision(c.Request().Context(), who.Tenant, k.DecisionID)
	if err != nil {
		return err
	}
	in.Pack = &pack.Pack{Content: *k, Life: *view.Life}
	in.Linked = k.LedgerSessionID != named
	if l := k.Ledger; l != nil {
		in.Named = named == l.SessionID
		if in.Present, err = s.linked(c, l); err != nil {
			return err
		}
	}
	if !in.Named {
		if err := s.findSessions(c, &in); err != nil {
			return err
		}
	}
	return s.Render(c, status, packsviews.Session(packsviews.NewSessionPage(s.ChromeAt(c,
		"/packs/"+view.Life.PackID+"/session"), in)))
}

// linked returns the session of a draft: as it is now, or what the draft has of it where it is gone or the reader may not
// read it.
func (s *server) linked(c echo.Context, l *pack.Ledger) (*ledger.SessionRow, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	copied := &ledger.SessionRow{ID: l.SessionID, Title: cmp.Or(l.Query, l.SessionID), Claims: len(l.Entries),
		Settled: reviewedEntries(l.Entries)}
	if may, err := s.Readable(ctx, who)(access.Object{Kind: "session", ID: l.SessionID}); err != nil || !may {
		return copied, err
	}
	now, err := s.Store.ShowSession(ctx, who, l.SessionID)
	switch {
	case domain.KindOf(err) == domain.NotFound:
		return copied, nil
	case err != nil:
		return nil, err
	}
	return &now.SessionRow, nil
}

func reviewedEntries(all []pack.Entry) (n int) {
	for i := range all {
		if all[i].State != ledger.Unreviewed {
			n++
		}
	}
	return n
}

// findSessions lists the newest sessions with the words of the query that the reader may read.
func (s *server) findSessions(c echo.Context, in *packsviews.SessionInput) error {
	who := s.Who(c)
	if r := []rune(strings.ToValidUTF8(in.Query, " ")); len(r) > maxSessionWords {
		in.Query = string(r[:maxSessionWords])
	}
	rows, next, err := s.Store.Sessions(c.Request().Context(), who.Tenant,
		ledger.SessionQuery{Text: in.Query, Reader: who.ID, Limit: sessionsToChoose})
	if err != nil {
		return err
	}
	readable := s.Readable(c.Request().Context(), who)
	for i := range rows {
		may, err := readable(access.Object{Kind: "session", ID: rows[i].ID})
		if err != nil {
			return err
		}
		if may {
			in.Rows = append(in.Rows, rows[i])
		}
	}
	in.More = next != ""
	return nil
}

// linkSession stores which session was chosen; none is the one that the decision names.
func (s *server) linkSession(c echo.Context) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	in := packsviews.SessionInput{Query: c.FormValue("q"), Chosen: c.FormValue("session_id"), Reason: c.FormValue("reason")}
	_, err = s.setSession(c, view.Life.PackID, revision, sessionLink{SessionID: in.Chosen, Reason: in.Reason}, db.Answering{})
	kind := domain.KindOf(err)
	switch {
	case err == nil && in.Chosen == "":
		return web.SeeOther(c, "/packs/"+view.Life.PackID+"/session?done=unlinked")
	case err == nil:
		return web.SeeOther(c, "/packs/"+view.Life.PackID+"/session?done=linked")
	case kind != domain.Conflict && kind != domain.Invalid && kind != domain.TooLarge || view.Life.State != pack.Draft:
		return s.refuseDecision(c, err, packsviews.Show)
	}
	in.Fault = packFault(err)
	return s.showSessions(c, web.StatusOf[kind], view, in)
}

// sessionLink is the body of PUT /packs/{id}/session.
type sessionLink struct {
	SessionID string `json:"session_id"`
	Reason    string `json:"reason"`
}

// setSession links a session that the actor may read. One that is not there is refused in the same words.
func (s *server) setSession(c echo.Context, packID string, revision int, in sessionLink,
	as db.Answering) (*db.PackView, error) {
	if err := pack.CheckReason(in.Reason); err != nil {
		return nil, err
	}
	if in.SessionID != "" {
		none := domain.Refuse(domain.Invalid, "session_id", "refused_session_none")
		if id, err := uuid.Parse(in.SessionID); err != nil || id.String() != in.SessionID {
			return nil, none
		}
		var e *domain.Error
		if err := s.MayReadLedger(c, in.SessionID); errors.As(err, &e) && e.Kind == domain.NotFound {
			return nil, none
		} else if err != nil {
			return nil, err
		}
	}
	return s.Store.LinkSession(c.Request().Context(), s.Who(c), packID, revision, in.SessionID, in.Reason, as)
}

// apiLinkSession makes a session the one whose ledger a draft copies.
func (s *server) apiLinkSession(c echo.Context, in sessionLink) (web.Reply, error) {
	return s.changePack(c, http.StatusOK, func(p *db.PackView, as db.Answering) (*db.PackView, error) {
		return s.setSession(c, p.Life.PackID, p.Life.Revision, in, as)
	})
}
