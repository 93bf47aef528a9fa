package handlers

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"sanad/internal/db"
	"sanad/internal/domain"
	"sanad/internal/views"
)

// eventsPerPage is how many events the log shows at once.
const eventsPerPage = 50

// logVerified is the action of a check of the whole log; the newest one is shown above it.
const logVerified = "log.verified"

// showAudit shows the tenant's log, newest first, filtered and paged by key.
func (s *Server) showAudit(c echo.Context) error { return s.auditPage(c, nil) }

func (s *Server) auditPage(c echo.Context, report *views.AuditReport) error {
	ctx, tenant := c.Request().Context(), s.who(c).Tenant
	filter := auditFilter(c)
	q := eventQuery(filter)
	q.Before, _ = strconv.ParseInt(c.QueryParam("before"), 10, 64)
	events, next, err := s.store.Log(ctx, tenant, q)
	if err != nil {
		return err
	}
	names, people, err := s.actors(ctx, tenant)
	if err != nil {
		return err
	}
	head, err := s.auditHead(ctx, tenant)
	if err != nil {
		return err
	}
	in := views.AuditInput{Filter: filter, Next: next, Paged: q.Before > 0, Head: head, Report: report, Rows: eventRows(events, names)}
	for _, p := range people {
		p.Selected = p.Value == filter.Actor
		in.People = append(in.People, p)
	}
	return s.render(c, http.StatusOK, views.Audit(views.NewAuditPage(s.chrome(c), in)))
}

// auditFilter reads the filters of the address; what is none of the choices is as if not given.
func auditFilter(c echo.Context) views.AuditFilter {
	f := views.AuditFilter{Family: c.QueryParam("action"), Actor: c.QueryParam("actor"), Object: strings.TrimSpace(c.QueryParam("object"))}
	if !slices.Contains(views.EventFamilies, f.Family) {
		f.Family = ""
	}
	if _, err := day(c.QueryParam("from")); err == nil {
		f.From = c.QueryParam("from")
	}
	if _, err := day(c.QueryParam("to")); err == nil {
		f.To = c.QueryParam("to")
	}
	return f
}

// eventQuery asks the store for what the filters name; both days are whole.
func eventQuery(f views.AuditFilter) db.EventQuery {
	q := db.EventQuery{Actor: f.Actor, ObjectID: f.Object, Limit: eventsPerPage}
	if f.Family != "" {
		q.Action = f.Family + "."
	}
	q.From, _ = day(f.From)
	if to, err := day(f.To); err == nil {
		q.To = to.AddDate(0, 0, 1)
	}
	return q
}

func day(s string) (time.Time, error) { return time.Parse(time.DateOnly, s) }

// actors gives the shown names of who can stand in the log, and the same as choices of a filter: the log itself names
// nobody, so a name is that of today.
func (s *Server) actors(ctx context.Context, tenant string) (names map[string]string, people []views.Option, err error) {
	members, err := s.store.Members(ctx, tenant)
	if err != nil {
		return nil, nil, err
	}
	tokens, err := s.store.Tokens(ctx, tenant)
	if err != nil {
		return nil, nil, err
	}
	names = map[string]string{}
	for _, m := range members {
		names[m.ID] = m.Name
		people = append(people, views.Option{Value: m.ID, Label: m.Name})
	}
	for _, k := range tokens {
		if k.UserID == "" {
			names[k.ID] = k.Name
			people = append(people, views.Option{Value: k.ID, Label: k.Name})
		}
	}
	slices.SortFunc(people, func(a, b views.Option) int { return cmp.Compare(a.Label, b.Label) })
	return names, append(people, views.Option{Value: domain.Operator}), nil
}

// auditHead is the newest signed state of the log, and what its last check found.
func (s *Server) auditHead(ctx context.Context, tenant string) (h views.AuditHead, err error) {
	note, err := s.store.Checkpoint(ctx, tenant)
	if err != nil {
		return h, err
	}
	if lines := strings.Split(note, "\n"); len(lines) > 3 { // origin, size, root: C2SP tlog-checkpoint
		h.Size, _ = strconv.ParseInt(lines[1], 10, 64)
		h.Root = lines[2]
	}
	found, err := s.store.Keys(ctx, tenant)
	if err != nil {
		return h, err
	}
	for _, k := range found {
		if k.Purpose == "log" && k.RetiredAt.IsZero() {
			h.KeyID = k.ID
		}
	}
	h.Frozen = s.store.Frozen()
	checks, _, err := s.store.Log(ctx, tenant, db.EventQuery{Action: logVerified, Limit: 1})
	if err == nil && len(checks) > 0 {
		row := eventRow(checks[0], nil)
		h.VerifiedAt = row.At
		h.VerifiedOK = slices.Contains(row.Details, views.Detail{Name: "ok", Value: "true"})
	}
	return h, err
}
