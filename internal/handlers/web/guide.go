package web

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/views/ui"
)

// The guide of the demo's first run. Steps that are reviews are derived from the reviews; steps that only look at
// something are noted in a cookie per person, as preferences are (see prefs). A GET changes nothing on the server.

const (
	guideCookie = "sanad_guide_" // and the person's id
	guideKey    = "guide"        // context key of the notes
	guideHidden = "hidden"
	guideSkip   = "-" // before a step that was skipped
)

// guideNotes returns what this browser has noted for the person: steps, skipped steps and guideHidden. Unknown notes
// are dropped.
func (s *Server) guideNotes(c echo.Context, person string) []string {
	if notes, ok := c.Get(guideKey).([]string); ok {
		return notes
	}
	kept := s.Cookie(c, guideCookie+person)
	return slices.DeleteFunc(strings.Split(kept, "."), func(n string) bool {
		return n != guideHidden && !slices.Contains(ui.GuideSteps, strings.TrimPrefix(n, guideSkip))
	})
}

// note stores the notes for this request and in the cookie.
func (s *Server) note(c echo.Context, person string, notes []string) {
	c.Set(guideKey, notes)
	s.SetChoice(c, guideCookie+person, strings.Join(notes, "."))
}

// MarkGuideStep marks a step as done. It must be called before the page is rendered that shows it. session is where
// the step was done, "" for a step that may be done anywhere.
func (s *Server) MarkGuideStep(c echo.Context, step, session string) {
	if s.guide == "" || session != "" && session != s.guide {
		return
	}
	person := s.Who(c).ID
	if notes := s.guideNotes(c, person); !slices.Contains(notes, step) {
		s.note(c, person, append(notes, step))
	}
}

// guideInput returns how far the reader has come; nil if there is no guide: outside of the demo, for visitors, for roles
// whose work is another than reading and reviewing, and in a tenant that does not have its session. It makes one query.
func (s *Server) guideInput(c echo.Context) *ui.GuideInput {
	if s.guide == "" || s.SignedIn(c) == nil {
		return nil
	}
	who := s.Who(c)
	if who.Role != access.Reviewer && who.Role != access.Viewer {
		return nil
	}
	notes := s.guideNotes(c, who.ID)
	in := &ui.GuideInput{Session: s.guide, Back: s.backTo(c), Hidden: slices.Contains(notes, guideHidden)}
	if in.Hidden {
		return in
	}
	reviewed, err := s.Store.ReviewedBy(c.Request().Context(), who, s.guide)
	if err != nil {
		if domain.KindOf(err) != domain.NotFound {
			s.Log.Error("the guide is left out", "request_id", RequestID(c), "err", err)
		}
		return nil
	}
	done := map[string]bool{ui.GuideConfirm: reviewed.Confirmed, ui.GuideOverride: reviewed.Overridden}
	for _, step := range ui.GuideSteps {
		switch {
		case done[step], slices.Contains(notes, step):
			in.Done = append(in.Done, step)
		case slices.Contains(notes, guideSkip+step):
			in.Skipped = append(in.Skipped, step)
		}
	}
	return in
}

// setGuide handles the guide's form: skip a step, hide the guide, or start it again. It then returns to the page that
// the form was on.
func (s *Server) setGuide(c echo.Context) error {
	person, step := s.Who(c).ID, c.FormValue("step")
	notes := s.guideNotes(c, person)
	switch do := c.FormValue("do"); {
	case do == "skip" && slices.Contains(ui.GuideSteps, step):
		notes = append(notes, guideSkip+step)
	case do == "hide":
		notes = append(notes, guideHidden)
	case do == "again":
		notes = nil
	default:
		return WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "do", "refused_guide_skipped_hidden"))
	}
	slices.Sort(notes)
	s.note(c, person, slices.Compact(notes))
	return SeeOther(c, s.LocalPath(c.FormValue("back")))
}
