package search

import (
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
)

// apiStats are the figures of the dashboard.
type apiStats struct {
	Days  int           `json:"days"`
	Since string        `json:"since"`
	Open  []apiAgeBand  `json:"open_sessions"`
	Weeks []apiWeek     `json:"weeks"`
	All   apiMeasured   `json:"all_judges"`
	Each  []apiMeasured `json:"judges"`
}

type apiAgeBand struct {
	From     int             `json:"min_days"`
	To       *int            `json:"max_days"`
	Sessions int             `json:"sessions"`
	More     bool            `json:"more"`
	Oldest   *apiOpenSession `json:"oldest"`
}

type apiOpenSession struct {
	ID        string `json:"session_id"`
	Title     string `json:"title"`
	CreatedAt string `json:"created_at"`
}

type apiWeek struct {
	Week     string   `json:"week"`
	Sessions int      `json:"sessions"`
	Claims   int      `json:"claims"`
	Coverage *float64 `json:"evidence_coverage"`
	Decided  int      `json:"decided"`
	Override *float64 `json:"override_rate"`
}

type apiMeasured struct {
	Judge     *string         `json:"judge"`
	Version   *string         `json:"version"`
	Decided   int             `json:"decided"`
	Same      int             `json:"same"`
	Agreement *float64        `json:"agreement_rate"`
	Kappa     *float64        `json:"kappa"`
	Matrix    []apiComparison `json:"matrix"`
}

type apiComparison struct {
	Machine ledger.Verdict `json:"machine_verdict"`
	Person  ledger.Verdict `json:"verdict"`
	Claims  int            `json:"claims"`
}

// shareOf returns nil if whole is 0.
func shareOf(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}

func newAPIMeasured(judge, version string, t ledger.Table) apiMeasured {
	a := t.Agreement()
	out := apiMeasured{
		Judge: web.OrNull(judge), Version: web.OrNull(version), Decided: a.Both, Same: a.Same,
		Agreement: shareOf(a.Same, a.Both), Kappa: a.Kappa, Matrix: []apiComparison{},
	}
	for _, machine := range ledger.Verdicts {
		for _, person := range ledger.Verdicts {
			out.Matrix = append(out.Matrix, apiComparison{machine, person, t.At(machine, person)})
		}
	}
	return out
}

func newAPIStats(days int, st *ledger.Stats) apiStats {
	out := apiStats{Days: days, Since: st.Since.Format(time.DateOnly)}
	out.Open = web.Map(st.Ages, func(b ledger.AgeBand) apiAgeBand {
		band := apiAgeBand{From: b.From, Sessions: b.Sessions, More: b.More}
		if b.To >= 0 {
			band.To = &b.To
		}
		if b.Oldest != nil {
			band.Oldest = &apiOpenSession{b.Oldest.ID, b.Oldest.Title, web.FormatTime(b.Oldest.CreatedAt)}
		}
		return band
	})
	out.Weeks = web.Map(st.Weeks, func(w ledger.Week) apiWeek {
		return apiWeek{
			Week: w.Start.Format(time.DateOnly), Sessions: w.Sessions, Claims: w.Claims,
			Coverage: shareOf(w.Covered, w.Claims), Decided: w.Decided,
			Override: shareOf(w.Changed, w.Decided),
		}
	})
	var all ledger.Table
	out.Each = make([]apiMeasured, 0, len(st.Judges))
	for _, m := range st.Judges {
		all.AddAll(m.Table)
		out.Each = append(out.Each, newAPIMeasured(m.Judge, m.Version, m.Table))
	}
	out.All = newAPIMeasured("", "", all)
	return out
}

// apiShowStats returns the figures of the dashboard.
func (s *server) apiShowStats(c echo.Context) error {
	days, known := period(c)
	if !known {
		return web.InvalidChoice("days", web.Map(periods, strconv.Itoa))
	}
	stats, err := s.Store.Stats(c.Request().Context(), s.Who(c).Tenant, s.Now(), days)
	if err != nil {
		return err
	}
	return web.SendJSON(c, http.StatusOK, newAPIStats(days, stats))
}
