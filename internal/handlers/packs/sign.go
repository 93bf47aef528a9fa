package packs

import (
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	packsviews "sanad/internal/views/packs"
	"sanad/internal/views/ui"
)

// signPack shows where an approver signs a pack in review; any other pack is shown itself.
func (s *server) signPack(c echo.Context) error {
	return s.decidePage(c, http.StatusOK, packsviews.Sign, nil)
}

// returningPack shows where an approver returns a pack.
func (s *server) returningPack(c echo.Context) error {
	return s.decidePage(c, http.StatusOK, packsviews.ReturnSheet, nil)
}

// decidePage shows one of the two, with what a form on it was refused for.
func (s *server) decidePage(c echo.Context, status int, page pageOf, change func(*packsviews.Input)) error {
	in, err := s.packInput(c)
	if err != nil {
		return err
	}
	address := "/packs/" + in.Pack.Life.PackID
	if !in.Decide.Shown {
		if change == nil {
			return web.SeeOther(c, address)
		}
		page = packsviews.Show
	}
	if change != nil {
		change(in)
	}
	return s.Render(c, status, page(packsviews.NewPage(s.ChromeAt(c, address), *in)))
}

// checkApproval returns an error unless somebody may approve a pack and acknowledges each of its alarms, also those of
// what changed since it was submitted. It is checked before the password, which costs time and counts failures, and
// before a one-time code, which works once.
func (s *server) checkApproval(c echo.Context, view *db.PackView, acknowledged []string) error {
	if err := view.Content.MayApprove(view.Chain, s.Who(c), s.Now()); err != nil {
		return err
	}
	_, err := view.Content.CheckApproval(s.Who(c).ID, s.Now(), view.Life, view.Since, acknowledged)
	return err
}

// refuseApproval shows the form again with what was typed and the fault beside its field.
func (s *server) refuseApproval(c echo.Context, fault error) error {
	return s.refuseDecision(c, fault, packsviews.Sign)
}

func (s *server) refuseReturn(c echo.Context, fault error) error {
	return s.refuseDecision(c, fault, packsviews.ReturnSheet)
}

// refuseDecision shows a form again, or the pack itself if it is no longer in review.
func (s *server) refuseDecision(c echo.Context, fault error, page pageOf) error {
	f := packFault(fault)
	if f == nil {
		return fault
	}
	return s.decidePage(c, web.FaultOf(fault).Status, page, func(in *packsviews.Input) {
		d := &in.Decide
		d.Comment, d.Reason, d.Notes = c.FormValue("comment"), c.FormValue("reason"), notesForm(c)
		d.Read = c.Request().PostForm["acknowledged"]
		var missing *pack.MissingError
		if errors.As(fault, &missing) {
			d.Missing = missing.Alarms
			f = &ui.FormFault{Field: "acknowledged", Word: "acknowledge_named",
				Args: []any{"List", packsviews.AlarmNames(in, s.Chrome(c).Lang, missing.Alarms)}}
		}
		if domain.KindOf(fault) == domain.Conflict || !d.Shown {
			in.Fault = f
		} else {
			d.Fault = f
		}
	})
}

// notesForm reads the notes of a return, by place.
func notesForm(c echo.Context) map[string]string {
	out := map[string]string{}
	for _, place := range pack.ReturnPlaces {
		if text := c.FormValue("note " + place); strings.TrimSpace(text) != "" {
			out[place] = strings.ReplaceAll(text, "\r\n", "\n")
		}
	}
	return out
}

// returnReasons reads the reasons of a return as they are stored.
func returnReasons(c echo.Context) string {
	typed := notesForm(c)
	var notes []pack.ReturnNote
	for _, place := range pack.ReturnPlaces {
		notes = append(notes, pack.ReturnNote{Place: place, Text: typed[place]})
	}
	return pack.ReturnReasons(strings.ReplaceAll(c.FormValue("reason"), "\r\n", "\n"), notes)
}
