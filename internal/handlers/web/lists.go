package web

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/handlers/web/apidoc"
	"sanad/internal/words"
)

// listDefault is how many rows a page of the API's lists has by default; apidoc.MaxListLimit is the most.
const listDefault = 50

// ListLimit reads ?limit=.
func ListLimit(c echo.Context) (int, error) {
	v := c.QueryParam("limit")
	if v == "" {
		return listDefault, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > apidoc.MaxListLimit {
		return 0, WithStatus(http.StatusBadRequest,
			domain.Refuse(domain.Invalid, "limit", "refused_whole_number", "N", apidoc.MaxListLimit))
	}
	return n, nil
}

// NumberAfter reads ?after= of a list whose key is a number; 0 means its beginning.
func NumberAfter(c echo.Context) (int, error) {
	v := c.QueryParam("after")
	if v == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < 1 || n > 1<<30 {
		return 0, WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, "after", "refused_next_page_before"))
	}
	return n, nil
}

// knownParameters refuses a query parameter that an endpoint does not have, naming those it has: ignoring a misspelt
// filter would answer with more than was asked for.
func knownParameters(c echo.Context, d *apidoc.Doc) error {
	var names []string
	for _, p := range d.Query {
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.QueryParams())) {
		switch {
		case slices.Contains(names, name):
		case len(names) == 0:
			return WithStatus(http.StatusBadRequest, domain.Refuse(domain.Invalid, name,
				"refused_such_parameter_leave"))
		default:
			return WithStatus(http.StatusBadRequest,
				domain.Refuse(domain.Invalid, name, "refused_such_parameter_allowed", "List", words.ListOf(names)))
		}
	}
	return nil
}

// ListBool reads a parameter that is true, false or missing.
func ListBool(c echo.Context, name string) (bool, error) {
	switch c.QueryParam(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, InvalidChoice(name, []string{"true", "false"})
}

// InvalidChoice refuses a value of a list parameter, naming the allowed ones.
func InvalidChoice[T ~string](name string, values []T) error {
	return WithStatus(http.StatusBadRequest,
		domain.Refuse(domain.Invalid, name, "refused_choose_leave_out", "List", words.ListOf(Strings(values))))
}

// Strings returns values as plain strings.
func Strings[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}

// BadQuery attaches 400 to an error about a query that the store refuses.
func BadQuery(err error) error {
	if domain.KindOf(err) == domain.Invalid {
		return WithStatus(http.StatusBadRequest, err)
	}
	return err
}

// SendPage answers with one page of a list under its name, and with the key of the next page in the body and in the
// Link header.
func SendPage(c echo.Context, name string, rows any, next string) error {
	if next != "" {
		link := c.Request().URL.Query()
		link.Set("after", next)
		c.Response().Header().Set("Link",
			fmt.Sprintf(`<%s?%s>; rel="next"`, c.Request().URL.EscapedPath(), link.Encode()))
	}
	return SendJSON(c, http.StatusOK, map[string]any{name: rows, "next": OrNull(next)})
}

// OrNull returns nil for "", so that JSON says null.
func OrNull[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}

// TimeOrNull returns nil for the zero time.
func TimeOrNull(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return OrNull(FormatTime(t))
}

// Map maps a list. The result is never nil, because JSON must say [] for an empty list.
func Map[T, U any](in []T, to func(T) U) []U {
	out := make([]U, len(in))
	for i, x := range in {
		out[i] = to(x)
	}
	return out
}

// NotNull returns in, or an empty list if it is nil: lists of the API are never null.
func NotNull[T any](in []T) []T { return append([]T{}, in...) }

func FormatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// QueueLength is how many items of each kind a queue shows; beyond that it shows only how many more there are.
const QueueLength = 5
