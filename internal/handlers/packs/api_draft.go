package packs

import (
	"cmp"
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
)

// packInput is the body of POST /packs.
type packInput struct {
	DecisionID string `json:"decision_id"`
}

// apiCreatePack opens a draft for a decision (rule F-4).
func (s *server) apiCreatePack(c echo.Context, in packInput) (web.Reply, error) {
	if in.DecisionID == "" {
		return web.Reply{}, domain.Refuse(domain.Invalid, "decision_id", "refused_name_decision_pack")
	}
	if err := s.mayCopyLedger(c, in.DecisionID); err != nil {
		return web.Reply{}, err
	}
	as := packReceipt(c, http.StatusCreated)
	view, err := s.Store.CreatePack(c.Request().Context(), s.Who(c), in.DecisionID, as)
	return packReply(http.StatusCreated, view, err)
}

// mayCopyLedger refuses a draft for a decision whose session's ledger the actor may not read, since the pack copies it.
func (s *server) mayCopyLedger(c echo.Context, decisionID string) error {
	session, err := s.Store.SessionOfDecision(c.Request().Context(), s.Who(c).Tenant, decisionID)
	if domain.KindOf(err) == domain.NotFound {
		return nil // CreatePack says so
	}
	if err != nil {
		return err
	}
	return s.MayReadLedger(c, session)
}

// apiShowPack returns a whole pack under the ETag of its revision and of what changed since its submission.
func (s *server) apiShowPack(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	tag := packTag(view)
	if web.NotModified(c, tag) {
		return c.NoContent(http.StatusNotModified)
	}
	return web.SendJSON(c, http.StatusOK, newAPIPack(view))
}

// apiListPacks pages by key, newest first.
func (s *server) apiListPacks(c echo.Context) error {
	q, err := web.ReadQuery(c, pack.Filters)
	if err != nil {
		return err
	}
	q.After, q.Reader = c.QueryParam("after"), s.Who(c)
	if q.Limit, err = web.ListLimit(c); err != nil {
		return err
	}
	rows, next, err := s.Store.Packs(c.Request().Context(), q.Reader.Tenant, q)
	if err != nil {
		return web.BadQuery(err)
	}
	return web.SendPage(c, "packs", packRows(rows), next)
}

// apiMemo is a change of a memo; members that are left out stay unchanged.
type apiMemo struct {
	TitleEN            *string `json:"title_en"`
	TitleAR            *string `json:"title_ar"`
	ExecutiveSummaryEN *string `json:"executive_summary_en"`
	ExecutiveSummaryAR *string `json:"executive_summary_ar"`
	BodyEN             *string `json:"body_en"`
	BodyAR             *string `json:"body_ar"`
}

// on returns the memo with the change applied.
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

// changePack applies a change to the pack that the path names, at the revision that If-Match names or, without it, at
// the newest one.
func (s *server) changePack(c echo.Context, status int,
	change func(*db.PackView, db.Answering) (*db.PackView, error)) (web.Reply, error) {
	view, err := s.pack(c)
	if err != nil {
		return web.Reply{}, err
	}
	if err := web.CheckTag(c, packTag(view), view.Life.Revision); err != nil {
		return web.Reply{}, err
	}
	changed, err := change(view, packReceipt(c, status))
	return packReply(status, changed, s.stale(c, view.Life.PackID, err))
}

// pack loads the pack that the path names.
func (s *server) pack(c echo.Context) (*db.PackView, error) {
	id := c.Param("id")
	if !pack.CheckID(id) {
		return nil, web.NotFound()
	}
	return s.Store.Pack(c.Request().Context(), s.Who(c).Tenant, id)
}

// stale turns a Conflict into a 412 if the request named a revision that somebody else changed after it was checked.
func (s *server) stale(c echo.Context, id string, err error) error {
	if domain.KindOf(err) != domain.Conflict {
		return err
	}
	view, e := s.Store.Pack(c.Request().Context(), s.Who(c).Tenant, id)
	if e != nil {
		return err
	}
	return cmp.Or(web.CheckTag(c, packTag(view), view.Life.Revision), err)
}

// packReceipt makes the receipt of a change to a pack inside the change's own transaction.
func packReceipt(c echo.Context, status int) db.Answering {
	return db.Answering{Key: web.ReceiptKey(c), Receipt: func(v *db.PackView) (*db.Receipt, error) {
		r, _ := packReply(status, v, nil)
		return r.Receipt(c)
	}}
}

// packReply answers a change with the pack as it is now, unless err prevented it.
func packReply(status int, v *db.PackView, err error) (web.Reply, error) {
	if err != nil {
		return web.Reply{}, err
	}
	return web.Reply{Status: status, Body: newAPIPack(v), Headers: map[string]string{
		"ETag": packTag(v), "Location": "/api/v1/packs/" + v.Life.PackID,
	}}, nil
}
