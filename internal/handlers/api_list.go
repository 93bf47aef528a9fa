package handlers

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
)

// The sizes of a page of the API's lists.
const (
	listDefault = 50
	listMost    = 200
)

// listLimit reads ?limit=.
func listLimit(c echo.Context) (int, error) {
	v := c.QueryParam("limit")
	if v == "" {
		return listDefault, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > listMost {
		return 0, withStatus(http.StatusBadRequest, domain.Invalidf("limit", "Give a whole number from 1 to %d.", listMost))
	}
	return n, nil
}

// knownParameters refuses a query parameter that an endpoint does not have, naming those it has: one that is passed over
// would answer with more than was asked for.
func (d *Doc) knownParameters(c echo.Context) error {
	var names, former []string
	for _, p := range d.Query {
		if p.Deprecated {
			former = append(former, p.Name)
		} else {
			names = append(names, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.QueryParams())) {
		switch {
		case slices.Contains(names, name), slices.Contains(former, name):
		case len(names) == 0:
			return withStatus(http.StatusBadRequest, domain.Invalidf(name, "There is no such parameter; leave it out."))
		default:
			return withStatus(http.StatusBadRequest,
				domain.Invalidf(name, "There is no such parameter; there are %s.", strings.Join(names, ", ")))
		}
	}
	return nil
}

// listBool reads a parameter that is true, false or not there.
func listBool(c echo.Context, name string) (bool, error) {
	switch c.QueryParam(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, noChoice(name, []string{"true", "false"})
}

// noChoice refuses a list parameter that is none of its values, naming them.
func noChoice[T ~string](name string, values []T) error {
	return withStatus(http.StatusBadRequest, domain.Invalidf(name, "Choose one of %s, or leave it out.", strings.Join(texts(values), ", ")))
}

// texts gives values as plain strings.
func texts[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// badQuery gives 400 to a query that the store refuses.
func badQuery(err error) error {
	if domain.KindOf(err) == domain.Invalid {
		return withStatus(http.StatusBadRequest, err)
	}
	return err
}

// sendPage answers with one page of a list under its name, and with the key of the next one, in the body and as Link.
func sendPage(c echo.Context, name string, rows any, next string) error {
	if next != "" {
		link := c.Request().URL.Query()
		link.Set("after", next)
		c.Response().Header().Set("Link", fmt.Sprintf(`<%s?%s>; rel="next"`, c.Request().URL.EscapedPath(), link.Encode()))
	}
	return sendJSON(c, http.StatusOK, map[string]any{name: rows, "next": orNull(next)})
}

// orNull is nil for "", so that JSON says null.
func orNull[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}

// timeOrNull is nil for a time that has not come.
func timeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return orNull(apiTime(t))
}
