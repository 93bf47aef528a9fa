package web

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/filter"
	"sanad/internal/views/ui"
)

// ListStatus is the status of a page with a list: 422 if a filter could not be used, else 200. The page says at the head
// of its list which, rather than show more than was asked for and say nothing.
func ListStatus(c *ui.Chrome) int {
	if len(c.LeftFilters) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// ReadQuery returns the query of a list of the API: a value that its filters do not take is refused with 400.
func ReadQuery[Q any](c echo.Context, list filter.List[Q]) (Q, error) {
	q, left := list.Read(c.QueryParam)
	for _, l := range left {
		if l.Kind == filter.Choice {
			return q, InvalidChoice(l.Name, l.Values)
		}
		return q, WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, l.Name, "refused_day_2026_01"))
	}
	return q, nil
}

// renameStatus replaces the parameter status, the former name of the filter state. If both are given, state counts.
func renameStatus(q url.Values) {
	if !q.Has("state") && q.Has("status") {
		q["state"] = q["status"]
	}
	q.Del("status")
}

// TakesStatus wraps a list that has the filter state so that it accepts the former name status too. The handler and all
// links see state only; a refusal names the parameter that was sent.
func TakesStatus(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		q := c.QueryParams()
		if !q.Has("status") {
			return next(c)
		}
		both := q.Has("state")
		renameStatus(q)
		renamed := *c.Request().URL
		renamed.RawQuery = q.Encode()
		c.Request().URL = &renamed
		err := next(c)
		var refused *domain.Error
		if errors.As(err, &refused) && refused.Path == "state" && !both {
			refused.Path = "status"
		}
		return err
	}
}
