package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/filter"
	"sanad/internal/views/ui"
)

// ListStatus is the status of a page with a list: 422 if a filter could not be used, else 200. The page says at the
// head of its list which, rather than show more than was asked for and say nothing.
func ListStatus(c *ui.Chrome) int {
	if len(c.LeftFilters) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// ReadQuery returns the query of a list of the API: a value that its filters do not take is refused with 400.
func ReadQuery[Q any](c echo.Context, list filter.List[Q]) (Q, error) {
	q, left := list.Read(c.QueryParam)
	switch {
	case len(left) == 0:
		return q, nil
	case left[0].Kind == filter.Choice:
		return q, InvalidChoice(left[0].Name, left[0].Values)
	}
	return q, WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, left[0].Name, "refused_day_2026_01"))
}
