package web

import (
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/text"
	"sanad/internal/views/ui"
)

// Filter is a parameter of the address by which a page's list is limited.
type Filter struct {
	Name  string
	Kind  ui.FilterKind
	Known []string // of a choice
}

// ChoiceFilter is a filter that takes the values of known and more.
func ChoiceFilter[V ~string](name string, known []V, more ...string) Filter {
	return Filter{name, ui.ChoiceFilter, append(Strings(known), more...)}
}

// LeftFilters returns the filters of the address whose values the page cannot use: it says so at the head of its list,
// rather than show more than was asked for and say nothing.
func LeftFilters(c echo.Context, filters ...Filter) []ui.LeftFilter {
	var out []ui.LeftFilter
	for _, f := range filters {
		if v := c.QueryParam(f.Name); v != "" && !f.takes(v) {
			out = append(out, ui.LeftFilter{Name: f.Name, Value: v, Kind: f.Kind})
		}
	}
	return out
}

// ListStatus is the status of a page with a list: 422 if a filter could not be used, else 200.
func ListStatus(c *ui.Chrome) int {
	if len(c.LeftFilters) > 0 {
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// TypedDay reads a day of the address as people type it.
func TypedDay(c echo.Context, name string) (time.Time, bool) {
	return text.TypedDay(c.QueryParam(name))
}

func (f Filter) takes(v string) bool {
	switch f.Kind {
	case ui.DayFilter:
		_, ok := text.TypedDay(v)
		return ok
	case ui.NumberFilter:
		n, err := strconv.Atoi(v)
		return err == nil && n > 0
	}
	return slices.Contains(f.Known, v)
}
