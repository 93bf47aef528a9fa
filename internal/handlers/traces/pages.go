package traces

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/live"
	"sanad/internal/domain/text"
	"sanad/internal/handlers/web"
	tracesviews "sanad/internal/views/traces"
)

// How many traces are listed, and of how many days the figures are.
const (
	listed = 100
	lately = 7 * 24 * time.Hour
)

// show shows the rules, and what came in lately.
func (s *server) show(c echo.Context) error {
	rules, err := s.Store.LiveRules(c.Request().Context(), s.Who(c).Tenant)
	if err != nil {
		return err
	}
	return s.page(c, http.StatusOK, rules, tracesviews.FormOf(rules))
}

func (s *server) page(c echo.Context, status int, rules live.Rules, form tracesviews.RulesForm) error {
	ctx, tenant := c.Request().Context(), s.Who(c).Tenant
	in := tracesviews.Input{Form: form, InForce: rules}
	var err error
	if in.Counts, err = s.Store.LiveCounts(ctx, tenant, s.Now().Add(-lately)); err != nil {
		return err
	}
	if in.Traces, err = s.Store.Traces(ctx, tenant, listed); err != nil {
		return err
	}
	return s.Render(c, status, tracesviews.Show(tracesviews.NewPage(s.Chrome(c), in)))
}

// save stores the form's rules in the order of their places. What was typed is kept if it is refused; after somebody
// else's change, saving again replaces theirs.
func (s *server) save(c echo.Context) error {
	ctx, who := c.Request().Context(), s.Who(c)
	form := typed(c)
	_, err := s.Store.SetLiveRules(ctx, who, form.Revision, rulesOf(form))
	if err == nil {
		return web.SeeOther(c, "/admin/traces?done=saved")
	}
	kind := domain.KindOf(err)
	if form.Fault = web.FormFault(err, "", nil); form.Fault == nil || kind != domain.Invalid && kind != domain.Conflict {
		return err
	}
	now, loadErr := s.Store.LiveRules(ctx, who.Tenant)
	if loadErr != nil {
		return loadErr
	}
	form.Revision = now.Revision
	return s.page(c, web.FaultOf(err).Status, now, form)
}

// typed reads the form: place.N, service.N and so on, for each rule. A rule without a service is left out.
func typed(c echo.Context) tracesviews.RulesForm {
	form := tracesviews.RulesForm{}
	form.Revision, _ = strconv.Atoi(c.FormValue("revision")) // written by the page; any other is a conflict
	for i := range live.MaxRules + 1 {
		n := "." + strconv.Itoa(i)
		if service := strings.TrimSpace(c.FormValue("service" + n)); service != "" {
			form.Rules = append(form.Rules, tracesviews.RuleForm{Place: c.FormValue("place" + n), Service: service,
				Share: strings.TrimSpace(c.FormValue("share" + n)), Retrieval: c.FormValue("retrieval"+n) == "1",
				Becomes: live.State(c.FormValue("becomes" + n))})
		}
	}
	place := func(r tracesviews.RuleForm) float64 {
		at, err := strconv.ParseFloat(strings.TrimSpace(text.Western(r.Place)), 64)
		if err != nil {
			return math.MaxFloat64 // at the end
		}
		return at
	}
	slices.SortStableFunc(form.Rules, func(a, b tracesviews.RuleForm) int { return cmp.Compare(place(a), place(b)) })
	for i := range form.Rules {
		form.Rules[i].Place = strconv.Itoa(i + 1)
	}
	return form
}

// rulesOf returns the rules of a form. A share that is not a number is one that the rules refuse.
func rulesOf(form tracesviews.RulesForm) []live.Rule {
	out := []live.Rule{}
	for _, r := range form.Rules {
		share, err := strconv.ParseFloat(strings.TrimSuffix(text.Western(r.Share), "%"), 64)
		if err != nil {
			share = math.NaN()
		}
		out = append(out, live.Rule{Service: r.Service, Retrieval: r.Retrieval, Share: share, Becomes: r.Becomes})
	}
	return out
}
