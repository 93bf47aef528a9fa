package ledger

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/handlers/web"
)

// evidenceMapInput is the body of POST /evidence-maps (rules E-4 to E-7).
type evidenceMapInput struct {
	Chunks []evidence.Chunk `json:"chunks"`
	Claims []evidence.Claim `json:"claims"`
	Window *int             `json:"window"`
}

// apiEvidenceMap answers it.
type apiEvidenceMap struct {
	Evidence []evidence.Object `json:"evidence"`
	Root     string            `json:"root"`
	Prompt   string            `json:"prompt"`
	Lattice  string            `json:"lattice"`
}

// maxWindow is the largest excerpt window, in code points.
const maxWindow = 100_000

// apiCreateEvidenceMap computes an evidence map; it stores nothing.
func (s *server) apiCreateEvidenceMap(c echo.Context) error {
	var in evidenceMapInput
	if err := web.Decode(c, &in); err != nil {
		return err
	}
	window := evidence.DefaultWindow
	if in.Window != nil {
		window = *in.Window
	}
	if window < 1 || window > maxWindow {
		return web.BadRequest(domain.Invalidf("window", "Give a whole number of code points from 1 to %d.", maxWindow))
	}
	objects := evidence.Build(in.Chunks)
	return web.SendJSON(c, http.StatusOK, apiEvidenceMap{
		Evidence: objects, Root: evidence.Root(objects), Prompt: evidence.PromptBlock(objects),
		Lattice: evidence.Lattice(in.Claims, evidence.ByPointer(objects), window),
	})
}
