package ledger

import (
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/handlers/web"
	ledgerviews "sanad/internal/views/ledger"
)

// setReviewers sets who reviews a session: readers take a seat or leave it (take=first, second, none); users who may
// assign choose all seats at once.
func (s *server) setReviewers(c echo.Context) error {
	own, nobody := s.Who(c).ID, ""
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
			second = nobody // the form sends this field even if there is no second seat
		}
		in = reviewersInput{First: &first, Second: &second, Mode: &mode}
	}
	return s.afterStep(c, form, s.reassign(c, c.Param("id"), in))
}

// reviewersInput is a change of who reviews a session; nil leaves a value unchanged, "" means nobody.
type reviewersInput struct {
	First, Second *string
	Mode          *ledger.SecondReview
	Leave         bool // the reader leaves whichever seat they have
	Free          bool // the seat was free when the page was shown; if somebody has taken it since, that is a Conflict
}

// reassign changes who reviews a session. Every reviewer may take a free seat and leave their own; any other change
// requires AssignReview. A change to the same state does nothing.
func (s *server) reassign(c echo.Context, id string, in reviewersInput) error {
	ctx, who := c.Request().Context(), s.Who(c)
	may, err := s.Authorizer.Allowed(ctx, who, access.AssignReview, access.Object{Kind: "session", ID: id})
	if err != nil {
		return web.NotChecked(err)
	}
	now, err := s.Store.ShowSession(ctx, who, id)
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
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return err
	}
	return s.Store.Reassign(ctx, who, id, tenant.FreshnessMonths, func(session *ledger.Session) error {
		seats, mode := in.over(session.Seats, session.Second, who.ID)
		if in.Free && isSeatTaken(session.Seats, seats) {
			return domain.Refuse(domain.Conflict, "", "refused_somebody_else_took")
		}
		if !may && !isOwnSeatChange(session, seats, mode, who.ID) {
			return web.LacksRole(access.AssignReview)
		}
		if err := people.check(&seats, mode); err != nil {
			return err
		}
		return session.SetReviewers(seats, mode, s.Now().UTC().Truncate(time.Microsecond))
	})
}

// over returns the seats and the mode after the change.
func (in *reviewersInput) over(seats ledger.Seats, mode ledger.SecondReview,
	own string) (ledger.Seats, ledger.SecondReview) {
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

// isSeatTaken reports whether a change gives an occupied seat to somebody else.
func isSeatTaken(was, is ledger.Seats) bool {
	for i := range was {
		if was[i].ID != "" && is[i].ID != was[i].ID {
			return true
		}
	}
	return false
}

// isOwnSeatChange reports whether every reviewer may make a change: taking a free seat, or leaving one's own.
func isOwnSeatChange(session *ledger.Session, seats ledger.Seats, mode ledger.SecondReview, own string) bool {
	for i := range seats {
		was, is := session.Seats[i].ID, seats[i].ID
		if was != is && (was != "" || is != own) && (was != own || is != "") {
			return false
		}
	}
	return mode == session.Second
}

// seatedPeople are the people in seats, by id; nil for somebody who is not a member or may not review.
type seatedPeople map[string]*seatedPerson

type seatedPerson struct {
	name     string
	readsLog bool
}

// seated looks up the people who have a seat now or are to have one.
func (s *server) seated(c echo.Context, seats ledger.Seats, in reviewersInput) (seatedPeople, error) {
	out := seatedPeople{}
	wanted, _ := in.over(seats, ledger.OneReviewer, "")
	for _, id := range []string{seats[0].ID, seats[1].ID, wanted[0].ID, wanted[1].ID} {
		if _, known := out[id]; known || id == "" {
			continue
		}
		m, err := s.Store.Member(c.Request().Context(), s.Who(c).Tenant, id)
		switch {
		case domain.KindOf(err) == domain.NotFound && err != nil:
			out[id] = nil
		case err != nil:
			return nil, err
		case m.Disabled || !m.Role.May(access.ReviewClaim):
			out[id] = nil
		default:
			out[id] = &seatedPerson{m.Name, m.Role.May(access.ReadAudit)}
		}
	}
	return out, nil
}

// check fills in the names of the seats, and refuses users who may not hold one. In a blind session these include users
// who may read the audit log, because every review is logged there.
func (p seatedPeople) check(seats *ledger.Seats, mode ledger.SecondReview) error {
	for i, field := range []string{"first_reviewer", "second_reviewer"} {
		id := seats[i].ID
		if id == "" {
			continue
		}
		person := p[id]
		if person == nil {
			return domain.Refuse(domain.Invalid, field, "refused_choose_member_may")
		}
		if mode == ledger.SecondBlind && person.readsLog {
			return domain.Refuse(domain.Invalid, field, "refused_administrators_read_audit_log")
		}
		seats[i].Name = person.name
	}
	return nil
}

// maxPeople is how many members the choice of reviewers shows.
const maxPeople = 200

// mayReview lists the users who can be chosen as a reviewer; it is empty for a reader who may not choose.
func (s *server) mayReview(c echo.Context) ([]access.Named, error) {
	who := s.Who(c)
	if !web.MayOf(who).Assign {
		return nil, nil
	}
	members, _, err := s.Store.MembersPage(c.Request().Context(), who.Tenant, "", maxPeople)
	if err != nil {
		return nil, err
	}
	var out []access.Named
	for i := range members {
		if m := &members[i]; !m.Disabled && m.Role.May(access.ReviewClaim) {
			out = append(out, access.Named{ID: m.ID, Name: m.Name})
		}
	}
	return out, nil
}
