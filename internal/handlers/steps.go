package handlers

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	ledgerviews "sanad/internal/views/ledger"
)

// closeSession closes a session; without a reason only one whose claims are all settled.
func (s *Server) closeSession(c echo.Context) error {
	c.Request().Body = http.MaxBytesReader(c.Response(), c.Request().Body, maxForm)
	if err := c.Request().ParseForm(); err != nil {
		return unreadableForm(err, maxForm)
	}
	err := s.store.CloseSession(c.Request().Context(), s.who(c), c.Param("id"), c.FormValue("reason"))
	return s.afterStep(c, ledgerviews.StepsForm{Reason: c.FormValue("reason")}, err)
}

// reopenSession opens a closed session again.
func (s *Server) reopenSession(c echo.Context) error {
	return s.afterStep(c, ledgerviews.StepsForm{}, s.store.ReopenSession(c.Request().Context(), s.who(c), c.Param("id")))
}

// setReviewers says who reviews a session: the reader takes a seat or leaves it (take=first, second, none), or who may
// assign chooses all at once.
func (s *Server) setReviewers(c echo.Context) error {
	if err := smallForm(c); err != nil {
		return err
	}
	own, nobody := s.who(c).ID, ""
	var in reviewersInput
	var form ledgerviews.StepsForm
	switch c.FormValue("take") {
	case "first":
		in.First, in.Free = &own, true
	case "second":
		in.Second, in.Free = &own, true
	case "none":
		in.Leave = true
	default:
		first, second, mode := c.FormValue("first"), c.FormValue("second"), ledger.SecondReview(c.FormValue("second_review"))
		form.Chosen = &ledgerviews.Chosen{First: first, Second: second, Mode: mode}
		if mode == ledger.OneReviewer {
			second = nobody // its field stands there also where it is of no use
		}
		in = reviewersInput{First: &first, Second: &second, Mode: &mode}
	}
	return s.afterStep(c, form, s.reassign(c, in))
}

// afterStep answers a step of a session's review: 303 to the ledger, or the ledger with what is wrong beside the form.
func (s *Server) afterStep(c echo.Context, form ledgerviews.StepsForm, err error) error {
	switch kind := domain.KindOf(err); {
	case err == nil:
		return seeOther(c, "/sessions/"+c.Param("id"))
	case kind == domain.Invalid, kind == domain.Conflict, kind == domain.TooLarge:
		form.Fault = asError(err)
		return s.sessionPage(c, statusOf[kind], form)
	}
	return err
}

// asError gives the domain error that err is, nil for none.
func asError(err error) *domain.Error {
	var e *domain.Error
	errors.As(err, &e)
	return e
}

// reviewersInput is what is to change about who reviews a session; nil is left as it is, "" is nobody.
type reviewersInput struct {
	First, Second *string
	Mode          *ledger.SecondReview
	Leave         bool // the reader gives back whichever seat is theirs
	Free          bool // the seat was free when it was asked for, as the page offers no other: taken by somebody since is a Conflict
}

// reassign changes who reviews a session. Everybody who reviews may take a free seat and leave their own; all else is for
// who may assign. Nothing to change is no change.
func (s *Server) reassign(c echo.Context, in reviewersInput) error {
	ctx, who, id := c.Request().Context(), s.who(c), c.Param("id")
	may, err := s.authorizer.Allowed(ctx, who, access.AssignReview, access.Object{Kind: "session", ID: id})
	if err != nil {
		return notChecked(err)
	}
	now, err := s.store.ShowSession(ctx, who.Tenant, id)
	if err != nil {
		return err
	}
	people, err := s.seated(c, now.Seats, in)
	if err != nil {
		return err
	}
	if seats, mode := in.over(now.Seats, now.Second, who.ID); seats.IDs() == now.Seats.IDs() && mode == now.Second {
		return nil
	}
	tenant, err := s.store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	_, err = s.store.Reassign(ctx, who, id, func(session *ledger.Session) (*ledger.Ledger, error) {
		seats, mode := in.over(session.Seats, session.Second, who.ID)
		if in.Free && taken(session.Seats, seats) {
			return nil, domain.Conflictf("Somebody else took this seat after you opened the page.")
		}
		if !may && !ownSeat(session, seats, mode, who.ID) {
			return nil, lacksRole(access.AssignReview)
		}
		if err := people.check(&seats, mode); err != nil {
			return nil, err
		}
		if err := session.SetReviewers(seats, mode, s.now().UTC().Truncate(time.Microsecond)); err != nil {
			return nil, err
		}
		l := ledger.Assess(session, tenant.FreshnessMonths)
		return &l, nil
	})
	return err
}

// over gives the seats and the mode as they are to be.
func (in *reviewersInput) over(seats ledger.Seats, mode ledger.SecondReview, own string) (ledger.Seats, ledger.SecondReview) {
	for i, id := range []*string{in.First, in.Second} {
		if id != nil && seats[i].ID != *id {
			seats[i] = ledger.Seat{ID: *id}
		}
		if in.Leave && seats[i].ID == own {
			seats[i] = ledger.Seat{}
		}
	}
	if in.Mode != nil {
		mode = *in.Mode
	}
	return seats, mode
}

// taken tells whether a change gives a seat to another than the person who has it.
func taken(was, is ledger.Seats) bool {
	for i := range was {
		if was[i].ID != "" && is[i].ID != was[i].ID {
			return true
		}
	}
	return false
}

// ownSeat tells whether a change is one that everybody who reviews may make: to take a free seat, to leave one's own.
func ownSeat(session *ledger.Session, seats ledger.Seats, mode ledger.SecondReview, own string) bool {
	for i := range seats {
		was, is := session.Seats[i].ID, seats[i].ID
		if was != is && (was != "" || is != own) && (was != own || is != "") {
			return false
		}
	}
	return mode == session.Second
}

// seatedPeople are the people of seats, by id; nil for who is no member or may not review.
type seatedPeople map[string]*seatedPerson

type seatedPerson struct {
	name     string
	readsLog bool
}

// seated looks up who has a seat now or is to have one.
func (s *Server) seated(c echo.Context, seats ledger.Seats, in reviewersInput) (seatedPeople, error) {
	out := seatedPeople{}
	wanted, _ := in.over(seats, ledger.OneReviewer, "")
	for _, id := range []string{seats[0].ID, seats[1].ID, wanted[0].ID, wanted[1].ID} {
		if _, known := out[id]; known || id == "" {
			continue
		}
		m, err := s.store.Member(c.Request().Context(), s.who(c).Tenant, id)
		switch {
		case domain.KindOf(err) == domain.NotFound && err != nil:
			out[id] = nil
		case err != nil:
			return nil, err
		case m.Disabled || !m.Role.AtLeast(access.Least(access.ReviewClaim)):
			out[id] = nil
		default:
			out[id] = &seatedPerson{m.Name, m.Role.AtLeast(access.Least(access.ReadAudit))}
		}
	}
	return out, nil
}

// check gives the seats their names, and refuses who may not have one. In a blind session that is also who reads the audit
// log, as every review stands there.
func (p seatedPeople) check(seats *ledger.Seats, mode ledger.SecondReview) error {
	for i, field := range []string{"first_reviewer", "second_reviewer"} {
		id := seats[i].ID
		if id == "" {
			continue
		}
		person := p[id]
		if person == nil {
			return domain.Invalidf(field, "Choose a member who may review.")
		}
		if mode == ledger.SecondBlind && person.readsLog {
			return domain.Invalidf(field, "Administrators read the audit log, where every review stands, so they take no part in a blind review; choose somebody else.")
		}
		seats[i].Name = person.name
	}
	return nil
}

// maxPeople is how many members the choice of reviewers shows.
const maxPeople = 200

// mayReview lists who can be chosen as a reviewer; nobody for who may not choose.
func (s *Server) mayReview(c echo.Context) ([]ledgerviews.Person, error) {
	who := s.who(c)
	if !mayOf(who).Assign {
		return nil, nil
	}
	members, _, err := s.store.MembersPage(c.Request().Context(), who.Tenant, "", maxPeople)
	if err != nil {
		return nil, err
	}
	var out []ledgerviews.Person
	for i := range members {
		if m := &members[i]; !m.Disabled && m.Role.AtLeast(access.Least(access.ReviewClaim)) {
			out = append(out, ledgerviews.Person{ID: m.ID, Name: m.Name})
		}
	}
	return out, nil
}
