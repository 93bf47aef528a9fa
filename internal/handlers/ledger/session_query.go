package ledger

import (
	"maps"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
)

// sessionQuery reads the filters of the list of sessions, for the page, which says which values it could not use, and
// the API.
func (s *server) sessionQuery(c echo.Context) ledger.SessionQuery {
	q := ledger.SessionQuery{
		Text: c.QueryParam("q"), After: c.QueryParam("after"), Limit: sessionsPerPage,
		Sort: c.QueryParam("sort"), Desc: c.QueryParam("dir") != "asc",
	}
	switch q.Sort {
	case "title", "coverage", "claims":
		q.Desc = c.QueryParam("dir") == "desc"
	default:
		q.Sort = "created"
	}
	if v := c.QueryParam("state"); v == ledger.StateOpen || ledger.State(v).Valid() {
		q.State = v
	}
	if c.QueryParam("assigned") == "me" {
		q.Of = s.Who(c).ID
	}
	if v := c.QueryParam("verdict"); ledger.Verdict(v).Valid() {
		q.Verdict = v
	}
	if v := c.QueryParam("flag"); ledger.RiskType(v).Valid() {
		q.Flag = v
	}
	q.Due = web.DueFilter(c)
	return q
}

// listChoices are the allowed values of the list's parameters. The page lists all and says so where there is another value; the API
// refuses it.
var listChoices = map[string][]string{
	"sort":     {"created", "title", "coverage", "claims"},
	"dir":      {"asc", "desc"},
	"state":    append([]string{ledger.StateOpen}, web.Strings(ledger.States)...),
	"assigned": {"me"},
	"verdict":  web.Strings(ledger.Verdicts),
	"flag":     web.Strings(ledger.RiskTypes),
	"due":      web.Strings(due.Filters),
}

// checkQuery refuses a list parameter whose value is not allowed, naming it.
func checkQuery(c echo.Context) error {
	for _, name := range slices.Sorted(maps.Keys(listChoices)) {
		if v := c.QueryParam(name); v != "" && !slices.Contains(listChoices[name], v) {
			return web.InvalidChoice(name, listChoices[name])
		}
	}
	return nil
}
