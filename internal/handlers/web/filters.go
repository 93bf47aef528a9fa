package web

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/filter"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
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

// MostTitles is how many of the newest things of a kind are looked through by name; minIDLength is how much of an id
// finds it.
const (
	MostTitles  = 2000
	minIDLength = 6
)

// BestNamed returns what answers a query by its name, or by the beginning of its id; the best first, among equals the
// newest.
func BestNamed(list []ledger.Titled, query string, least text.Likeness) []ledger.Titled {
	type ranked struct {
		ledger.Titled

		like text.Likeness
	}
	var found []ranked
	q, id := text.NewNaming(query), strings.ToLower(strings.TrimSpace(query))
	for _, x := range list {
		like := q.Like(x.Title)
		if len(id) >= minIDLength && strings.HasPrefix(x.ID, id) {
			like = text.BeginsName
		}
		if like >= least {
			found = append(found, ranked{x, like})
		}
	}
	slices.SortStableFunc(found, func(a, b ranked) int { return cmp.Compare(b.like, a.like) })
	return Map(found, func(r ranked) ledger.Titled { return r.Titled })
}

// ReadablePack returns a function that reports whether the reader may read a pack and the ledger copied into it.
func (s *Server) ReadablePack(c echo.Context) func(packID, sessionID string) (bool, error) {
	return func(packID, sessionID string) (bool, error) {
		ok, err := s.May(c, access.ReadPack, access.Object{Kind: EvidencePack, ID: packID})
		if err != nil || !ok {
			return false, err
		}
		err = s.MayReadLedger(c, sessionID)
		if domain.KindOf(err) == domain.NotFound {
			return false, nil
		}
		return err == nil, err
	}
}
