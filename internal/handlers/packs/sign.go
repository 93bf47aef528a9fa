package packs

import (
	"cmp"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/app"
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
	if _, err := view.DeputyOf(s.Who(c), c.FormValue("for"), s.Now()); err != nil {
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
		d.Read, d.For = c.Request().PostForm["acknowledged"], c.FormValue("for")
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

// shownPack returns the pack in the path, and the revision of it that a form was made from.
func (s *server) shownPack(c echo.Context) (*db.PackView, int, error) {
	view, err := s.pack(c)
	if err != nil {
		return nil, 0, err
	}
	revision, err := formRevision(c)
	return view, revision, err
}

// approvePack records an approval of the bytes that the form shows, with the password given for it; the last one that
// is needed signs the pack off (rule P-12).
func (s *server) approvePack(c echo.Context) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	if err := s.checkApproval(c, view, c.Request().PostForm["acknowledged"]); err != nil {
		return s.refuseApproval(c, err)
	}
	if err := s.StepUp(c, c.FormValue("password"), c.FormValue("code")); err != nil {
		return s.refuseApproval(c, err)
	}
	tenant, err := s.Store.Tenant(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	approval := db.Approval{PackID: view.Life.PackID, Revision: revision, Digest: c.FormValue("digest"),
		Comment: c.FormValue("comment"), For: c.FormValue("for"), Acknowledged: c.Request().PostForm["acknowledged"]}
	view, err = s.Store.ApprovePack(c.Request().Context(), s.Who(c), approval, db.Answering{},
		app.RenderPack(&tenant))
	if err != nil {
		return s.refuseApproval(c, err)
	}
	done := "approved"
	if view.Life.State == pack.SignedOff {
		done = "signed"
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done="+done)
}

// packFault words a refusal for a page; nil for an error that is not a refusal.
func packFault(fault error) *ui.FormFault {
	var e *domain.Error
	if !errors.As(fault, &e) {
		return nil
	}
	switch {
	case e.Kind == domain.Conflict:
		f := ui.FaultOf(e)
		f.Field, f.Word = "", cmp.Or(f.Word, "pack_changed")
		return f
	case e.Kind == domain.TooLarge && ui.FormWord(e) == "":
		return web.FieldFault(e.Path, "too_long")
	case e.Kind == domain.Invalid && e.Path == "reason":
		return web.FieldFault("reason", "reason_missing")
	case e.Path == "for":
		return web.FormFault(fault, "for", nil)
	case e.Path == "acknowledged":
		return web.FieldFault("acknowledged", "acknowledge")
	case errors.As(fault, new(*pack.PolicyError)):
		return &ui.FormFault{Word: "policy"}
	case e.Path == "password":
		return web.FieldFault("password", "password_wrong")
	case web.FaultOf(fault).Status == http.StatusTooManyRequests:
		return web.FieldFault("password", "password_wait")
	case e.Kind == domain.Denied || e.Kind == domain.Invalid || e.Kind == domain.TooLarge:
		return web.FormFault(fault, "", nil)
	}
	return nil
}

// returnPack returns the pack to its authors with reasons.
func (s *server) returnPack(c echo.Context) error {
	view, revision, err := s.shownPack(c)
	if err != nil {
		return err
	}
	_, err = s.Store.ReturnPack(c.Request().Context(), s.Who(c), view.Life.PackID, revision, returnReasons(c),
		db.Answering{})
	if err != nil {
		return s.refuseReturn(c, err)
	}
	return web.SeeOther(c, "/packs/"+view.Life.PackID+"?done=returned")
}

// newVersion opens a draft that will supersede a pack.
func (s *server) newVersion(c echo.Context) error {
	view, err := s.pack(c)
	if err != nil {
		return err
	}
	next, err := s.Store.NewVersion(c.Request().Context(), s.Who(c), view.Life.PackID, db.Answering{})
	if domain.KindOf(err) == domain.Conflict {
		return s.packPage(c, http.StatusConflict,
			func(in *packsviews.Input) { in.Fault = &ui.FormFault{Word: "pack_open"} })
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/packs/"+next.Life.PackID+"/edit")
}
