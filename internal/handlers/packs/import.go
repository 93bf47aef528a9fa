package packs

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web"
	"sanad/internal/importers"
	packsviews "sanad/internal/views/packs"
)

// importDecision imports a decision that was pasted. One that is refused is shown again with a field for each place
// that is at fault, so that it can be mended and sent again (rule P-23). Until then nothing of it is stored: it may
// hold S3 texts.
func (s *server) importDecision(c echo.Context) error {
	r := c.Request()
	text := strings.ToValidUTF8(strings.TrimSpace(r.PostFormValue("json")), "\uFFFD")
	if fields := mendedFields(r); len(fields) > 0 {
		mended, err := importers.MendDecision([]byte(text), fields)
		if err != nil {
			return s.refusedDecision(c, text, err)
		}
		text = string(mended)
	}
	d, _, err := importers.ReadDecision([]byte(text))
	if err != nil {
		return s.refusedDecision(c, text, err)
	}
	id := d.DecisionID
	if _, _, err = s.Store.AddDecision(r.Context(), s.Who(c), d, nil); err != nil {
		return s.refusedDecision(c, text, err)
	}
	return web.SeeOther(c, packsviews.DraftHref(id))
}

// mendedFields returns the fields of the form that mend the decision: those whose names begin with "at.".
func mendedFields(r *http.Request) (out []importers.DecisionField) {
	for name, values := range r.PostForm {
		if path, ok := strings.CutPrefix(name, packsviews.MendAt); ok && len(values) > 0 {
			out = append(out, importers.DecisionField{Path: path, Text: strings.ReplaceAll(values[0], "\r\n", "\n")})
		}
	}
	return out
}

// refusedDecision shows the form again with the decision as it was sent, and what is wrong with it.
func (s *server) refusedDecision(c echo.Context, text string, fault error) error {
	var e *domain.Error
	if !errors.As(fault, &e) || e.Kind == domain.Internal {
		return fault
	}
	in := packsviews.DraftInput{JSON: text, Faults: []*domain.Error{e}}
	var all *importers.DecisionError
	if errors.As(fault, &all) {
		in.Faults = all.Faults
	}
	paths := make([]string, len(in.Faults))
	for i, f := range in.Faults {
		paths[i] = f.Path
	}
	for _, f := range importers.DecisionFields([]byte(text), paths) {
		in.Mends = append(in.Mends, packsviews.DecisionField{Path: f.Path, Text: f.Text})
	}
	status := http.StatusUnprocessableEntity
	if e.Kind == domain.Conflict || e.Kind == domain.TooLarge || e.Kind == domain.Denied {
		status = web.StatusOf[e.Kind]
	}
	return s.Render(c, status, packsviews.Draft(packsviews.NewDraftPage(s.ChromeAt(c, "/packs/new"), in)))
}
