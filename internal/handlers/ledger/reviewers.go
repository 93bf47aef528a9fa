package ledger

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
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
	wanted, _ := in.over(now.Seats, ledger.OneReviewer, "")
	people, err := s.seated(c, now.Seats[0].ID, now.Seats[1].ID, wanted[0].ID, wanted[1].ID)
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

// seated looks up people who have a seat or are to have one.
func (s *server) seated(c echo.Context, ids ...string) (seatedPeople, error) {
	out := seatedPeople{}
	for _, id := range ids {
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
const maxPeople = ledger.MaxTakers

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

// maxAsked is how many sessions are shared out at once where another server is asked for each whether the person may
// assign it (docs/openfga.md): 10,000 questions would take longer than a request.
const maxAsked = 1000

// taking is somebody who is to get sessions, as it was asked for.
type taking struct {
	id    string
	share string // "" for one
}

// assignAsked is what is asked for: which sessions, and who gets them.
type assignAsked struct {
	query ledger.SessionQuery
	whose string
	how   ledger.Sharing
	to    []taking
	most  string   // as typed; "" for all
	only  []string // ids of the sessions that were chosen; none for all
}

// assignment checks what is asked for.
func (s *server) assignment(c echo.Context, asked *assignAsked) (*db.AssignMany, error) {
	in := &db.AssignMany{Query: asked.query, Whose: asked.whose, How: asked.how}
	in.Query.Reader, in.Only = s.Who(c).ID, asked.only
	if asked.most != "" {
		var err error
		if in.Most, err = strconv.Atoi(asked.most); err != nil || in.Most < 1 || in.Most > ledger.MaxShared {
			in.Most = 0
			return in, domain.Refuse(domain.Invalid, "most", "refused_assign_most", "N", ledger.MaxShared)
		}
	}
	if len(in.Only) > ledger.MaxShared {
		return in, domain.Refuse(domain.TooLarge, "sessions", "refused_assign_chosen", "N", ledger.MaxShared)
	}
	switch {
	case asked.how == ledger.ToNobody:
		if len(asked.to) > 0 {
			return in, domain.Refuse(domain.Invalid, "to", "refused_assign_nobody")
		}
		return in, s.askForEach(c, in)
	case !slices.Contains(ledger.Sharings, asked.how):
		return in, domain.Refuse(domain.Invalid, "how", "refused_assign_how")
	case len(asked.to) == 0:
		return in, domain.Refuse(domain.Invalid, "to", "refused_assign_to")
	case len(asked.to) > ledger.MaxTakers:
		return in, domain.Refuse(domain.TooLarge, "to", "refused_assign_many", "N", ledger.MaxTakers)
	}
	var ids []string
	for _, t := range asked.to {
		ids = append(ids, t.id)
	}
	people, err := s.seated(c, ids...)
	if err != nil {
		return in, err
	}
	for i, t := range asked.to {
		person, share := people[t.id], 1
		if asked.how == ledger.ByShares && t.share != "" {
			share, _ = strconv.Atoi(t.share) // 0 is refused below
		}
		switch {
		case person == nil:
			return in, domain.Refuse(domain.Invalid, "to", "refused_choose_member_may")
		case slices.Contains(ids[:i], t.id):
			return in, domain.Refuse(domain.Invalid, "to", "refused_assign_twice")
		case share < 1 || share > ledger.MaxShare:
			return in, domain.Refuse(domain.Invalid, "share", "refused_assign_share", "N", ledger.MaxShare)
		}
		in.To = append(in.To, ledger.Taker{Seat: ledger.Seat{ID: t.id, Name: person.name}, Share: share,
			ReadsLog: person.readsLog})
	}
	return in, s.askForEach(c, in)
}

// askForEach asks for each session whether the person may assign it, where that is not the same for all.
func (s *server) askForEach(c echo.Context, in *db.AssignMany) error {
	if s.ByRoles() {
		return nil
	}
	who, may := s.Who(c), map[string]bool{}
	ids, err := s.Store.SessionsOf(c.Request().Context(), who.Tenant, in, maxAsked)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if may[id], err = s.May(c, access.AssignReview, access.Object{Kind: "session", ID: id}); err != nil {
			return err
		}
	}
	in.May = func(id string) bool { return may[id] }
	return nil
}

// assignNow shares the sessions out.
func (s *server) assignNow(c echo.Context, in *db.AssignMany) (ledger.Shares, error) {
	ctx, who := c.Request().Context(), s.Who(c)
	tenant, err := s.Store.Tenant(ctx, who.Tenant)
	if err != nil {
		return ledger.Shares{}, err
	}
	return s.Store.AssignSessions(ctx, who, tenant.FreshnessMonths, s.Now().UTC().Truncate(time.Microsecond), in)
}

// showAssign shows the page on which many sessions are assigned at once.
func (s *server) showAssign(c echo.Context) error {
	asked := assignOf(c.QueryParam, c.QueryParams())
	if _, chosen := c.QueryParams()["whose"]; !chosen { // a list of one person's sessions is about those
		if asked.whose = asked.query.Reviewer; asked.query.Assigned == ledger.AssignedMe {
			asked.whose = s.Who(c).ID
		}
	}
	return s.assignPage(c, http.StatusOK, asked, nil, nil)
}

// assignOf reads what is asked for.
func assignOf(get func(string) string, all url.Values) (asked assignAsked) {
	to := all["to"]
	asked.query, _ = ledger.SessionFilters.Read(get) // assignPage says which filters could not be used
	asked.whose, asked.how = get("whose"), ledger.Sharing(cmp.Or(get("how"), string(ledger.ByTurns)))
	asked.most = text.Western(strings.TrimSpace(get("most")))
	if was := all["was"]; len(was) == 0 || was[0] == asked.whose { // else they are another person's than those that were listed
		asked.only = all["session"]
	}
	if asked.how == ledger.ToNobody {
		return asked // people who are still checked do not matter
	}
	for _, id := range to[:min(len(to), ledger.MaxTakers+1)] {
		asked.to = append(asked.to, taking{id, get("share_" + id)})
	}
	return asked
}

// assignPage shows what would become of the sessions: in is nil before people were chosen.
func (s *server) assignPage(c echo.Context, status int, asked assignAsked, in *db.AssignMany, fault error) error {
	ctx, who := c.Request().Context(), s.Who(c)
	page := ledgerviews.AssignInput{Query: asked.query, Whose: asked.whose, How: asked.how, Fault: web.AsError(fault),
		Shares: map[string]string{}, Done: assignDone(c), Until: s.Now().UTC(), Most: asked.most, Only: asked.only}
	for _, t := range asked.to {
		page.To = append(page.To, t.id)
		page.Shares[t.id] = t.share
	}
	if in == nil || fault != nil {
		in = &db.AssignMany{Query: asked.query, Whose: asked.whose, Only: asked.only}
		in.Query.Reader = who.ID
	} else {
		page.Takers, page.Preview = in.To, true
	}
	var err error
	if page.People, err = s.mayReview(c); err != nil {
		return err
	}
	policy, err := s.Store.Policy(ctx, who.Tenant)
	if err != nil {
		return err
	}
	page.Apart = policy.Apart()
	if page.Loads, err = s.Store.Loads(ctx, who.Tenant); err != nil {
		return err
	}
	in.Until = page.Until
	if len(in.Only) > 0 {
		if page.Chosen, err = s.Store.Assignable(ctx, who.Tenant, in, ledger.MaxShared); err != nil {
			return err
		}
	}
	all := *in
	all.Only = nil
	if page.Rows, err = s.Store.Assignable(ctx, who.Tenant, &all, ledgerviews.AssignListed); err != nil {
		return err
	}
	if page.Plan, err = s.Store.PlanAssignment(ctx, who.Tenant, in); err != nil {
		return err
	}
	chrome := s.ChromeAt(c, "/sessions/assign")
	if _, chrome.LeftFilters = ledger.SessionFilters.Read(c.FormValue); status == http.StatusOK {
		status = web.ListStatus(&chrome)
	}
	return s.Render(c, status, ledgerviews.Assign(ledgerviews.NewAssignPage(chrome, page)))
}

// assignMany handles the form: without "confirm" it shows who would get how many. What came in after that was shown is
// left alone, and what is no longer there to assign is counted.
func (s *server) assignMany(c echo.Context) error {
	asked := assignOf(c.FormValue, c.Request().PostForm)
	in, err := s.assignment(c, &asked)
	if kind := domain.KindOf(err); err != nil {
		if kind == domain.Invalid || kind == domain.TooLarge {
			return s.assignPage(c, http.StatusUnprocessableEntity, asked, nil, err)
		}
		return err
	}
	until, timeErr := time.Parse(time.RFC3339Nano, c.FormValue("until"))
	seen, numberErr := strconv.Atoi(c.FormValue("seen"))
	_, left := ledger.SessionFilters.Read(c.FormValue)
	if c.FormValue("confirm") == "" || timeErr != nil || numberErr != nil || len(left) > 0 {
		return s.assignPage(c, http.StatusOK, asked, in, nil)
	}
	in.Until = until
	done, err := s.assignNow(c, in)
	if err != nil {
		return err
	}
	q := url.Values{}
	for name, v := range ledger.SessionFilters.On(&asked.query) {
		q.Set(name, v)
	}
	q.Set("whose", asked.whose)
	q.Set("done", strconv.Itoa(done.Moved))
	if asked.how == ledger.ToNobody {
		q.Set("back", "1")
	}
	for name, n := range map[string]int{"lost": seen - done.Selected(), "unfit": done.Unfit, "barred": done.Barred,
		"beyond": done.Beyond} {
		if n > 0 {
			q.Set(name, strconv.Itoa(n))
		}
	}
	return web.SeeOther(c, "/sessions/assign?"+q.Encode())
}

// assignDone reads from the address what the preceding request assigned; nil if there was none.
func assignDone(c echo.Context) *ledgerviews.AssignDone {
	n, err := strconv.Atoi(c.QueryParam("done"))
	if err != nil || n < 0 {
		return nil
	}
	d := &ledgerviews.AssignDone{Moved: n, Back: c.QueryParam("back") != ""}
	for name, at := range map[string]*int{"lost": &d.Lost, "unfit": &d.Unfit, "barred": &d.Barred, "beyond": &d.Beyond} {
		if v, err := strconv.Atoi(c.QueryParam(name)); err == nil && v > 0 {
			*at = v
		}
	}
	return d
}
