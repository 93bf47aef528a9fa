package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// apiExport is a request for a copy of a pack.
type apiExport struct {
	ID        string  `json:"export_id"`
	PackID    string  `json:"pack_id"`
	Title     string  `json:"title"`
	Format    string  `json:"format"`
	Status    string  `json:"status"`
	AskedBy   string  `json:"asked_by"`
	AskedAt   *string `json:"asked_at"`
	Reason    string  `json:"reason"`
	DecidedBy *string `json:"decided_by"`
	DecidedAt *string `json:"decided_at"`
	LinkedAt  *string `json:"linked_at"`
	ExpiresAt *string `json:"expires_at"`
}

func newAPIExport(e db.PackExport) apiExport {
	return apiExport{ID: e.ID, PackID: e.PackID, Title: e.Title, Format: e.Format, Status: e.State, AskedBy: e.AskedBy, AskedAt: timeOrNull(e.AskedAt), Reason: e.Reason,
		DecidedBy: orNull(e.DecidedBy), DecidedAt: timeOrNull(e.DecidedAt), LinkedAt: timeOrNull(e.LinkedAt), ExpiresAt: timeOrNull(e.ExpiresAt)}
}

// apiLink is a personal link to a copy (rule WEB-9).
type apiLink struct {
	DownloadURL string `json:"download_url"`
	ExpiresAt   string `json:"expires_at"`
	ExportID    string `json:"export_id"`
}

func newAPILink(e db.PackExport, token string) apiLink {
	return apiLink{packLink(token), apiTime(e.ExpiresAt), e.ID}
}

// packExportInput is the body of POST …/export of a pack.
type packExportInput struct {
	Format string `json:"format"`
	Reason string `json:"reason"` // shown to who decides
}

// apiExportPack gives a personal link at once to who may export, 200; all others have asked for one then, 202 (rule P-18).
func (s *Server) apiExportPack(c echo.Context) (reply, error) {
	var in packExportInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	view, err := s.pack(c) // foreign before malformed
	if err != nil {
		return reply{}, err
	}
	if err := checkPackFormat(in.Format); err != nil {
		return reply{}, err
	}
	return s.exportPack(c, view.Life.PackID, in.Format, in.Reason)
}

func (s *Server) exportPack(c echo.Context, id, format, reason string) (reply, error) {
	ctx, who := c.Request().Context(), s.who(c)
	may, err := s.mayExportPack(c, id)
	if err != nil {
		return reply{}, err
	}
	if !may {
		e, err := s.store.RequestExport(ctx, who, id, format, reason)
		return reply{status: http.StatusAccepted, body: newAPIExport(e)}, err
	}
	token := auth.NewSecret()
	e, err := s.store.MakePackExport(ctx, who, id, format, db.HashToken(token))
	return reply{status: http.StatusOK, body: newAPILink(e, token)}, err
}

// mayExportPack asks whether somebody has a copy of a pack without asking.
func (s *Server) mayExportPack(c echo.Context, id string) (bool, error) {
	return s.mayWithPack(c, access.ExportPack, id)
}

// mayWithPack asks about a pack that the route did not name. No answer is no.
func (s *Server) mayWithPack(c echo.Context, what access.Action, id string) (bool, error) {
	may, err := s.authorizer.Allowed(c.Request().Context(), s.who(c), what, access.Object{Kind: evidencePack, ID: id})
	if err != nil {
		return false, notChecked(err)
	}
	return may, nil
}

// apiListExports lists one's own requests, or with ?waiting=true those that wait for somebody to grant them.
func (s *Server) apiListExports(c echo.Context) error {
	limit, err := listLimit(c)
	if err != nil {
		return err
	}
	waiting, err := listBool(c, "waiting")
	if err != nil {
		return err
	}
	rows, err := s.store.PackExports(c.Request().Context(), s.who(c), waiting, limit)
	if err != nil {
		return badQuery(err)
	}
	return sendPage(c, "exports", each(rows, newAPIExport), "")
}

// apiGrantExport lets somebody else have the copy they asked for, with the password given again.
func (s *Server) apiGrantExport(c echo.Context) (reply, error) {
	var in passwordInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	if err := s.stepUp(c, in.Password, in.Code); err != nil {
		return reply{}, err
	}
	e, err := s.store.GrantExport(c.Request().Context(), s.who(c), c.Param("id"))
	return reply{status: http.StatusOK, body: newAPIExport(e)}, err
}

// passwordInput is a body that proves once more who asks.
type passwordInput struct {
	Password string `json:"password"`
	Code     string `json:"code"` // one-time, of who has that switched on
}

// proofMembers are the members of a body that prove who asks.
var proofMembers = []string{"password", "code"}

// apiRefuseExport says no, with a reason.
func (s *Server) apiRefuseExport(c echo.Context) (reply, error) {
	var in reasonInput
	if err := decode(c, &in); err != nil {
		return reply{}, err
	}
	e, err := s.store.RefuseExport(c.Request().Context(), s.who(c), c.Param("id"), in.Reason)
	return reply{status: http.StatusOK, body: newAPIExport(e)}, err
}

// apiLinkExport gives who asked the link to the copy that was granted, once.
func (s *Server) apiLinkExport(c echo.Context) (reply, error) {
	if err := decodeIfAny(c, &struct{}{}); err != nil {
		return reply{}, err
	}
	token := auth.NewSecret()
	e, err := s.store.ExportLink(c.Request().Context(), s.who(c), c.Param("id"), db.HashToken(token))
	return reply{status: http.StatusOK, body: newAPILink(e, token)}, err
}

// notChecked is for an Authorizer without an answer, which is no.
func notChecked(err error) error {
	return &domain.Error{Kind: domain.Unavailable, Op: "authorize", Err: err,
		Msg: "Whether you may do this could not be checked, so nothing was done. Try again shortly."}
}
