package web

import (
	"errors"
	"net/url"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/openapi"
)

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

// stateFilter describes the filter of a list by state, and its former name.
func stateFilter[T ~string](description string, states ...T) []*openapi.Parameter {
	former := ChoiceOf("status", "The former name of state.", states...)
	former.Deprecated = true
	return []*openapi.Parameter{ChoiceOf("state", description, states...), former}
}
