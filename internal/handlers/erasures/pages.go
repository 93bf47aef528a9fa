package erasures

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/erasure"
	"sanad/internal/handlers/web"
	erasuresviews "sanad/internal/views/erasures"
	"sanad/internal/views/ui"
)

// showErasures lists erasures and legal holds, with their forms.
func (s *server) showErasures(c echo.Context) error {
	kind, id := c.QueryParam("kind"), c.QueryParam("id")
	return s.erasuresPage(c, http.StatusOK, erasuresviews.Input{Kind: kind, ID: id})
}

func (s *server) erasuresPage(c echo.Context, status int, in erasuresviews.Input) error {
	ctx, who := c.Request().Context(), s.Who(c)
	var err error
	if in.All, err = s.Store.Erasures(ctx, who.Tenant, mostListed); err != nil {
		return err
	}
	if in.Holds, err = s.Store.LegalHolds(ctx, who.Tenant); err != nil {
		return err
	}
	in.Reader, in.Confirm = who.ID, s.ConfirmFirst(c)
	return s.Render(c, status, erasuresviews.Erasures(erasuresviews.NewPage(s.ChromeAt(c, "/admin/erasures"), in)))
}

// askErasure stores a request for an erasure, or shows its dry run.
func (s *server) askErasure(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	in := erasuresviews.Input{Kind: c.FormValue("kind"), ID: strings.TrimSpace(c.FormValue("id")),
		Reason: c.FormValue("reason")}
	var err error
	if c.FormValue("do") == "dry_run" {
		var plan erasure.Request
		var obstacles []erasure.Obstacle
		if plan, obstacles, err = s.Store.PlanErasure(ctx, who, erasure.Kind(in.Kind), in.ID); err == nil {
			in.Plan = &erasuresviews.Plan{Request: plan, Obstacles: obstacles}
			return s.erasuresPage(c, http.StatusOK, in)
		}
	} else if _, err = s.Store.AskErasure(ctx, who, erasure.Kind(in.Kind), in.ID, in.Reason); err == nil {
		return web.SeeOther(c, "/admin/erasures?done=asked")
	}
	return s.refused(c, err, in, func(f *ui.FormFault) { in.Fault = f }, &in)
}

// refused shows the page again with what a form on it was refused for.
func (s *server) refused(c echo.Context, err error, _ erasuresviews.Input, set func(*ui.FormFault),
	in *erasuresviews.Input) error {
	if domain.KindOf(err) == domain.NotFound {
		set(web.FieldFault("id", "erase_id"))
		return s.erasuresPage(c, http.StatusUnprocessableEntity, *in)
	}
	f := web.FormFault(err, "", map[domain.Kind]string{domain.Denied: ""})
	if f == nil {
		return err
	}
	switch f.Field {
	case "reason":
		f.Word = "erase_reason"
	case "kind":
		f.Word = "erase_kind"
	}
	set(f)
	return s.erasuresPage(c, web.FaultOf(err).Status, *in)
}

// confirmErasure is the second person's confirmation.
func (s *server) confirmErasure(c echo.Context) error {
	e, err := s.confirmed(c, c.Param("erasure"))
	done := "done"
	if e.State == erasure.Erasing {
		done = "erasing"
	}
	return s.after(c, err, done)
}

// refuseErasure ends a request.
func (s *server) refuseErasure(c echo.Context) error {
	_, err := s.Store.RefuseErasure(c.Request().Context(), s.Who(c), c.Param("erasure"))
	return s.after(c, err, "refused")
}

func (s *server) after(c echo.Context, err error, done string) error {
	switch domain.KindOf(err) {
	case domain.Conflict, domain.Denied:
		return s.erasuresPage(c, web.FaultOf(err).Status, erasuresviews.Input{Fault: web.FormFault(err, "", nil)})
	}
	if err != nil {
		return err
	}
	return web.SeeOther(c, "/admin/erasures?done="+done)
}

// changeHold sets or lifts a legal hold.
func (s *server) changeHold(c echo.Context) error {
	in := erasuresviews.Input{HoldKind: c.FormValue("kind"), HoldID: strings.TrimSpace(c.FormValue("id")),
		HoldReason: c.FormValue("reason")}
	change, done := s.Store.PutOnHold, "held"
	if c.FormValue("do") == "lift" {
		change, done = s.Store.LiftHold, "lifted"
	}
	_, err := change(c.Request().Context(), s.Who(c), erasure.Kind(in.HoldKind), in.HoldID, in.HoldReason)
	if err == nil {
		return web.SeeOther(c, "/admin/erasures?done="+done)
	}
	return s.refused(c, err, in, func(f *ui.FormFault) { in.HoldFault = f }, &in)
}

// showPeriods shows the retention periods and what is due.
func (s *server) showPeriods(c echo.Context) error {
	all, err := s.Store.Periods(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	typed := map[erasure.Kind]string{}
	for _, p := range all {
		if p.Days > 0 {
			typed[p.Kind] = strconv.Itoa(p.Days)
		}
	}
	return s.periodsPage(c, http.StatusOK, erasuresviews.PeriodsInput{Typed: typed})
}

func (s *server) periodsPage(c echo.Context, status int, in erasuresviews.PeriodsInput) error {
	var err error
	if in.AskReason, err = s.Store.DemandsSecond(c.Request().Context(), s.Who(c).Tenant); err != nil {
		return err
	}
	in.Reason = c.FormValue("reason")
	in.Due, err = s.Store.DueForErasure(c.Request().Context(), s.Who(c).Tenant, in.Tried, mostListed)
	if err != nil {
		return err
	}
	if in.Tried != nil {
		if in.Anew, err = s.Store.DueAnew(c.Request().Context(), s.Who(c).Tenant, in.Tried); err != nil {
			return err
		}
	}
	return s.Render(c, status, erasuresviews.Periods(erasuresviews.NewPeriodsPage(s.ChromeAt(c, "/admin/periods"), in)))
}

// savePeriods changes the retention periods, or shows their dry run; what was typed is kept if it is refused. Periods by
// which something is due at once are saved by who has seen how much: else the page says it first.
func (s *server) savePeriods(c echo.Context) error {
	in := erasuresviews.PeriodsInput{Typed: map[erasure.Kind]string{}}
	var all []erasure.Period
	for _, kind := range erasure.Retained {
		text := strings.TrimSpace(c.FormValue(string(kind)))
		in.Typed[kind] = text
		days, err := strconv.Atoi(text)
		if text != "" && err != nil {
			days = -1 // out of bounds, so it is refused
		}
		all = append(all, erasure.Period{Kind: kind, Days: days})
	}
	err := erasure.CheckPeriods(all)
	if err == nil {
		in.Tried = all
		if c.FormValue("do") == "dry_run" {
			return s.periodsPage(c, http.StatusOK, in)
		}
		anew, err := s.Store.DueAnew(c.Request().Context(), s.Who(c).Tenant, all)
		if err != nil {
			return err
		}
		if len(anew) > 0 && c.FormValue("seen") != erasuresviews.Seen(all, anew) {
			return s.periodsPage(c, http.StatusUnprocessableEntity, in)
		}
	}
	if err == nil {
		err = s.Store.SetPeriods(c.Request().Context(), s.WhoBecause(c), all)
	}
	if err == nil {
		return web.SeeOther(c, "/admin/periods?done=saved")
	}
	if in.Fault = web.FormFault(err, "", map[domain.Kind]string{domain.Invalid: "period_days"}); in.Fault == nil {
		return err
	}
	return s.periodsPage(c, web.FaultOf(err).Status, in)
}
