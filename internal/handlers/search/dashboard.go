package search

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/ledger"
	searchviews "sanad/internal/views/search"
)

// periods are the choices, in days, of the dashboard's figures; the default is in the middle.
var periods = []int{30, 90, 365}

const periodDefault = 90

// period reads ?days=; it returns false for a value that is not in periods.
func period(c echo.Context) (int, bool) {
	v := c.QueryParam("days")
	if v == "" {
		return periodDefault, true
	}
	n, err := strconv.Atoi(v)
	if err != nil || !slices.Contains(periods, n) {
		return periodDefault, false
	}
	return n, true
}

// showDashboard shows what waits and for how long, the last weeks, and how far people agree with the machine. Unknown
// values of its parameters are ignored.
func (s *server) showDashboard(c echo.Context) error {
	days, _ := period(c)
	stats, err := s.Store.Stats(c.Request().Context(), s.Who(c).Tenant, s.Now(), days)
	if err != nil {
		return err
	}
	late, err := s.Store.DueHome(c.Request().Context(), s.Who(c), 1)
	if err != nil {
		return err
	}
	in := searchviews.DashboardInput{Due: late,
		Days: days, Periods: periods, Judge: c.QueryParam("judge"), Version: c.QueryParam("version"),
		Weeks: stats.Weeks, Ages: stats.Ages, Judges: stats.Judges,
	}
	in.One = slices.ContainsFunc(in.Judges,
		func(m ledger.JudgeComparison) bool { return m.Judge == in.Judge && m.Version == in.Version })
	return s.Render(c, http.StatusOK, searchviews.Dashboard(searchviews.NewDashboardPage(s.Chrome(c), in)))
}
