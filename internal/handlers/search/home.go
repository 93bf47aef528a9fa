package search

import (
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain/access"
	"sanad/internal/domain/due"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/pack"
	"sanad/internal/handlers/web"
	searchviews "sanad/internal/views/search"
)

// dueLength is how much of what is late or due soon the home page shows.
const dueLength = 10

// homeInput prepares the home page's sessions: mine, and the most urgent of the others. A session in which the person
// has a seat is not among the others: it is in mine, or waits for the other reviewer.
func homeInput(h *ledger.Home, mine ledger.Queue, person string) searchviews.HomeInput {
	out := searchviews.HomeInput{Home: *h, Mine: mine, Longer: len(h.Queue) == ledger.HomeQueue}
	out.Queue = slices.DeleteFunc(slices.Clone(h.Queue), func(r ledger.SessionRow) bool { return r.Seats.Holds(person) })
	return out
}

// showHome answers "what needs me today".
func (s *server) showHome(c echo.Context) error {
	var home *ledger.Home
	var queue *pack.Queue
	var mine ledger.Queue
	free := 0
	var apart []string
	var invited []access.Invitation
	var late due.Home
	who := s.Who(c)
	err := s.Load(c, "HomeView", func(c echo.Context) (err error) {
		home, err = s.Store.Home(c.Request().Context(), who)
		return err
	}, func(c echo.Context) (err error) {
		queue, err = s.Store.PackQueue(c.Request().Context(), who, web.QueueLength)
		return err
	}, func(c echo.Context) (err error) {
		mine, err = s.Store.MyQueue(c.Request().Context(), who.Tenant, who.ID, web.QueueLength)
		return err
	}, func(c echo.Context) (err error) {
		if web.MayOf(who).Review {
			free, err = s.Store.Free(c.Request().Context(), who, searchviews.MaxFree+1)
		}
		return err
	}, func(c echo.Context) error {
		if may := web.MayOf(who); !may.Review || !may.DecidePack {
			return nil
		}
		policy, err := s.Store.Policy(c.Request().Context(), who.Tenant)
		if err == nil {
			apart = policy.Apart()
		}
		return err
	}, func(c echo.Context) (err error) {
		invited, err = s.Store.InvitationsFor(c.Request().Context(), who.ID)
		return err
	}, func(c echo.Context) (err error) {
		late, err = s.Store.DueHome(c.Request().Context(), who, dueLength)
		return err
	})
	if err != nil {
		return err
	}
	in := homeInput(home, mine, who.ID)
	in.Free, in.Apart = free, apart
	in.Packs, in.Invited, in.Due = *queue, len(invited), late
	return s.Render(c, http.StatusOK, searchviews.Home(searchviews.NewHomePage(s.Chrome(c), in)))
}
