package ledger

import (
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/evidence"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
)

// evidenceMapInput is the body of POST /evidence-maps (rules E-4 to E-7).
type evidenceMapInput struct {
	Chunks []evidence.Chunk `json:"chunks" limit:"200000"` // as many as a session may have
	Claims []evidence.Claim `json:"claims" limit:"100000"`
	Window *int             `json:"window"`
	Prove  []string         `json:"prove" limit:"10000"` // a proof has a hash for each doubling of the passages
}

// apiEvidenceMap answers it.
type apiEvidenceMap struct {
	Evidence []evidence.Object `json:"evidence"`
	Root     string            `json:"root"`
	Prompt   string            `json:"prompt"`
	Lattice  string            `json:"lattice"`
	Proofs   []evidence.Proof  `json:"proofs,omitempty"`
}

// maxWindow is the largest excerpt window, in code points.
const maxWindow = 100_000

// maxSpan is the longest passage or claim of an evidence map, in code points: a whole page of a document.
const maxSpan = 1_000_000

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
		return web.BadRequest(domain.Refuse(domain.Invalid, "window", "refused_whole_number_code", "N", maxWindow))
	}
	for i, c := range in.Chunks {
		if err := notLonger(c.Span, "chunks[%d].span", i); err != nil {
			return err
		}
	}
	for i, c := range in.Claims {
		if err := notLonger(c.Text, "claims[%d].text", i); err != nil {
			return err
		}
	}
	objects := evidence.Build(in.Chunks)
	proofs, err := evidence.Prove(objects, in.Prove...)
	if err != nil {
		return err
	}
	lattice, err := evidence.Lattice(in.Claims, evidence.ByID(objects), window)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, apiEvidenceMap{
		Evidence: objects, Root: evidence.Root(objects), Prompt: evidence.PromptBlock(objects),
		Lattice: lattice, Proofs: proofs,
	})
}

// notLonger refuses a text of an evidence map that is longer than maxSpan, by its place.
func notLonger(text, place string, i int) error {
	if n := utf8.RuneCountInString(text); n > maxSpan {
		return domain.Refuse(domain.TooLarge, fmt.Sprintf(place, i), "refused_characters", "N", n, "Most", maxSpan)
	}
	return nil
}

// apiPointerAnswer answers POST /evidence-maps/answers.
type apiPointerAnswer struct {
	SessionID  string                    `json:"session_id"`
	Evidence   []importers.Pointed       `json:"evidence"`   // what each pointer of each claim means
	Root       string                    `json:"root"`       // of the evidence map
	Violations []evidence.ClaimViolation `json:"violations"` // claim is its number, from 1
	Ungrounded []int                     `json:"ungrounded"` // numbers of claims, from 1
	LedgerURL  string                    `json:"ledger_url"`
	Warnings   []domain.Warning          `json:"warnings"`
}

// apiCheckPointers makes a session of an answer whose claims point to evidence, and says which pointers are unknown:
// 201, or 200 with the session that is there already. A body of another shape is a 400.
func (s *server) apiCheckPointers(c echo.Context) (web.Reply, error) {
	var in importers.PointerAnswer
	if err := web.Decode(c, &in); err != nil {
		return web.Reply{}, badShape(err)
	}
	read, err := importers.FromPointers(&in, s.imports)
	if err != nil {
		return web.Reply{}, badShape(err)
	}
	reply := func(t app.Imported) web.Reply {
		answer := newAPISession(t)
		return web.Reply{
			Status: web.CreatedOr200(t.Created), Headers: map[string]string{"Location": answer.LedgerURL},
			Body: apiPointerAnswer{
				SessionID: t.SessionID, Evidence: web.NotNull(read.Evidence), Root: read.Root,
				Violations: web.NotNull(read.Violations), Ungrounded: web.NotNull(read.Ungrounded),
				LedgerURL: answer.LedgerURL, Warnings: web.NotNull(t.Warnings),
			},
		}
	}
	taken, err := s.importer(c).Import(c.Request().Context(), read.Result, func(t app.Imported) (*db.Receipt, error) {
		return reply(t).Receipt(c)
	})
	return reply(taken), err
}

// badShape makes a 400 of what is wrong with the shape of a pointer answer; a limit stays a 413.
func badShape(err error) error {
	if domain.KindOf(err) == domain.Invalid {
		return web.WithStatus(http.StatusBadRequest, err)
	}
	return err
}
