// Package erasures serves erasure on request, legal holds on sessions and documents, and retention periods.
package erasures

import (
	"context"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/web"
)

// server answers the requests of this capability.
type server struct{ *web.Server }

// mostListed is how many erasures, and due objects of a kind, a page or an answer lists.
const mostListed = 100

// confirmed confirms an erasure and finishes it. If it cannot be finished now, it stays "erasing", which operators are
// told and the next start finishes; what was confirmed is not taken back.
func (s *server) confirmed(c echo.Context, id string) (erasure.Request, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	e, err := s.Store.ConfirmErasure(ctx, who, id)
	if err != nil {
		return e, err
	}
	if err := app.FinishErasures(ctx, s.Store, s.Lake); err != nil {
		s.Log.Error("an erasure is not finished", "erasure", id, "err", err)
	}
	return s.Store.Erasure(context.WithoutCancel(ctx), who.Tenant, id)
}
