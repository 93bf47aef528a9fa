package packs

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/auth"
	"sanad/internal/db"
	"sanad/internal/domain/access"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
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

func newAPIExport(e pack.ExportRequest) apiExport {
	return apiExport{ID: e.ID, PackID: e.PackID, Title: e.Title, Format: e.Format, Status: e.State, AskedBy: e.AskedBy,
		AskedAt: web.TimeOrNull(e.AskedAt), Reason: e.Reason,
		DecidedBy: web.OrNull(e.DecidedBy), DecidedAt: web.TimeOrNull(e.DecidedAt),
		LinkedAt: web.TimeOrNull(e.LinkedAt), ExpiresAt: web.TimeOrNull(e.ExpiresAt)}
}

// apiLink is a personal link to a copy (rule WEB-9).
type apiLink struct {
	DownloadURL string `json:"download_url"`
	ExpiresAt   string `json:"expires_at"`
	ExportID    string `json:"export_id"`
}

func newAPILink(e pack.ExportRequest, token string) apiLink {
	return apiLink{packLink(token), web.FormatTime(e.ExpiresAt), e.ID}
}

// packExportInput is the body of POST …/export of a pack.
type packExportInput struct {
	Format string `json:"format"`
	Reason string `json:"reason"` // shown to the approver
}

// apiExportPack creates a personal link at once for users who may export, 200; for others it records a request for a
// copy, 202 (rule P-18).
func (s *server) apiExportPack(c echo.Context, in packExportInput) (web.Reply, error) {
	view, err := s.pack(c) // a pack of another tenant must be a 404 before the body is checked
	if err != nil {
		return web.Reply{}, err
	}
	if err := checkPackFormat(in.Format); err != nil {
		return web.Reply{}, err
	}
	return s.exportPack(c, view.Life.PackID, in.Format, in.Reason)
}

func (s *server) exportPack(c echo.Context, id, format, reason string) (web.Reply, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	may, err := s.mayExportPack(c, id)
	if err != nil {
		return web.Reply{}, err
	}
	if !may {
		e, err := s.Store.RequestExport(ctx, who, id, format, reason)
		return web.Reply{Status: http.StatusAccepted, Body: newAPIExport(e)}, err
	}
	token := auth.NewSecret()
	e, err := s.Store.MakePackExport(ctx, who, id, format, reason, db.HashToken(token))
	return web.Reply{Status: http.StatusOK, Body: newAPILink(e, token)}, err
}

// mayExportPack reports whether somebody may have a copy of a pack without asking.
func (s *server) mayExportPack(c echo.Context, id string) (bool, error) {
	may, err := s.Authorizer.Allowed(c.Request().Context(), s.Who(c), access.ExportPack,
		access.Object{Kind: web.EvidencePack, ID: id})
	if err != nil {
		return false, web.NotChecked(err)
	}
	return may, nil
}

// apiListExports lists one's own requests, or with ?waiting=true those that wait for an approver.
func (s *server) apiListExports(c echo.Context) error {
	limit, err := web.ListLimit(c)
	if err != nil {
		return err
	}
	waiting, err := web.ListBool(c, "waiting")
	if err != nil {
		return err
	}
	rows, err := s.Store.PackExports(c.Request().Context(), s.Who(c), waiting, limit)
	if err != nil {
		return web.BadQuery(err)
	}
	return web.SendPage(c, "exports", web.Map(rows, newAPIExport), "")
}

// apiGrantExport grants a request for a copy, with the password given again.
func (s *server) apiGrantExport(c echo.Context, in passwordInput) (web.Reply, error) {
	if err := s.StepUp(c, in.Password, in.Code); err != nil {
		return web.Reply{}, err
	}
	e, err := s.Store.GrantExport(c.Request().Context(), s.Who(c), c.Param("id"))
	return web.Reply{Status: http.StatusOK, Body: newAPIExport(e)}, err
}

// passwordInput is a body that proves the caller's identity again.
type passwordInput struct {
	Password string `json:"password"`
	Code     string `json:"code"` // one-time code, if the user has an authenticator app
}

// proofMembers are the members of a body that prove the caller's identity.
var proofMembers = []string{"password", "code"}

// apiRefuseExport refuses a request for a copy, with a reason.
func (s *server) apiRefuseExport(c echo.Context, in reasonInput) (web.Reply, error) {
	e, err := s.Store.RefuseExport(c.Request().Context(), s.Who(c), c.Param("id"), in.Reason)
	return web.Reply{Status: http.StatusOK, Body: newAPIExport(e)}, err
}

// apiLinkExport returns to the requester the link to the copy that was granted, once.
func (s *server) apiLinkExport(c echo.Context) (web.Reply, error) {
	token := auth.NewSecret()
	e, err := s.Store.ExportLink(c.Request().Context(), s.Who(c), c.Param("id"), db.HashToken(token))
	return web.Reply{Status: http.StatusOK, Body: newAPILink(e, token)}, err
}
