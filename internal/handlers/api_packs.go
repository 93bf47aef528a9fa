package handlers

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
)

// packInput is the body of POST /packs.
type packInput struct {
	DecisionID string `json:"decision_id"`
}

// apiCreatePack opens a draft for a decision (spec page 7 "Black-box contracts").
func (s *Server) apiCreatePack(c echo.Context) error {
	var in packInput
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	if in.DecisionID == "" {
		return domain.Invalidf("decision_id", "Name the decision that the pack is about.")
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	view, err := s.store.CreatePack(c.Request().Context(), s.who(c), in.DecisionID, answering(receipt, http.StatusCreated))
	return sendPack(c, http.StatusCreated, view, err, receipt)
}

// apiShowPack gives a whole pack under the ETag of its revision.
func (s *Server) apiShowPack(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	tag := etag(view.Life.PackID, view.Life.Revision)
	c.Response().Header().Set("ETag", tag)
	if none := c.Request().Header.Get("If-None-Match"); none != "" && matches(none, tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return sendJSON(c, http.StatusOK, newAPIPack(view))
}

// apiListPacks pages by key, the newest first.
func (s *Server) apiListPacks(c echo.Context) error {
	limit, err := listLimit(c)
	if err != nil {
		return err
	}
	q := db.PackQuery{State: pack.State(c.QueryParam("status")), DecisionID: c.QueryParam("decision_id"),
		SessionID: c.QueryParam("ledger_session_id"), Text: c.QueryParam("q"), After: c.QueryParam("after"), Limit: limit}
	if q.State != "" && !slices.Contains(pack.States, q.State) {
		return noChoice("status", pack.States)
	}
	rows, next, err := s.store.Packs(c.Request().Context(), s.who(c).Tenant, q)
	if err != nil {
		return badQuery(err)
	}
	return sendPage(c, "packs", packRows(rows), next)
}

// apiMemo is a change of a memo: what is not there stays as it is.
type apiMemo struct {
	TitleEN            *string `json:"title_en"`
	TitleAR            *string `json:"title_ar"`
	ExecutiveSummaryEN *string `json:"executive_summary_en"`
	ExecutiveSummaryAR *string `json:"executive_summary_ar"`
	BodyEN             *string `json:"body_en"`
	BodyAR             *string `json:"body_ar"`
}

// on gives the memo with the change.
func (m *apiMemo) on(memo pack.BilingualMemo) pack.BilingualMemo {
	for _, f := range []struct {
		to  *string
		new *string
	}{
		{&memo.TitleEN, m.TitleEN}, {&memo.TitleAR, m.TitleAR},
		{&memo.ExecutiveSummaryEN, m.ExecutiveSummaryEN}, {&memo.ExecutiveSummaryAR, m.ExecutiveSummaryAR},
		{&memo.BodyEN, m.BodyEN}, {&memo.BodyAR, m.BodyAR},
	} {
		if f.new != nil {
			*f.to = *f.new
		}
	}
	return memo
}

// packChange is the body of PATCH /packs/{id}.
type packChange struct {
	Memo *apiMemo `json:"memo"`
}

// apiUpdatePack rewrites the memo of a draft. Unlike the steps of a pack's life it asks for If-Match: two who write at the
// same time must not write over each other.
func (s *Server) apiUpdatePack(c echo.Context) error {
	var in packChange
	data, err := decode(c, &in)
	if err != nil {
		return err
	}
	receipt, done, err := s.replayKeyed(c, data)
	if err != nil || done {
		return err
	}
	view, revision, err := s.packAt(c)
	switch {
	case err != nil:
		return err
	case c.Request().Header.Get("If-Match") == "":
		return withStatus(http.StatusPreconditionRequired,
			domain.Conflictf("Send If-Match with the ETag of the pack you read, or * to change whatever is there."))
	case in.Memo == nil:
		return domain.Invalidf("memo", "Give the fields of the memo to rewrite.")
	}
	id := view.Life.PackID
	view, err = s.store.UpdatePack(c.Request().Context(), s.who(c), id, revision, answering(receipt, http.StatusOK), func(content *pack.Content) error {
		return content.SetMemo(in.Memo.on(content.Memo))
	})
	return sendPack(c, http.StatusOK, view, s.stale(c, id, err), receipt)
}

// pack loads the pack that the path names.
func (s *Server) pack(c echo.Context) (*db.PackView, error) {
	id := c.Param("id")
	if !pack.CheckID(id) {
		return nil, notFound()
	}
	return s.store.Pack(c.Request().Context(), s.who(c).Tenant, id)
}

// packAt loads the pack that the path names, and gives the revision that a change is to be made to. If-Match is honoured
// (412); without it, which page 7's contracts allow, it is the newest.
func (s *Server) packAt(c echo.Context) (*db.PackView, int, error) {
	view, err := s.pack(c)
	if err != nil {
		return nil, 0, err
	}
	header := c.Request().Header.Get("If-Match")
	if header != "" && !matches(header, etag(view.Life.PackID, view.Life.Revision)) {
		return nil, 0, packChanged(view.Life.Revision)
	}
	return view, view.Life.Revision, nil
}

func packChanged(revision int) error {
	return withStatus(http.StatusPreconditionFailed, domain.Conflictf("The pack has changed since; it is at revision %d. Read it again.", revision))
}

// stale makes a Conflict a 412 where the request named a revision and somebody else was faster after it was checked.
func (s *Server) stale(c echo.Context, id string, err error) error {
	header := c.Request().Header.Get("If-Match")
	if header == "" || domain.KindOf(err) != domain.Conflict {
		return err
	}
	view, e := s.store.Pack(c.Request().Context(), s.who(c).Tenant, id)
	if e != nil || matches(header, etag(id, view.Life.Revision)) {
		return err
	}
	return packChanged(view.Life.Revision)
}

// answering makes the receipt of a change to a pack in the change's own transaction.
func answering(r *db.Receipt, status int) db.Answering {
	if r == nil {
		return db.Answering{}
	}
	return db.Answering{Key: r.Key, Receipt: func(v *db.PackView) (*db.Receipt, error) {
		return keep(r, status, newAPIPack(v), packHeaders(v)...)
	}}
}

// packHeaders are those of an answer that is a pack.
func packHeaders(v *db.PackView) []string {
	return []string{"ETag", etag(v.Life.PackID, v.Life.Revision), "Location", "/api/v1/packs/" + v.Life.PackID}
}

// sendPack answers a change with the pack as it is now, or with what kept it from being made.
func sendPack(c echo.Context, status int, v *db.PackView, err error, receipt *db.Receipt) error {
	if err != nil {
		return orAgain(c, err, receipt)
	}
	headers := packHeaders(v)
	for i := 0; i < len(headers); i += 2 {
		c.Response().Header().Set(headers[i], headers[i+1])
	}
	return sendJSON(c, status, newAPIPack(v))
}
